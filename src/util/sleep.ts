import { LONGEST_TIMER_MILLIS, type Clock } from "./clock.ts";

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

/**
 * Keeps the process alive until a promise settles.
 *
 * The SDK's own timers and sockets don't; a caller that awaits a flush at the end of its program must
 * still get the answer.
 */
export async function keepAliveUntil<T>(clock: Clock, promise: Promise<T>): Promise<T> {
  const release = clock.schedule(() => undefined, LONGEST_TIMER_MILLIS, true);
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
