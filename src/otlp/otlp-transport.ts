import type * as http from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import type { Clock } from "../util/clock.ts";
import { sleep, startCountdown } from "../util/sleep.ts";
import { VERSION } from "../version.ts";
import { postOnce, toRequestFailure, type OtlpAnswer, type OtlpEndpoint } from "./otlp-request.ts";

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
const JITTER = 0.2;
/** What OTLP/HTTP calls retryable. */
const RETRYABLE = new Set([429, 502, 503, 504]);

const gzipAsync = promisify(gzip);

/** Reads `Retry-After`, a number of seconds or a date, as ms. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Gives the wait in ms before the next attempt; `undefined` when there should be none. */
function toWait(
  answer: OtlpAnswer,
  retry: number,
  now: number,
  jitter: number,
): number | undefined {
  if (retry >= MAX_RETRIES) return undefined;
  if (answer.kind === "answer" && !RETRYABLE.has(answer.status)) return undefined;
  const backoff = Math.min(FIRST_BACKOFF_MILLIS * 2 ** retry, MAX_BACKOFF_MILLIS) * (1 + jitter);
  const asked = answer.kind === "answer" ? readRetryAfter(answer.retryAfter, now) : undefined;
  // Who asks for no wait at all would get every retry in the same moment.
  return Math.max(asked ?? 0, backoff);
}

function toOutcome(answer: OtlpAnswer): OtlpOutcome {
  if (answer.kind === "failure") return { kind: "refused", reason: answer.reason };
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken
    ? { kind: "taken", answer: answer.body }
    : { kind: "refused", reason: `HTTP ${answer.status}` };
}

/** Creates what makes single attempts, over connections of its own. */
function createConnections(endpoint: OtlpEndpoint) {
  const isTls = endpoint.url.startsWith("https:");
  let agent: http.Agent | undefined;

  // Loaded at first use: OTel's HTTP instrumentation patches only what is loaded after it.
  const loadHttp = async (): Promise<typeof http> =>
    isTls ? ((await import("node:https")) as unknown as typeof http) : import("node:http");

  return {
    async post(body: Uint8Array, signal: AbortSignal): Promise<OtlpAnswer> {
      try {
        const module = await loadHttp();
        const used = (agent ??= new module.Agent({
          keepAlive: true,
          maxFreeSockets: 1,
          ...endpoint.tls,
        }));
        const headers = {
          "user-agent": `agent-monitor/${VERSION}`,
          ...endpoint.headers,
          "content-type": endpoint.contentType,
          "content-length": body.length,
          ...(endpoint.compression === "gzip" && { "content-encoding": "gzip" }),
        };
        if (signal.aborted) return { kind: "failure", reason: "aborted" };
        return await context.with(suppressTracing(context.active()), () =>
          postOnce(module, used, endpoint, headers, body, signal),
        );
      } catch (error) {
        // A header that no request may carry, for instance.
        return toRequestFailure(error);
      }
    },
    close: () => agent?.destroy(),
  };
}

/**
 * Creates a transport for one OTLP/HTTP endpoint on `node:http(s)`, with the retries of the OTLP specification.
 *
 * It is our own because the one of OpenTelemetry's exporters can't be told to stop: behind a backend that hangs, it
 * would keep a process that has ended for ten more seconds. It reads no environment variable, so a key meant for
 * another backend is not sent here, and follows no redirect.
 *
 * @param random - Gives 0 to 1, for the jitter of waits.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function createOtlpTransport(
  endpoint: OtlpEndpoint,
  clock: Clock,
  random: () => number = Math.random,
): OtlpTransport {
  const connections = createConnections(endpoint);
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
      const body = endpoint.compression === "gzip" ? await gzipAsync(plain) : plain;
      const left = startCountdown(clock, PATIENCE_MILLIS);
      for (let retry = 0; ; retry++) {
        const answer = await connections.post(body, signal);
        const wait = toWait(answer, retry, clock.now(), random() * JITTER);
        if (wait === undefined || wait > left() || signal.aborted) return toOutcome(answer);
        await sleep(clock, wait, signal);
      }
    },
    abort,
    close() {
      abort();
      connections.close();
    },
  };
}
