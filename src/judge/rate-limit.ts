import { toRetryAfterMillis } from "../http/retry-after.ts";
import { readMember } from "../util/untrusted-values.ts";

/** That a model wants to be asked later, and after which time, if it said so. */
export interface RateLimit {
  /** Capped at 15 minutes. */
  readonly retryAfterMillis?: number;
}

const TOO_MANY_REQUESTS = 429;
/** A server that is overloaded may name a time as well. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([503, 529]);
const STATUS_NAMES = ["status", "statusCode", "httpStatusCode"];

function readHeader(headers: unknown, name: string): unknown {
  const get = readMember(headers, "get");
  if (typeof get === "function") return Reflect.apply(get, headers, [name]);
  return readMember(headers, name) ?? readMember(headers, "Retry-After");
}

/** Where clients keep what the server answered: on the error, or below it. */
function toPlaces(error: unknown): unknown[] {
  const nested = ["$response", "response", "lastError", "cause", "$metadata"].map((name) =>
    readMember(error, name),
  );
  return [error, ...nested];
}

function readPlaceStatus(place: unknown): number | undefined {
  return STATUS_NAMES.map((name) => readMember(place, name)).find(
    (value) => typeof value === "number",
  );
}

/** Reads the HTTP status from what a client has thrown; `undefined` where there is none. Never throws. */
export function readStatus(error: unknown): number | undefined {
  return toPlaces(error)
    .map(readPlaceStatus)
    .find((status) => status !== undefined);
}

function readPlace(place: unknown, now: number): RateLimit | undefined {
  const status = readPlaceStatus(place);
  const headers = [readMember(place, "headers"), readMember(place, "responseHeaders")];
  const given = [
    readMember(place, "retryAfter"),
    ...headers.map((one) => readHeader(one, "retry-after")),
  ];
  const wait = given
    .map((value) => toRetryAfterMillis(value, now))
    .find((millis) => millis !== undefined);
  const isLimit = status === TOO_MANY_REQUESTS || (UNAVAILABLE.has(status) && wait !== undefined);
  if (!isLimit) return undefined;
  return wait === undefined ? {} : { retryAfterMillis: wait };
}

/**
 * Reads from what a client has thrown whether its server wants to be asked later: status 429, or 503 and 529 with a
 * `Retry-After`, on the error or its `$response`, `response`, `lastError`, `cause` or `$metadata`.
 *
 * @param now - Milliseconds since the Unix epoch.
 * @returns `undefined` for any other failure. Never throws.
 */
export function readRateLimit(error: unknown, now: number): RateLimit | undefined {
  for (const place of toPlaces(error)) {
    try {
      const limit = readPlace(place, now);
      if (limit) return limit;
    } catch {
      // A getter or a method of the caller's.
    }
  }
  return undefined;
}
