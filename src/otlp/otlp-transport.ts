import type { SecureContextOptions } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { toBackoffMillis } from "../http/backoff.ts";
import { createHttpClient, USER_AGENT, type HttpAnswer } from "../http/http-client.ts";
import { parseRetryAfter } from "../http/retry-after.ts";
import { sleep, startCountdown, type Clock } from "../util/clock.ts";

/** Where one signal goes, and how. */
export interface OtlpEndpoint {
  /** The whole URL, with the path of the signal. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Media type of the bodies. */
  readonly contentType: string;
  /** Deadline of one request in ms, from connecting to the last byte of the answer. */
  readonly timeoutMillis: number;
  readonly compression?: "gzip" | "none" | undefined;
  /** Certificates of a private authority or of this client. */
  readonly tls?: SecureContextOptions | undefined;
}

/** What became of a body: it was taken, or it never will be. */
export type OtlpOutcome =
  | { readonly kind: "taken"; readonly answer: Buffer }
  | { readonly kind: "refused"; readonly reason: string };

/** Sends bodies to one endpoint. */
export interface OtlpTransport {
  /** Fires at the next `abort`: taken before a body is made, which may last, it ends what is sent of it as well. */
  readonly signal: AbortSignal;
  /** Sends with retries; failures are values. */
  send(body: Uint8Array, signal: AbortSignal): Promise<OtlpOutcome>;
  /** Ends every request and every wait at once. */
  abort(): void;
  /** Does what `abort` does, and closes the connections. */
  close(): void;
}

/** Retries of one body end after this time, in ms: what comes behind it waits. */
const PATIENCE_MILLIS = 30_000;
const MAX_RETRIES = 6;
const FIRST_BACKOFF_MILLIS = 1000;
const MAX_BACKOFF_MILLIS = 8000;
/** What OTLP/HTTP calls retryable. */
const RETRYABLE = new Set([429, 502, 503, 504]);
/** More of an answer is not read: it holds the number of rejected items at most. */
const MAX_ANSWER_BYTES = 64 * 1024;

const gzipAsync = promisify(gzip);

/** Gives the wait in ms before a retry (the first is 1); `undefined` when there should be none. */
function toWait(
  answer: HttpAnswer,
  retry: number,
  now: number,
  random: number,
): number | undefined {
  if (retry > MAX_RETRIES) return undefined;
  const backoff = toBackoffMillis(retry, FIRST_BACKOFF_MILLIS, random, MAX_BACKOFF_MILLIS);
  if (answer.kind === "failure") return backoff;
  if (!RETRYABLE.has(answer.status)) return undefined;
  // Who asks for no wait at all would get every retry in the same moment.
  return Math.max(parseRetryAfter(answer.headers, now) ?? 0, backoff);
}

/** A status is an answer, also when the rest never comes: sent again, what was taken would be there twice. */
function toOutcome(answer: HttpAnswer): OtlpOutcome {
  if (answer.kind === "failure") return { kind: "refused", reason: answer.reason };
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken
    ? { kind: "taken", answer: answer.body }
    : { kind: "refused", reason: `HTTP ${answer.status}` };
}

/**
 * Creates a transport for one OTLP/HTTP endpoint, with the retries of the OTLP specification.
 *
 * It is our own because the one of OpenTelemetry's exporters can't be told to stop: behind a backend that hangs, it
 * would keep a process that has ended for ten more seconds.
 *
 * @param random - Gives 0 to 1, for the jitter of waits.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function createOtlpTransport(
  endpoint: OtlpEndpoint,
  clock: Clock,
  random: () => number = Math.random,
): OtlpTransport {
  const client = createHttpClient({
    timeoutMillis: endpoint.timeoutMillis,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    maxFreeSockets: 1,
    tls: endpoint.tls,
  });
  const url = new URL(endpoint.url);
  const isGzip = endpoint.compression === "gzip";
  const post = (body: Uint8Array, signal: AbortSignal): Promise<HttpAnswer> => {
    const headers = {
      "user-agent": USER_AGENT,
      ...endpoint.headers,
      "content-type": endpoint.contentType,
      "content-length": body.length,
      ...(isGzip && { "content-encoding": "gzip" }),
    };
    return client.send({ method: "POST", url, headers, body }, signal);
  };
  let generation = new AbortController();
  const abort = (): void => {
    generation.abort();
    generation = new AbortController();
  };
  return {
    get signal() {
      return generation.signal;
    },
    async send(plain, signal) {
      const body = isGzip ? await gzipAsync(plain) : plain;
      const left = startCountdown(clock, PATIENCE_MILLIS);
      for (let retry = 1; ; retry++) {
        const answer = await post(body, signal);
        const wait = toWait(answer, retry, clock.now(), random());
        if (wait === undefined || wait > left() || signal.aborted) return toOutcome(answer);
        await sleep(clock, wait, signal);
      }
    },
    abort,
    close() {
      abort();
      client.close();
    },
  };
}
