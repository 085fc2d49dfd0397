import type { Clock } from "./clock.ts";

/** How long tasks wait for others, so that many are done at a time. */
const DELAY_MILLIS = 20;
/** An application that never lets go has its tasks done in between. */
const MAX_TASKS = 1000;

/** Does things a moment later, when the application has gone on; in order; what fails costs only itself. */
export class Later {
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  #tasks: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;
  #isRunning = false;

  /** @param onProblem - Is told what a task throws. */
  constructor(clock: Clock, onProblem: (error: unknown) => void) {
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  /** Adds a task; the process stays until it is done. */
  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#isRunning) return;
    if (this.#tasks.length >= MAX_TASKS) this.run();
    else this.#cancelTimer ??= this.#clock.schedule(() => this.run(), DELAY_MILLIS, true);
  }

  /** Does now what waits, and what is added by that. */
  run(): void {
    if (this.#isRunning) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
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
}
