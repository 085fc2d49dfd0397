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

/** Gives a promise whose rejection harms nothing where nobody waits for it; whoever does gets it all the same. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

interface Wait {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function createWait(): Wait {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Something that happens now and then, and that can be waited for. */
export class Occasion {
  #next: Wait | undefined;

  /** Resolves when it happens the next time. */
  wait(): Promise<void> {
    this.#next ??= createWait();
    return this.#next.promise;
  }

  /** It happens: whoever waits goes on. */
  happen(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }
}

/**
 * Runs a function and does something when it is over: when the promise that it returns is settled, else when it returns.
 *
 * A promise of the language is handed on as one that settles alike: to look on from aside would hide a rejection that
 * nobody handles. Other objects with a `then` stay what they are, because many begin to work only when it is called.
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
