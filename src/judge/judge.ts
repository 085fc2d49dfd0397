import { countNoun } from "../util/count-noun.ts";
import { toErrorName } from "../util/logger.ts";
import { keepAliveUntil, withDeadline } from "../util/sleep.ts";
import { BoundedModel } from "./bounded-model.ts";
import { JudgeCounts } from "./judge-counts.ts";
import type { JudgeDropReason, JudgeStats } from "./judge-stats.ts";
import type { JudgeTask } from "./judge-task.ts";
import type { Judged, JudgedCounts, JudgeWork } from "./judge-work.ts";
import { TaskQueue, type JudgeUnit } from "./task-queue.ts";

/** An answer waits no longer than this. */
const MAX_WAIT_MILLIS = 60 * 60_000;
/** Drops of one turn of the event loop; each may be a line in a journal. */
const MAX_DROPS_PER_TURN = 100;

/** A unit whose caller waits for it. */
interface Draft extends JudgeUnit {
  /** Gives the judgement, or nothing for one that was not made. */
  readonly resolve: (judged: Judged | undefined) => void;
}

type Unit = JudgeUnit & Partial<Draft>;

const NO_COUNTS: JudgedCounts = { findings: 0, confirmed: 0, contradicted: 0 };

const DROP_MESSAGES: Readonly<Record<JudgeDropReason, string>> = {
  queue_full:
    "too many answers wait for the judge: raise maxPending, maxPerMinute or maxConcurrency",
  budget: "the judge's dailyBudget is spent",
  circuit_open: "the judge's model is away, and a draft can't wait",
  failed: "the judge's model has given no judgement",
  too_old: "answers have waited too long for the judge",
  shutdown: "answers still waited for the judge at shutdown",
};

