/** Longest time that a rule may take, in milliseconds: it runs on the thread that serves the customer. */
export const MAX_RULE_MILLIS = 5;
const MAX_STRIKES = 3;
// Ten runs in time make up for an overrun, so that pauses of the process don't add up over the days.
const FORGIVENESS = 0.1;
/** Time for which a slow rule is skipped. */
export const SKIP_MILLIS = 60_000;

/** Decides whether a rule that has been slow is to be skipped for a while. */
export class RuleCircuit {
  #strikes = 0;
  #openUntil = Number.NEGATIVE_INFINITY;

  /** Returns whether the rule is to be skipped now. */
  isOpen(nowMillis: number): boolean {
    return nowMillis < this.#openUntil;
  }

  /**
   * Records how long a run took.
   *
   * @returns Whether this run was the one too many.
   */
  record(elapsedMillis: number, nowMillis: number): boolean {
    if (elapsedMillis <= MAX_RULE_MILLIS) {
      this.#strikes = Math.max(0, this.#strikes - FORGIVENESS);
      return false;
    }
    this.#strikes++;
    if (this.#strikes < MAX_STRIKES) return false;
    this.#strikes = 0;
    this.#openUntil = nowMillis + SKIP_MILLIS;
    return true;
  }
}
