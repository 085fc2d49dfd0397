import { performance } from "node:perf_hooks";

/** Longest delay that `setTimeout` takes; it runs anything longer at once. */
export const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/** Time source of the SDK; tests pass their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as an integer. */
  now(): number;
  /** Milliseconds that only ever grow: for waits and durations. */
  monotonic(): number;
  /**
   * Runs a callback once after a delay.
   *
   * A longer delay than {@link LONGEST_TIMER_MILLIS} is shortened to it. The timer does not keep the process alive unless `keepAlive` is set.
   *
   * @returns Cancels the timer.
   */
  schedule(callback: () => void, delayMillis: number, keepAlive?: boolean): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(callback, delayMillis, keepAlive = false) {
    const timer = setTimeout(callback, Math.min(delayMillis, LONGEST_TIMER_MILLIS));
    if (!keepAlive) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits for a time, or until the signal fires; resolves in both cases. */
export function sleep(clock: Clock, delayMillis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.schedule(finish, delayMillis);
    signal.addEventListener("abort", finish);
  });
}

/** A server may ask for a wait of minutes; a program that has otherwise ended need not honour it. */
const MAX_KEEP_ALIVE_MILLIS = 60_000;

/**
 * Keeps the process alive until a promise settles, or a time has passed. Default: a minute.
 *
 * The SDK's own timers and sockets don't; a caller that awaits a flush at the end of its program must
 * still get the result.
 */
export async function keepAliveUntil<T>(
  clock: Clock,
  promise: Promise<T>,
  maxMillis: number = MAX_KEEP_ALIVE_MILLIS,
): Promise<T> {
  const release = clock.schedule(() => undefined, maxMillis, true);
  try {
    return await promise;
  } finally {
    release();
  }
}

/** Resolves with the promise, or with `undefined` when the deadline passes first. */
export async function withDeadline<T>(
  clock: Clock,
  promise: Promise<T>,
  timeoutMillis: number | undefined,
): Promise<T | undefined> {
  if (timeoutMillis === undefined) return promise;
  let cancel = (): void => undefined;
  const deadline = new Promise<undefined>((resolve) => {
    cancel = clock.schedule(() => resolve(undefined), timeoutMillis);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    cancel();
  }
}

/** Starts a countdown in ms; the returned function returns the time left. `undefined` is no limit. */
export function startCountdown(clock: Clock, millis: number): () => number;
export function startCountdown(clock: Clock, millis: number | undefined): () => number | undefined;
export function startCountdown(clock: Clock, millis: number | undefined): () => number | undefined {
  const startedAt = clock.monotonic();
  return () => millis && Math.max(0, millis - (clock.monotonic() - startedAt));
}
