import type { Clock } from "./clock.ts";

/** Time that tasks wait for others, so that many run at once. */
const DELAY_MILLIS = 20;
/** Above this number tasks run at once, even if the application never yields. */
const MAX_TASKS = 1000;

/** Runs tasks a moment later, in order, when the application has continued; a failed task stops no other. */
export class DeferredTasks {
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  #tasks: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;
  #isSoon = false;
  #isRunning = false;

  /** @param onProblem - Called with the error that a task throws. */
  constructor(clock: Clock, onProblem: (error: unknown) => void) {
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  /**
   * Adds a task; the process stays until it is done.
   *
   * @param isSoon - Whether the task waits only until the application continues; all waiting tasks then run with it.
   */
  add(task: () => void, isSoon = false): void {
    this.#tasks.push(task);
    if (this.#isRunning) return;
    if (this.#tasks.length >= MAX_TASKS) this.run();
    else if (isSoon && !this.#isSoon) this.#schedule(0);
    else if (!this.#cancelTimer) this.#schedule(DELAY_MILLIS);
  }

  /** Runs the waiting tasks now, and those that they add. */
  run(): void {
    if (this.#isRunning) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isSoon = false;
    this.#isRunning = true;
    // The list grows during the loop.
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

/** Returns a promise whose rejection is harmless where nobody awaits it; callers that await it still get it. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** A recurring occasion that can be awaited. */
export class Occasion {
  #next: Promise<void> | undefined;
  #resolve = (): void => undefined;

  /** Resolves at the next occasion. */
  wait(): Promise<void> {
    return (this.#next ??= new Promise((resolve) => (this.#resolve = resolve)));
  }

  /** Resolves the promise that is waited for. */
  happen(): void {
    this.#resolve();
    this.#next = undefined;
  }
}

/**
 * Runs a function and calls `onOver` when it is over: when the promise that it returns is settled, else when it returns.
 *
 * A native promise is returned as one that settles alike: a handler on the side would hide a rejection that
 * nobody handles. Other objects with a `then` are returned unchanged, because many start only when it is called.
 */
export function runUntilOver<T>(run: () => T, onOver: () => void): T {
  let result: T;
  try {
    result = run();
  } catch (error) {
    onOver();
    throw error;
  }
  if (result instanceof Promise && Object.getPrototypeOf(result) === Promise.prototype) {
    return result.finally(onOver) as T;
  }
  onOver();
  return result;
}
