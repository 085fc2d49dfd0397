/** Work that is done a little at a time, or the rest of it at once. */
export interface Stepwise<Result> {
  /** Tells whether all is done, and does nothing. */
  isDone(): boolean;
  /**
   * Does a little, and tells whether all is done.
   *
   * @throws what the work throws; the next call begins it anew.
   */
  step(): boolean;
  /** Does the rest, and gives what the work has made; afterwards it only gives that. @throws as `step` does. */
  finish(): Result;
}

/** Steps towards a result; each `yield` is a place to stop at. */
export type Steps<Result> = Generator<void, Result, void>;

/** Makes work that is done once, whoever asks for a step of it. */
export function createStepwise<Result extends object>(work: () => Steps<Result>): Stepwise<Result> {
  let steps: Steps<Result> | undefined;
  let result: Result | undefined;
  const step = (): boolean => {
    if (result) return true;
    steps ??= work();
    try {
      const { done, value } = steps.next();
      if (done !== true) return false;
      result = value;
    } catch (error) {
      steps = undefined;
      throw error;
    }
    steps = undefined;
    return true;
  };
  return {
    isDone: () => result !== undefined,
    step,
    finish() {
      for (;;) {
        if (result) return result;
        step();
      }
    },
  };
}
