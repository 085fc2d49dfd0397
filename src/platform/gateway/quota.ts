import type { Clock } from "../../util/clock.ts";

const MINUTE_MILLIS = 60_000;

/**
 * Creates a quota that fills up evenly, up to that of one minute.
 *
 * What is taken is known only once a request has come in: it may take more than is left, and the next ones wait for it.
 *
 * @param perMinute - How much may be taken in a minute.
 */
export function createQuota(perMinute: number, clock: Pick<Clock, "monotonic">) {
  let left = perMinute;
  let at = clock.monotonic();

  const refill = (): void => {
    const now = clock.monotonic();
    left = Math.min(perMinute, left + ((now - at) * perMinute) / MINUTE_MILLIS);
    at = now;
  };

  return {
    /** Returns after how many seconds there is something left; 0 for now. */
    waitSeconds(): number {
      refill();
      return left > 0 ? 0 : Math.max(1, Math.ceil((-left * MINUTE_MILLIS) / perMinute / 1000));
    },
    take(amount: number): void {
      refill();
      left -= amount;
    },
  };
}

/** How much of something may be taken in a minute. */
export type Quota = ReturnType<typeof createQuota>;
