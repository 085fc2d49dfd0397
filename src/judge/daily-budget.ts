import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { JudgeUsage } from "./judge-reply.ts";

const DAY_MILLIS = 86_400_000;

/**
 * Counts what a UTC day's calls have used; times are milliseconds since the Unix epoch.
 *
 * Tokens and cost are known when a call is over: those that are under way may go beyond them.
 */
export class DailyBudget {
  readonly #budget: ResolvedJudgeOptions["dailyBudget"];
  #day = 0;
  #requests = 0;
  #tokens = 0;
  #cost = 0;

  constructor(budget: ResolvedJudgeOptions["dailyBudget"]) {
    this.#budget = budget;
  }

  isSpent(now: number): boolean {
    this.#turn(now);
    const { requests = Infinity, tokens = Infinity, cost = Infinity } = this.#budget;
    return this.#requests >= requests || this.#tokens >= tokens || this.#cost >= cost;
  }

  /** Counts a call that begins. */
  addCall(now: number): void {
    this.#turn(now);
    this.#requests++;
  }

  /** Counts what calls have used, on the day on which it is known. */
  addUsage({ inputTokens, outputTokens, cost = 0 }: JudgeUsage, now: number): void {
    this.#turn(now);
    this.#tokens += inputTokens + outputTokens;
    this.#cost += cost;
  }

  #turn(now: number): void {
    const day = Math.floor(now / DAY_MILLIS);
    if (day === this.#day) return;
    this.#day = day;
    this.#requests = 0;
    this.#tokens = 0;
    this.#cost = 0;
  }
}
