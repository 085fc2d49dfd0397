import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";

/** Time in ms after which the application has its turn: with a garbage collection on top, of 12, it stays below 15. */
const SLICE_MILLIS = 2;
/** Wait between two slices that nobody waits for: the application is starting, and needs most of the time. */
const REST_MILLIS = 5;
/** What may wait; beyond, the rest is prepared at once. */
const MAX_TASKS = 1000;
const MAX_TASK_CHARACTERS = 8 * 1024 * 1024;

/** What waits until all is prepared; it is called with whether it is, or was given up. */
export type PreparedTask = (isPrepared: boolean) => void;

/** What a Preparation works with. */
export interface PreparationOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Does a little, and returns whether there is nothing left to do. */
  readonly step: () => boolean;
  /** Whether nothing is left to do; it costs nothing to ask. */
  readonly isDone: () => boolean;
}

interface Waiting {
  readonly run: PreparedTask;
  readonly characters: number;
}

/**
 * Prepares something in slices between other work, and does afterwards, in order, what has to wait for it.
 *
 * The process may end while nothing waits; what waits is done first.
 */
export class Preparation {
  readonly #options: PreparationOptions;
  #tasks: Waiting[] = [];
  #taskCharacters = 0;
  #waiters: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;
  #isUrgent = false;
  #isRunningTask = false;
  #isClosed = false;

  constructor(options: PreparationOptions) {
    this.#options = options;
    this.resume();
  }

  /** Whether nothing has to wait. */
  get isDone(): boolean {
    return this.#tasks.length === 0 && this.#options.isDone();
  }

  /** Whether something waits for it. */
  get hasTasks(): boolean {
    return this.#tasks.length > 0;
  }

  /** Goes on when there is more to prepare. */
  resume(): void {
    if (this.#isClosed || this.#cancelTimer || this.isDone) return;
    this.#schedule();
  }

  /**
   * Does something as soon as all is prepared, behind what waits already.
   *
   * @param characters - About what it keeps in memory: when too much waits, everything is done at once.
   */
  defer(run: PreparedTask, characters: number): void {
    this.#tasks.push({ run, characters });
    this.#taskCharacters += characters;
    const isFull = this.#tasks.length >= MAX_TASKS || this.#taskCharacters >= MAX_TASK_CHARACTERS;
    if (isFull || this.#isClosed) this.finish();
    else this.#hurry();
  }

  /** Resolves when nothing has to wait, or nothing more will be done; the process stays until then. Never rejects. */
  ready(): Promise<void> {
    if (this.#isClosed || this.isDone) return Promise.resolve();
    const ready = new Promise<void>((resolve) => this.#waiters.push(resolve));
    this.#hurry();
    return ready;
  }

  /**
   * Does everything now.
   *
   * @param until - Monotonic milliseconds at which to stop.
   */
  finish(until = Infinity): void {
    // Asked for by what waited: it must not wait for itself.
    const { clock, step } = this.#options;
    if (this.#isRunningTask) {
      while (!step());
      return;
    }
    while (!this.#step()) if (until < Infinity && clock.monotonic() >= until) return;
    this.#settle();
  }

  /** Prepares nothing more, and calls what waits. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    while (this.#tasks.length > 0) this.#runTask(false);
    this.#settle();
  }

  /** Somebody waits: no rest between slices, and the process stays. */
  #hurry(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    this.#cancelTimer?.();
    this.#schedule();
  }

  #schedule(): void {
    const { clock } = this.#options;
    const delay = this.#isUrgent ? 0 : REST_MILLIS;
    this.#cancelTimer = clock.schedule(() => this.#runSlice(), delay, this.#isUrgent);
  }

  #runSlice(): void {
    const { clock } = this.#options;
    const until = clock.monotonic() + SLICE_MILLIS;
    while (!this.#step()) if (clock.monotonic() >= until) return this.#schedule();
    this.#settle();
  }

  /** Does a little; returns whether nothing is left. */
  #step(): boolean {
    if (!this.#options.step()) return false;
    if (this.#tasks.length > 0) this.#runTask(true);
    return this.isDone;
  }

  #runTask(isPrepared: boolean): void {
    const task = this.#tasks.shift();
    if (!task) return;
    this.#taskCharacters -= task.characters;
    this.#isRunningTask = true;
    try {
      task.run(isPrepared);
    } catch (error) {
      const message = `what waited for the rules failed (${toErrorName(error)})`;
      this.#options.log.log("error", "internal:preparation", message);
    } finally {
      this.#isRunningTask = false;
    }
  }

  #settle(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isUrgent = false;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
