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
