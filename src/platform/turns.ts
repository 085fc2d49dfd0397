/** Work that may pause wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

/** Longest time that one piece of work holds the process before other work has its turn. */
const TURN_MILLIS = 10;

/** Runs work to its end at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
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

  return {
    /** Runs a piece of work to its end, in turns with the rest. */
    take: <Result>(steps: Steps<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          const end = now() + TURN_MILLIS;
          try {
            let step = steps.next();
            while (step.done !== true && now() < end) step = steps.next();
            if (step.done === true) resolve(step.value);
            return step.done !== true;
          } catch (error) {
            reject(error);
            return false;
          }
        });
        if (isRunning) return;
        isRunning = true;
        afterOthers(runNext);
      }),
  };
}

/** Runs the work of all requests, a little of each at a time. */
export type Turns = ReturnType<typeof createTurns>;
