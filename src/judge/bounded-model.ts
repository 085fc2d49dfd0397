import { AsyncLocalStorage } from "node:async_hooks";
import type { JudgeRequest } from "../config/judge-options.ts";
import { type Clock, sleep } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import { askJudge } from "./ask-judge.ts";
import { RequestMaker } from "./judge-request.ts";
import type { JudgeCounts, JudgeDropReason } from "./judge-stats.ts";
import { type JudgeWork, type Judged, type Judgement, toProblem } from "./judgement.ts";
import { CallRate, DailyBudget, ModelCircuit } from "./model-limits.ts";
import type { JudgeUnit, TaskQueue } from "./task-queue.ts";

/** The caller's model within rate, budget and circuit; callers check first that it may be asked. */
export class BoundedModel {
  readonly #work: JudgeWork;
  readonly #counts: JudgeCounts;
  readonly #rate: CallRate;
  readonly #budget: DailyBudget;
  readonly #circuit = new ModelCircuit();
  readonly #requests: RequestMaker;
  #isBlindReported = false;

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
      return { task: unit.task, judgement, sent };
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
    if (wasAway && !this.isAway) log.log("info", "judge_closed", "the judge's model answers again");
    if (!wasAway && this.isAway) {
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
    if (this.#isBlindReported || !isBlind) return;
    this.#isBlindReported = true;
    const message =
      "the judge's model does not say what it uses: dailyBudget.tokens and cost can't be kept, requests can";
    log.log("warn", "judge_usage", message);
  }
}

/** Drops of one turn of the event loop; each may be a line in a journal. */
const MAX_DROPS_PER_TURN = 100;

/** Options of a UnitRunner. */
interface UnitRunnerOptions {
  readonly queue: TaskQueue;
  readonly model: BoundedModel;
  readonly clock: Clock;
  readonly maxConcurrency: number;
  /** Returns the reason why a unit is not asked at all. */
  readonly toDropReason: (unit: JudgeUnit) => JudgeDropReason | undefined;
  readonly onDropped: (unit: JudgeUnit, reason: JudgeDropReason) => void;
  /**
   * Takes the outcome of asking the model about a unit.
   *
   * @param judged - `undefined` when no request could be made of it.
   * @param isProbe - Whether the model was away, and this call checked whether it is back.
   */
  readonly onOutcome: (unit: JudgeUnit, judged: Judged | undefined, isProbe: boolean) => void;
  /** Called when nothing is under way and the waiting units may not be asked now, because of the rate or a model that is away. */
  readonly onStalled: () => void;
}

/** Takes waiting units and asks the model: a bounded number at a time, when it may be asked. Idle, it has no timer. */
export class UnitRunner {
  readonly #options: UnitRunnerOptions;
  /** Runs work that belongs to no request of the application: it continues from answer to answer. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #inFlight = new Map<JudgeUnit, AbortController>();
  #isAwake = false;
  #isClosed = false;
  #cancelTimer: (() => void) | undefined;

  constructor(options: UnitRunnerOptions) {
    this.#options = options;
  }

  /** Whether nothing is under way, and the waiting units may not be asked now. */
  get isStalled(): boolean {
    return !this.#isAwake && this.#cancelTimer !== undefined && this.#inFlight.size === 0;
  }

  /** Checks soon what can be asked: never while a caller submits an answer. */
  wake(): void {
    if (this.#isAwake || this.#isClosed) return;
    this.#isAwake = true;
    setImmediate(() => {
      this.#isAwake = false;
      this.#outside(() => this.#next());
    });
  }

  /** Aborts the calls for some units; each ends as any other. */
  abort(isMeant: (unit: JudgeUnit) => boolean): void {
    for (const [unit, controller] of this.#inFlight) if (isMeant(unit)) controller.abort();
  }

  /** Stops. @returns The units whose calls were aborted; their ends are not reported. */
  close(): readonly JudgeUnit[] {
    this.#isClosed = true;
    this.#cancelTimer?.();
    const units = [...this.#inFlight.keys()];
    this.abort(() => true);
    this.#inFlight.clear();
    return units;
  }

  /** Asks about one unit, if one waits and may be asked now: writing a request takes time. */
  #next(): void {
    const { queue, toDropReason, onDropped } = this.#options;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let drops = 0; drops < MAX_DROPS_PER_TURN; drops++) {
      const unit = this.#mayTake() ? queue.take() : undefined;
      if (!unit) return;
      const reason = toDropReason(unit);
      if (!reason) {
        void this.#run(unit);
        break;
      }
      onDropped(unit, reason);
    }
    this.wake();
  }

  /** Returns whether a unit can be taken now; else schedules the next check. */
  #mayTake(): boolean {
    const { queue, model, clock, maxConcurrency } = this.#options;
    if (this.#isClosed || queue.isEmpty || this.#inFlight.size >= maxConcurrency) return false;
    const { isAway, isSpent, waitMillis } = model;
    // These are dropped at once.
    if (isSpent || (isAway && queue.hasDrafts)) return true;
    if (isAway && this.#inFlight.size > 0) return false;
    if (waitMillis === 0) return true;
    this.#cancelTimer = clock.schedule(() => this.#next(), waitMillis);
    if (this.isStalled) this.#options.onStalled();
    return false;
  }

  async #run(unit: JudgeUnit): Promise<void> {
    const { model, onOutcome } = this.#options;
    const controller = new AbortController();
    this.#inFlight.set(unit, controller);
    const isProbe = model.isAway;
    const judged = await model.ask(unit, controller.signal);
    // Closed units are counted by the caller of `close`.
    if (!this.#inFlight.delete(unit)) return;
    onOutcome(unit, judged, isProbe);
    this.wake();
  }
}
