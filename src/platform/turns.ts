/**
 * Work that may pause wherever it yields: nothing, so that other work has its turn, or a promise, whose result it
 * goes on with.
 */
export type Steps<Result> = Generator<Promise<unknown> | void, Result, unknown>;

/** Longest time that one piece of work holds the process before other work has its turn. */
const TURN_MILLIS = 10;

/** Runs work to its end at once; for work that waits for no promise. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value)
      throw new Error("platform: expected work that waits for nothing, got a promise");
  }
}

/** Does some work for each item, one after the other, and returns the results. */
export function* mapSteps<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Steps<Result>,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}

/** Runs work to its end without a pause, but for the promises that it waits for. */
export async function followSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = step.value ? await resume(steps, step.value) : steps.next();
  return step.value;
}

/** Continues work with what a promise resolves to, or with its error. */
async function resume<Result>(
  steps: Steps<Result>,
  promise: Promise<unknown>,
): Promise<ReturnType<Steps<Result>["next"]>> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/** Clock of turns, and the pause between them. */
export interface TurnOptions {
  /** Milliseconds since any time. */
  readonly now?: () => number;
  readonly afterOthers?: (next: () => void) => void;
}

/**
 * Creates the order of turns of one process.
 *
 * One piece of work at a time: a hundred large requests block the process no longer than one, only more often.
 */
export function createTurns({
  now = () => performance.now(),
  afterOthers = (next) => void setImmediate(next),
}: TurnOptions = {}) {
  /** Each runs a turn and returns whether there is more to do. */
  const waiting: (() => boolean)[] = [];
  let isRunning = false;

  const runNext = (): void => {
    const turn = waiting.shift();
    if (turn?.() === true) waiting.push(turn);
    isRunning = waiting.length > 0;
    if (isRunning) afterOthers(runNext);
  };

  const enqueue = (turn: () => boolean): void => {
    waiting.push(turn);
    if (isRunning) return;
    isRunning = true;
    afterOthers(runNext);
  };

  return {
    /** Runs a piece of work to its end, in turns with the rest; while it waits for a promise, it has none. */
    take: <Result>(steps: Steps<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        let next = () => steps.next();
        const goOn = (how: typeof next): void => {
          next = how;
          enqueue(turn);
        };
        const turn = (): boolean => {
          const end = now() + TURN_MILLIS;
          try {
            let step = next();
            while (step.done !== true && !step.value && now() < end) step = steps.next();
            next = () => steps.next();
            if (step.done === true) resolve(step.value);
            if (step.done === true || !step.value) return step.done !== true;
            step.value.then(
              (value) => goOn(() => steps.next(value)),
              (error: unknown) => goOn(() => steps.throw(error)),
            );
            return false;
          } catch (error) {
            reject(error);
            return false;
          }
        };
        enqueue(turn);
      }),
  };
}

/** Runs the work of all requests, a little of each at a time. */
export type Turns = ReturnType<typeof createTurns>;
