import type { SecureContextOptions } from "node:tls";
import type { ExportResponse, IExporterTransport } from "@opentelemetry/otlp-exporter-base";
import { compressBody } from "../http/compress-body.ts";
import { parseRetryAfter, toBackoffMillis } from "../http/retry-wait.ts";
import { createHttpClient, USER_AGENT, type HttpAnswer } from "../http/http-client.ts";
import { sleep, startCountdown, type Clock } from "../util/clock.ts";

/** Encodings of OTLP over HTTP, as `OTEL_EXPORTER_OTLP_PROTOCOL` names them. */
export type OtlpProtocol = "http/json" | "http/protobuf";

/** Where one signal goes, and how. */
export interface OtlpEndpoint {
  /** The whole URL, with the path of the signal. */
  readonly url: string;
  readonly protocol: OtlpProtocol;
  readonly headers: Readonly<Record<string, string>>;
  /** Deadline of one request in ms, from connecting to the last byte of the answer. */
  readonly timeoutMillis: number;
  readonly compression?: "gzip" | "none" | undefined;
  /** Certificates of a private authority or of this client. */
  readonly tls?: SecureContextOptions | undefined;
}

/** Sends bodies to one endpoint, below the delegate of an exporter of OpenTelemetry's. */
export interface OtlpTransport extends IExporterTransport {
  /** Fires at the next `abort`. */
  readonly signal: AbortSignal;
  /** Ends every request and every wait at once. */
  abort(): void;
}

const CONTENT_TYPES = {
  "http/json": "application/json",
  "http/protobuf": "application/x-protobuf",
} as const;
/** Retries of one body end after this time, in ms: what comes behind it waits. */
const PATIENCE_MILLIS = 30_000;
const MAX_RETRIES = 6;
const FIRST_BACKOFF_MILLIS = 1000;
const MAX_BACKOFF_MILLIS = 8000;
/** What OTLP/HTTP calls retryable. */
const RETRYABLE = new Set([429, 502, 503, 504]);
/** More of an answer is not read: it holds the number of rejected items at most. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Returns the wait in ms before a retry (the first is 1); `undefined` when there should be none. */
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
function toResponse(answer: HttpAnswer): ExportResponse {
  if (answer.kind === "failure") return { status: "failure", error: new Error(answer.reason) };
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken
    ? { status: "success", data: answer.body }
    : { status: "failure", error: new Error(`HTTP ${answer.status}`) };
}

/**
 * Creates a transport for one OTLP/HTTP endpoint, with the retries of the OTLP specification.
 *
 * It is our own because the one of OpenTelemetry's exporters can't be stopped: behind a backend that hangs or asks
 * for a wait, it would keep a process that has ended for ten more seconds.
 *
 * @param random - Returns 0 to 1, for the jitter of waits.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function createOtlpTransport(
  { url, protocol, headers, timeoutMillis, compression, tls }: OtlpEndpoint,
  clock: Clock,
  random: () => number = Math.random,
): OtlpTransport {
  const client = createHttpClient({
    timeoutMillis,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    maxFreeSockets: 1,
    tls,
  });
  const isGzip = compression === "gzip";
  let generation = new AbortController();
  const abort = (): void => {
    generation.abort();
    generation = new AbortController();
  };
  return {
    get signal() {
      return generation.signal;
    },
    async send(plain) {
      const { signal } = generation;
      const body = isGzip ? await compressBody(plain) : plain;
      const request = {
        method: "POST",
        url: new URL(url),
        headers: {
          "user-agent": USER_AGENT,
          ...headers,
          "content-type": CONTENT_TYPES[protocol],
          "content-length": body.length,
          ...(isGzip && { "content-encoding": "gzip" }),
        },
        body,
      } as const;
      const left = startCountdown(clock, PATIENCE_MILLIS);
      for (let retry = 1; ; retry++) {
        const answer = await client.send(request, signal);
        const wait = toWait(answer, retry, clock.now(), random());
        if (wait === undefined || wait > left() || signal.aborted) return toResponse(answer);
        await sleep(clock, wait, signal);
      }
    },
    abort,
    shutdown() {
      abort();
      client.close();
    },
  };
}