/** Has answers judged by the caller's model, within bounds: beside the application, which waits for nothing. */
export class Judge {
  readonly #work: JudgeWork;
  readonly #queue: TaskQueue;
  readonly #counts = new JudgeCounts();
  readonly #model: BoundedModel;
  /** Asked first, the oldest first. */
  readonly #drafts = new Set<Draft>();
  readonly #inFlight = new Map<Unit, AbortController>();
  #isClosed = false;
  #isRecovering = false;
  #isAwake = false;
  #cancelTimer: (() => void) | undefined;
  #idle: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(work: JudgeWork) {
    this.#work = work;
    this.#queue = new TaskQueue(work.options.maxPending);
    this.#model = new BoundedModel(work, this.#counts);
    if (work.journal) void this.#recover(work.journal);
  }

  /** Tells whether answers wait for a judgement. */
  get isBusy(): boolean {
    return !this.#isClosed && (this.#isRecovering || this.#counts.pending > 0);
  }

  /** Has an answer judged later. Never throws. */
  submit(task: JudgeTask): void {
    this.#counts.submit(task.families.length);
    if (this.#isClosed) this.#counts.drop("shutdown", task.families.length);
    else if (!this.#queue.hasRoomFor(task)) this.#drop("queue_full", task.families.length);
    else this.#add(task, this.#work.journal?.add(task) ?? false);
  }

  /**
   * Has an answer judged at once: ahead of those that wait, within the bounds of rate, budget and concurrency. It is neither told
   * nor kept in a journal. Never rejects.
   *
   * @param signal - Gives up what is not judged yet.
   * @returns The judgements that were made; fewer than families if some were not.
   */
  async judgeNow(task: JudgeTask, signal?: AbortSignal): Promise<readonly Judged[]> {
    this.#counts.submit(task.families.length);
    const queuedAt = this.#work.clock.monotonic();
    const judged = await Promise.all(
      task.families.map(
        (family) =>
          new Promise<Judged | undefined>((resolve) => {
            this.#addDraft({ task, family, queuedAt, isKept: false, resolve }, signal);
          }),
      ),
    );
    return judged.filter((one) => one !== undefined);
  }

  /**
   * Resolves when everything is judged and told, or the deadline has passed; the process stays until then.
   *
   * @param timeoutMillis - Default: no deadline; the process stays for a minute at most then.
   */
  async settled(timeoutMillis: number | undefined): Promise<void> {
    if (!this.isBusy) return;
    const { clock } = this.#work;
    this.#idle ??= toDeferred();
    await keepAliveUntil(
      clock,
      withDeadline(clock, this.#idle.promise, timeoutMillis),
      timeoutMillis,
    );
  }

  /** Gives what became of answers so far. */
  stats(): JudgeStats {
    return this.#counts.toStats({ state: this.#model.isAway ? "open" : "closed" });
  }

  /** Asks no more: calls are aborted, and what waits is dropped unless a journal has it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer?.();
    const waiting: Unit[] = [...this.#inFlight.keys(), ...this.#drafts, ...this.#queue.drain()];
    const lost = waiting.filter(({ isKept }) => !isKept);
    if (lost.length > 0) this.#drop("shutdown", lost.length);
    for (const controller of this.#inFlight.values()) controller.abort();
    for (const { resolve } of waiting) resolve?.(undefined);
    this.#inFlight.clear();
    this.#drafts.clear();
    this.#idle?.resolve();
    this.#work.journal?.close();
  }

  #add(task: JudgeTask, isKept: boolean): void {
    this.#queue.add({ task, queuedAt: this.#work.clock.monotonic(), isKept });
    this.#wake();
  }

  #addDraft(draft: Draft, signal: AbortSignal | undefined): void {
    if (this.#isClosed) return this.#dropUnit(draft, "shutdown");
    if (signal?.aborted) return this.#dropUnit(draft, "too_old");
    if (this.#model.isAway) return this.#dropUnit(draft, "circuit_open");
    if (this.#drafts.size >= this.#work.options.maxPending)
      return this.#dropUnit(draft, "queue_full");
    this.#drafts.add(draft);
    signal?.addEventListener("abort", () => this.#giveUp(draft), { once: true });
    this.#wake();
  }

  #giveUp(draft: Draft): void {
    this.#inFlight.get(draft)?.abort();
    if (this.#drafts.delete(draft)) this.#dropUnit(draft, "too_old");
  }

  async #recover(journal: NonNullable<JudgeWork["journal"]>): Promise<void> {
    this.#isRecovering = true;
    const tasks = await journal.recover();
    this.#isRecovering = false;
    for (const task of this.#isClosed ? [] : tasks) {
      this.#counts.recover(task.families.length);
      if (this.#queue.hasRoomFor(task)) this.#add(task, true);
      else this.#dropTask(task, "queue_full");
    }
    this.#rest();
  }

  /** Looks soon for what can be asked: never while somebody hands over an answer. */
  #wake(): void {
    if (this.#isAwake || this.#isClosed) return;
    this.#isAwake = true;
    setImmediate(() => {
      this.#isAwake = false;
      this.#next();
    });
  }

  /** Asks one thing, if something waits and may be asked now; a request takes its time to be written. */
  #next(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#model.isAway) this.#dropDrafts();
    for (let drops = 0; drops < MAX_DROPS_PER_TURN; drops++) {
      if (!this.#mayTake()) return;
      const unit = this.#take();
      if (!unit) return this.#rest();
      const reason = this.#toDropReason(unit);
      if (!reason) {
        void this.#judge(unit);
        break;
      }
      this.#dropUnit(unit, reason);
    }
    this.#wake();
  }

  /** Tells whether something can be taken now; else comes back when it can. */
  #mayTake(): boolean {
    const { clock, options } = this.#work;
    const isProbing = this.#model.isAway && this.#inFlight.size > 0;
    if (this.#isClosed || isProbing || this.#inFlight.size >= options.maxConcurrency) return false;
    if (this.#drafts.size === 0 && this.#queue.isEmpty) {
      this.#rest();
      return false;
    }
    const { waitMillis, isSpent } = this.#model;
    if (waitMillis === 0 || isSpent) return true;
    this.#cancelTimer = clock.schedule(() => this.#next(), waitMillis);
    return false;
  }

  #take(): Unit | undefined {
    const [draft] = this.#drafts;
    if (!draft) return this.#queue.take();
    this.#drafts.delete(draft);
    return draft;
  }

  #toDropReason({ queuedAt }: Unit): JudgeDropReason | undefined {
    const { clock } = this.#work;
    if (clock.monotonic() - queuedAt > MAX_WAIT_MILLIS) return "too_old";
    return this.#model.isSpent ? "budget" : undefined;
  }

  async #judge(unit: Unit): Promise<void> {
    const controller = new AbortController();
    this.#inFlight.set(unit, controller);
    const judged = await this.#model.ask(unit, controller.signal);
    // What was closed is counted.
    if (!this.#inFlight.delete(unit)) return;
    this.#conclude(unit, judged);
    this.#wake();
  }

  #conclude(unit: Unit, judged: Judged | undefined): void {
    const failure = judged ? judged.judgement.failure : "error";
    if (judged && failure === undefined) this.#tell(unit, judged);
    else if (failure === "closed") this.#dropUnit(unit, "too_old");
    else if (failure !== "rate_limited") this.#dropUnit(unit, "failed");
    else if (unit.resolve) this.#dropUnit(unit, "circuit_open");
    else this.#queue.putBack(unit);
  }

  #tell(unit: Unit, judged: Judged): void {
    if (unit.resolve) {
      this.#counts.judge(NO_COUNTS);
      unit.resolve(judged);
    } else {
      this.#counts.judge(this.#toCounts(judged));
      this.#finish(unit);
    }
    this.#rest();
  }

  #toCounts(judged: Judged): JudgedCounts {
    try {
      return this.#work.onJudged(judged);
    } catch (error) {
      this.#work.log.log(
        "error",
        "judge_error",
        `a judgement can't be told: ${toErrorName(error)}`,
      );
      return NO_COUNTS;
    }
  }

  #dropDrafts(): void {
    for (const draft of this.#drafts) this.#dropUnit(draft, "circuit_open");
    this.#drafts.clear();
  }

  #dropTask(task: JudgeTask, reason: JudgeDropReason): void {
    this.#drop(reason, task.families.length);
    for (const family of task.families) this.#finish({ task, family, isKept: true });
  }

  #dropUnit(unit: Unit, reason: JudgeDropReason): void {
    this.#drop(reason, 1);
    this.#finish(unit);
    unit.resolve?.(undefined);
    this.#rest();
  }

  #drop(reason: JudgeDropReason, units: number): void {
    this.#counts.drop(reason, units);
    const judgements = countNoun(units, "judgement is dropped", "judgements are dropped");
    const message = `${judgements}: ${DROP_MESSAGES[reason]}`;
    this.#work.log.log("warn", `judge_${reason}`, message, undefined, units);
  }

  #finish({ task, family, isKept }: Pick<Unit, "task" | "family" | "isKept">): void {
    if (isKept) this.#work.journal?.finish(task.answer.eventId, family);
  }

  /** Says so when nothing is left. */
  #rest(): void {
    if (this.isBusy) return;
    this.#model.rest();
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}

function toDeferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
