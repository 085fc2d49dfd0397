const MAX_BACKOFF_MILLIS = 60_000;
const JITTER = 0.2;

/**
 * Computes the wait in ms before a retry (the first is 1): it doubles with each, and is never below nominal and at
 * most 60 s.
 *
 * @param random - Share of the jitter that is added, from 0 to 1; the jitter is a fifth of the wait.
 * @param longestMillis - Limit of the wait without jitter.
 */
export function toBackoffMillis(
  retry: number,
  firstMillis: number,
  random = 0,
  longestMillis = MAX_BACKOFF_MILLIS,
): number {
  const nominal = Math.min(firstMillis * 2 ** (retry - 1), longestMillis);
  return Math.min(nominal * (1 + random * JITTER), MAX_BACKOFF_MILLIS);
}

/** Upper limit of the wait: a longer one is not obeyed. */
const MAX_WAIT_MILLIS = 15 * 60_000;

/**
 * Reads the value of a `Retry-After`, seconds or an HTTP date, as ms, capped at 15 minutes.
 *
 * @param now - Time against which a date is measured, in milliseconds since the Unix epoch.
 * @see RFC 9110, 10.2.3
 */
export function toRetryAfterMillis(value: unknown, now: number): number | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  if (String(value).trim() === "") return undefined;
  // Date.parse takes almost anything for a date, "-5" included; an HTTP date starts with the day's name.
  const isDate = typeof value === "string" && /^[A-Z][a-z]{2,8},? /.test(value);
  const millis = isDate ? Math.max(0, Date.parse(value) - now) : Number(value) * 1000;
  return millis >= 0 ? Math.min(millis, MAX_WAIT_MILLIS) : undefined;
}

/**
 * Reads `Retry-After` from the headers of a response, as ms, capped at 15 minutes.
 *
 * A date is measured against the response's own `Date`, since the clocks may differ.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMillis: number,
): number | undefined {
  const serverNow = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : Number.NaN;
  return toRetryAfterMillis(
    headers["retry-after"],
    Number.isNaN(serverNow) ? nowMillis : serverNow,
  );
}
