/** When runs begin, milliseconds since the Unix epoch: a time that nothing else names. */
const RUN_START = Date.UTC(2027, 0, 15, 8);
const RUN_MILLIS = 30 * 24 * 60 * 60_000;
/** Longer than anything that is measured in a run. */
const STEP_MILLIS = 4096;

/** Creates a wall clock of which each reading is far from the one before. */
export function createRisingClock(): () => number {
  let now = RUN_START;
  return () => (now += STEP_MILLIS);
}

/**
 * Gives the reading of the clock that a time is, or was computed from by adding something that was measured: two times of
 * one reading are so in every run.
 *
 * @returns `undefined` for a number that is no time of a run.
 */
export function toReading(millis: number): number | undefined {
  const passed = millis - RUN_START;
  return passed >= 0 && passed < RUN_MILLIS ? Math.floor(passed / STEP_MILLIS) : undefined;
}
