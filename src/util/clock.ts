/** Time as the SDK sees it; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as an integer. */
  now(): number;
  /** Milliseconds that only ever grow: for waits and durations. */
  monotonic(): number;
  /**
   * Runs a callback once after a delay.
   *
   * The timer does not keep the process alive unless `keepAlive` is set.
   *
   * @returns Cancels the timer.
   */
  schedule(callback: () => void, delayMillis: number, keepAlive?: boolean): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(callback, delayMillis, keepAlive = false) {
    const timer = setTimeout(callback, delayMillis);
    if (!keepAlive) timer.unref();
    return () => clearTimeout(timer);
  },
};
