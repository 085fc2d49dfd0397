import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../util/clock.ts";
import type { BoundedModel } from "./bounded-model.ts";
import type { JudgeDropReason } from "./judge-stats.ts";
import type { Judged } from "./judge-work.ts";
import type { JudgeUnit, TaskQueue } from "./task-queue.ts";

/** Drops of one turn of the event loop; each may be a line in a journal. */
const MAX_DROPS_PER_TURN = 100;

/** Outcome of asking the model about a unit. */
export interface Outcome {
  readonly unit: JudgeUnit;
  /** `undefined` when no request could be made of it. */
  readonly judged: Judged | undefined;
  /** Whether the model was away, and this call checked whether it is back. */
  readonly isProbe: boolean;
}

/** Options of a UnitRunner. */
export interface UnitRunnerOptions {
  readonly queue: TaskQueue;
  readonly model: BoundedModel;
  readonly clock: Clock;
  readonly maxConcurrency: number;
  /** Returns the reason why a unit is not asked at all. */
  readonly toDropReason: (unit: JudgeUnit) => JudgeDropReason | undefined;
  readonly onDropped: (unit: JudgeUnit, reason: JudgeDropReason) => void;
  readonly onOutcome: (outcome: Outcome) => void;
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
    onOutcome({ unit, judged, isProbe });
    this.wake();
  }
}
