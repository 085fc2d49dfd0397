const MINUTE_MILLIS = 60_000;

/** Keeps the calls of any minute below a number; times are monotonic, in ms. */
export class CallRate {
  readonly #maxPerMinute: number;
  /** Times of the newest calls, a ring: some may be ahead. */
  readonly #times: number[] = [];
  #next = 0;

  constructor(maxPerMinute: number) {
    this.#maxPerMinute = maxPerMinute;
  }

  /** Gives the time in ms until a call is allowed; 0: at once. */
  waitMillis(now: number): number {
    const oldest = this.#times[this.#next];
    const isFull = this.#times.length >= this.#maxPerMinute;
    return isFull && oldest !== undefined ? Math.max(0, oldest + MINUTE_MILLIS - now) : 0;
  }

  /** Books the next call. @returns The time in ms until then. */
  book(now: number): number {
    const wait = this.waitMillis(now);
    this.#times[this.#next] = now + wait;
    this.#next = (this.#next + 1) % this.#maxPerMinute;
    return wait;
  }
}
