import { keepAliveUntil, withDeadline } from "../util/clock.ts";
import { countNoun } from "../util/count-noun.ts";
import { Occasion } from "../util/deferred-tasks.ts";
import { toErrorName } from "../util/logger.ts";
import { BoundedModel, UnitRunner } from "./bounded-model.ts";
import { JournalWatch, type JudgeUnit, TaskQueue } from "./task-queue.ts";
import { JudgeCounts, type JudgeDropReason, type JudgeStats } from "./judge-stats.ts";
import type { JudgeTask } from "./judge-task.ts";
import { type JudgeWork, type Judged, type JudgedCounts, toProblem } from "./judgement.ts";

/** Longest wait of an answer. */
const MAX_WAIT_MILLIS = 60 * 60_000;
/** Tasks of an earlier process are not judged after this time. */
const MAX_AGE_MILLIS = 7 * 24 * 60 * 60_000;

const NO_COUNTS: JudgedCounts = { findings: 0, confirmed: 0, contradicted: 0 };

const DROP_MESSAGES: Readonly<Record<JudgeDropReason, string>> = {
  queue_full: "too many answers wait: raise maxPending, maxPerMinute or maxConcurrency",
  budget: "the dailyBudget is spent",
  circuit_open: "the model is away, and a draft can't wait",
  failed: "the model has given no judgement",
  too_old: "it has waited for too long",
  shutdown: "it still waited at shutdown",
};

/** A wait without a deadline ends after this time. */
const MAX_SETTLE_MILLIS = 60_000;

/**
 * Has answers judged by the caller's model, within bounds and off the application's path: the application never waits.
 *
 * Every submitted answer ends as judged or dropped, is pending, or is in the journal for the next process.
 */
export class Judge {
  readonly #work: JudgeWork;
  readonly #queue: TaskQueue;
  readonly #counts = new JudgeCounts();
  readonly #model: BoundedModel;
  readonly #runner: UnitRunner;
  readonly #left: JournalWatch | undefined;
  /** Happens when nothing is left to wait for. */
  readonly #idle = new Occasion();
  /** Happens when nothing can go on for now. */
  readonly #stall = new Occasion();
  #isClosed = false;

