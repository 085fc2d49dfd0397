import { performance } from "node:perf_hooks";

/** Longest delay that `setTimeout` takes; it runs anything longer at once. */
export const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/** Time as the SDK sees it; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as an integer. */
  now(): number;
  /** Milliseconds that only ever grow: for waits and durations. */
  monotonic(): number;
  /**
   * Runs a callback once after a delay.
   *
   * A longer delay than {@link LONGEST_TIMER_MILLIS} is shortened to it. The timer does not keep the process alive unless `keepAlive` is set.
   *
   * @returns Cancels the timer.
   */
  schedule(callback: () => void, delayMillis: number, keepAlive?: boolean): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(callback, delayMillis, keepAlive = false) {
    const timer = setTimeout(callback, Math.min(delayMillis, LONGEST_TIMER_MILLIS));
    if (!keepAlive) timer.unref();
    return () => clearTimeout(timer);
  },
};
