import { toBackoffMillis } from "../http/backoff.ts";
import type { JudgeFailure } from "./judgement.ts";

/** Answers in a row that could not be judged. */
const FAILURES_TO_OPEN = 5;
const FIRST_WAIT_MILLIS = 1000;

/**
 * Keeps a model that is away from being asked with every answer; times are monotonic, in ms.
 *
 * While it is open, one answer at a time is asked, after waits that double from one second up to a minute.
 */
export class ModelCircuit {
  #failures = 0;
  #waits = 0;
  #notBefore = 0;
  #isOpen = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Gives the time in ms until the model may be asked; 0: at once. */
  waitMillis(now: number): number {
    return this.#isOpen ? Math.max(0, this.#notBefore - now) : 0;
  }

  /**
   * Notes how an answer was judged.
   *
   * @param failure - `undefined`: it was.
   * @param retryAfterMillis - For how long the model wants to be left alone.
   */
  note(now: number, failure: JudgeFailure | undefined, retryAfterMillis?: number): void {
    if (failure === undefined) this.#close();
    else if (failure === "rate_limited") this.#open(now, retryAfterMillis);
    else if (failure !== "closed" && (++this.#failures >= FAILURES_TO_OPEN || this.#isOpen))
      this.#open(now);
  }

  #close(): void {
    this.#isOpen = false;
    this.#failures = 0;
    this.#waits = 0;
  }

  #open(now: number, retryAfterMillis?: number): void {
    // Calls that were under way together fail together: that is one failure.
    const isNew = !this.#isOpen || now >= this.#notBefore;
    const backoff = isNew ? toBackoffMillis(++this.#waits, FIRST_WAIT_MILLIS) : 0;
    this.#isOpen = true;
    // A server that names no time at all would be asked again and again.
    const wait = Math.max(retryAfterMillis ?? backoff, isNew ? FIRST_WAIT_MILLIS : 0);
    this.#notBefore = Math.max(this.#notBefore, now + wait);
  }
}
