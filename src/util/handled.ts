/** Gives a promise whose rejection harms nothing where nobody waits for it; whoever does gets it all the same. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
