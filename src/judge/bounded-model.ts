import type { JudgeRequest } from "../config/judge-options.ts";
import { sleep } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import { askJudge } from "./ask-judge.ts";
import { RequestMaker } from "./judge-request.ts";
import type { JudgeCounts } from "./judge-stats.ts";
import type { Judged, JudgeWork } from "./judge-work.ts";
import { toProblem, type Judgement } from "./judgement.ts";
import { CallRate, DailyBudget, ModelCircuit } from "./model-limits.ts";
import type { JudgeUnit } from "./task-queue.ts";

/** The caller's model within rate, budget and circuit; callers check first that it may be asked. */
export class BoundedModel {
  readonly #work: JudgeWork;
  readonly #counts: JudgeCounts;
  readonly #rate: CallRate;
  readonly #budget: DailyBudget;
  readonly #circuit = new ModelCircuit();
  readonly #requests: RequestMaker;
  #isBlindTold = false;

  constructor(work: JudgeWork, counts: JudgeCounts) {
    this.#work = work;
    this.#counts = counts;
    this.#rate = new CallRate(work.options.maxPerMinute);
    this.#budget = new DailyBudget(work.options.dailyBudget);
    this.#requests = new RequestMaker(work);
  }

  /** Whether the model has failed repeatedly, so that only one unit at a time is asked. */
  get isAway(): boolean {
    return this.#circuit.isOpen;
  }

  /** Whether the day's budget is spent. */
  get isSpent(): boolean {
    return this.#budget.isSpent(this.#work.clock.now());
  }

  /** Time in ms until the model may be asked; 0: at once. */
  get waitMillis(): number {
    const now = this.#work.clock.monotonic();
    return Math.max(this.#circuit.waitMillis(now), this.#rate.waitMillis(now));
  }

  /**
   * Asks the model to judge a unit. Never rejects.
   *
   * @returns `undefined` when no request could be made of the unit.
   */
  async ask(unit: JudgeUnit, signal: AbortSignal): Promise<Judged | undefined> {
    const { clock, options, log } = this.#work;
    try {
      const { request, sent } = this.#requests.make(unit);
      this.#rate.book(clock.monotonic());
      const judgement = await askJudge(request, sent, {
        model: async (asked, call) => this.#call(asked, call.signal),
        clock,
        timeout: options.timeout,
        signal,
        admitRetry: async () => this.#admitRetry(signal),
      });
      this.#note(judgement);
      return { task: unit.task, judgement, sent, whole: unit.task.exchange };
    } catch (error) {
      log.log("error", "judge_error", `an answer can't be judged: ${toErrorName(error)}`);
      return undefined;
    }
  }

  /** Drops what it holds of prepared exchanges. */
  rest(): void {
    this.#requests.forget();
  }

  async #call(request: JudgeRequest, signal: AbortSignal): Promise<string | object> {
    const { clock, options, isolate } = this.#work;
    this.#counts.addCall();
    this.#budget.addCall(clock.now());
    return isolate(async () => options.model(request, { signal }));
  }

  /** Waits until a second call is allowed. */
  async #admitRetry(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#work;
    const mayCall = (): boolean => !signal.aborted && !this.isAway && !this.isSpent;
    if (!mayCall()) return false;
    const wait = this.#rate.book(clock.monotonic());
    if (wait > 0) await sleep(clock, wait, signal);
    return mayCall();
  }

  #note(judgement: Judgement): void {
    const { clock, log } = this.#work;
    const { usage, failure, failedCalls, retryAfterMillis } = judgement;
    this.#counts.addOutcome(judgement);
    if (usage) this.#budget.addUsage(usage, clock.now());
    if (failure === undefined) this.#warnOfBlindBudget(judgement);
    const wasAway = this.isAway;
    this.#circuit.note(clock.monotonic(), failure, retryAfterMillis);
    if (wasAway === this.isAway) return;
    if (wasAway) log.log("info", "judge_closed", "the judge's model answers again");
    else {
      const problem = toProblem(failedCalls.at(-1));
      const message = `the judge's model is away (${problem}); answers wait while there is room`;
      log.log("error", "judge_open", message);
    }
  }

  /** Logs once that a budget can't be kept, because the model reports no usage. */
  #warnOfBlindBudget({ usage }: Judgement): void {
    const { log, options } = this.#work;
    const { tokens, cost } = options.dailyBudget;
    const isBlind =
      (tokens !== undefined && !usage) || (cost !== undefined && usage?.cost === undefined);
    if (this.#isBlindTold || !isBlind) return;
    this.#isBlindTold = true;
    const message =
      "the judge's model does not say what it uses: dailyBudget.tokens and cost can't be kept, requests can";
    log.log("warn", "judge_usage", message);
  }
}
