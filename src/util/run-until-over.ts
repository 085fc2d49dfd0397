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