  constructor(work: JudgeWork) {
    const { options, clock, log, journal } = work;
    this.#work = work;
    this.#queue = new TaskQueue(options.maxPending);
    this.#model = new BoundedModel(work, this.#counts);
    this.#runner = new UnitRunner({
      queue: this.#queue,
      model: this.#model,
      clock,
      maxConcurrency: options.maxConcurrency,
      toDropReason: (unit) => this.#toDropReason(unit),
      onDropped: (unit, reason) => this.#dropUnasked(unit, reason),
      onOutcome: (...outcome) => this.#conclude(...outcome),
      onStalled: () => this.#stall.happen(),
    });
    if (!journal) return;
    this.#left = new JournalWatch({
      journal,
      clock,
      log,
      getRoom: () => (this.#model.isSpent ? 0 : this.#queue.room),
      onFound: (tasks) => this.#recover(tasks),
    });
  }

  /** Returns whether answers wait for a judgement. */
  get isBusy(): boolean {
    if (this.#isClosed) return false;
    return this.#counts.pending > 0 || this.#left?.isLooking === true;
  }

  /** Whether the judge has stopped. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Submits an answer to be judged later. Never throws. */
  submit(task: JudgeTask): void {
    const units = task.families.length;
    this.#counts.submit(units);
    if (this.#isClosed) return this.#drop("shutdown", units);
    if (!this.#queue.hasRoomFor(task)) return this.#drop("queue_full", units);
    this.#add(task, this.#keep(task));
  }

  /**
   * Judges an answer at once: ahead of those that wait, within the bounds of rate, budget and concurrency. It is neither reported
   * nor kept in a journal. Never rejects.
   *
   * @param signal - Returns up the families that are not judged yet.
   * @returns The judgements that were made; fewer than families if some were not.
   */
  async judgeNow(task: JudgeTask, signal?: AbortSignal): Promise<readonly Judged[]> {
    // The same task may be submitted twice.
    const draft = { ...task };
    this.#counts.submit(draft.families.length);
    const onAbort = (): void => this.#giveUp(draft);
    signal?.addEventListener("abort", onAbort, { once: true });
    const isLate = signal?.aborted === true;
    const units = draft.families.map((family) => this.#judgeDraft(draft, family, isLate));
    const judged = await Promise.all(units);
    signal?.removeEventListener("abort", onAbort);
    return judged.filter((one) => one !== undefined);
  }

  /**
   * Resolves when everything is judged and reported, or the deadline has passed; the process stays until then. Never rejects.
   *
   * @param timeoutMillis - Default: a minute at most, and only while judgements proceed: neither for a model that is away or wants
   *   to be left alone, nor for the next minute's calls.
   */
  async settled(timeoutMillis?: number): Promise<void> {
    const isPatient = timeoutMillis !== undefined;
    if (!this.isBusy || (!isPatient && this.#runner.isStalled)) return;
    const { clock } = this.#work;
    const ends = [this.#idle.wait(), ...(isPatient ? [] : [this.#stall.wait()])];
    const millis = timeoutMillis ?? MAX_SETTLE_MILLIS;
    await keepAliveUntil(clock, withDeadline(clock, Promise.race(ends), millis), millis);
  }

  /** Returns the counts so far. */
  stats(): JudgeStats {
    return this.#counts.toStats(this.#model.isAway ? "open" : "closed");
  }

  /** Stops: aborts the calls, and drops the waiting answers unless a journal has them. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#left?.close();
    const waiting = [...this.#runner.close(), ...this.#queue.drain()];
    const lost = waiting.filter(({ isKept }) => !isKept).length;
    if (lost > 0) this.#drop("shutdown", lost);
    for (const { resolve } of waiting) resolve?.(undefined);
    this.#rest();
    this.#work.journal?.close();
  }

  #keep(task: JudgeTask): boolean {
    const { journal } = this.#work;
    const isKept = journal?.add(task) ?? false;
    if (journal && !isKept) this.#counts.missKeeping(task.families.length);
    return isKept;
  }

  #add(task: JudgeTask, isKept: boolean, isRecovered = false): void {
    this.#queue.add({ task, queuedAt: this.#work.clock.monotonic(), isKept, isRecovered });
    this.#runner.wake();
  }

  /** Takes tasks of an earlier process. @returns Those for which there is no room now: they stay in the journal. */
  #recover(tasks: readonly JudgeTask[]): readonly JudgeTask[] {
    const { clock, journal } = this.#work;
    const now = clock.now();
    const maxAge = Math.min(MAX_AGE_MILLIS, journal?.maxAgeMillis ?? Infinity);
    const rest: JudgeTask[] = [];
    for (const task of tasks) {
      const units = task.families.length;
      if (now - task.at > maxAge) {
        this.#counts.recover(units);
        this.#drop("too_old", units);
        for (const family of task.families) this.#finish({ task, family, isKept: true });
      } else if (this.#model.isSpent || !this.#queue.hasRoomFor(task)) rest.push(task);
      else {
        this.#counts.recover(units);
        this.#add(task, true, true);
      }
    }
    this.#rest();
    return rest;
  }

  /** Drops a unit; one of an earlier process stays in the journal for another day. */
  #dropUnasked(unit: JudgeUnit, reason: JudgeDropReason): void {
    if (reason !== "budget" || unit.isRecovered !== true || !this.#left)
      return this.#dropUnit(unit, reason);
    this.#counts.recover(-1);
    this.#left.putBack({ ...unit.task, families: [unit.family] });
    this.#rest();
  }

  #judgeDraft(
    task: JudgeTask,
    family: JudgeUnit["family"],
    isLate: boolean,
  ): Promise<Judged | undefined> {
    const queuedAt = this.#work.clock.monotonic();
    return new Promise((resolve) => {
      const draft = { task, family, queuedAt, isKept: false, resolve };
      if (this.#isClosed) this.#dropUnit(draft, "shutdown");
      else if (isLate) this.#dropUnit(draft, "too_old");
      else if (this.#model.isAway) this.#dropUnit(draft, "circuit_open");
      else if (this.#queue.addDraft(draft)) this.#runner.wake();
      else this.#dropUnit(draft, "queue_full");
    });
  }

  #giveUp(task: JudgeTask): void {
    this.#runner.abort((unit) => unit.task === task);
    for (const draft of this.#queue.removeDrafts(task)) this.#dropUnit(draft, "too_old");
  }

  #toDropReason({ queuedAt, resolve }: JudgeUnit): JudgeDropReason | undefined {
    if (this.#work.clock.monotonic() - queuedAt > MAX_WAIT_MILLIS) return "too_old";
    if (this.#model.isSpent) return "budget";
    return resolve && this.#model.isAway ? "circuit_open" : undefined;
  }

  #conclude(unit: JudgeUnit, judged: Judged | undefined, isProbe: boolean): void {
    const failure = judged ? judged.judgement.failure : "error";
    if (judged && failure === undefined) this.#emit(unit, judged);
    else if (failure === "closed") this.#dropUnit(unit, "too_old");
    else if (failure === "rate_limited" && unit.resolve) this.#dropUnit(unit, "circuit_open");
    else if (failure === "rate_limited") this.#queue.putBack(unit);
    // The model is still away, which is no fault of the unit.
    else if (judged && isProbe) this.#queue.defer(unit);
    else {
      const call = judged?.judgement.failedCalls.at(-1);
      this.#dropUnit(unit, "failed", call && ` (${toProblem(call)})`);
    }
  }

  #emit(unit: JudgeUnit, judged: Judged): void {
    if (unit.resolve) {
      this.#counts.judge(NO_COUNTS);
      unit.resolve(judged);
    } else {
      this.#counts.judge(this.#toCounts(judged), unit.task.reason);
      this.#finish(unit);
    }
    this.#rest();
  }

  #toCounts(judged: Judged): JudgedCounts {
    const { onJudged, log } = this.#work;
    try {
      return onJudged(judged);
    } catch (error) {
      log.log("error", "judge_error", `a judgement can't be told: ${toErrorName(error)}`);
      return NO_COUNTS;
    }
  }

  #dropUnit(unit: JudgeUnit, reason: JudgeDropReason, detail?: string): void {
    this.#drop(reason, 1, detail);
    this.#finish(unit);
    unit.resolve?.(undefined);
    this.#rest();
  }

  #drop(reason: JudgeDropReason, units: number, detail = ""): void {
    this.#counts.drop(reason, units);
    const judgements = countNoun(units, "judgement is dropped", "judgements are dropped");
    const message = `the judge: ${judgements}: ${DROP_MESSAGES[reason]}${detail}`;
    this.#work.log.log("warn", `judge_${reason}`, message, undefined, units);
  }

  #finish({ task, family, isKept }: Pick<JudgeUnit, "task" | "family" | "isKept">): void {
    if (isKept) this.#work.journal?.finish(task.answer.eventId, family);
  }

  /** Notifies the waiting callers when nothing is left. */
  #rest(): void {
    if (this.isBusy) return;
    this.#model.rest();
    this.#idle.happen();
  }
}
