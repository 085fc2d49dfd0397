import type { Clock } from "./clock.ts";

/** How long tasks wait for others, so that many are done at a time. */
const DELAY_MILLIS = 20;
/** An application that never lets go has its tasks done in between. */
const MAX_TASKS = 1000;

/** Does things a moment later, when the application has gone on; in order; what fails costs only itself. */
export class DeferredTasks {
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  #tasks: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;
  #isSoon = false;
  #isRunning = false;

  /** @param onProblem - Is told what a task throws. */
  constructor(clock: Clock, onProblem: (error: unknown) => void) {
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  /**
   * Adds a task; the process stays until it is done.
   *
   * @param isSoon - Whether it waits for nothing but the application to go on, and all that waits with it.
   */
  add(task: () => void, isSoon = false): void {
    this.#tasks.push(task);
    if (this.#isRunning) return;
    if (this.#tasks.length >= MAX_TASKS) this.run();
    else if (isSoon && !this.#isSoon) this.#schedule(0);
    else if (!this.#cancelTimer) this.#schedule(DELAY_MILLIS);
  }

  /** Does now what waits, and what is added by that. */
  run(): void {
    if (this.#isRunning) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isSoon = false;
    this.#isRunning = true;
    // Grows as it is gone through.
    for (const task of this.#tasks) {
      try {
        task();
      } catch (error) {
        this.#onProblem(error);
      }
    }
    this.#tasks = [];
    this.#isRunning = false;
  }

  #schedule(millis: number): void {
    this.#cancelTimer?.();
    this.#isSoon = millis === 0;
    this.#cancelTimer = this.#clock.schedule(() => this.run(), millis, true);
  }
}
