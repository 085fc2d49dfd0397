import type { Clock } from "../../util/clock.ts";

const MEMORY_MILLIS = 86_400_000;
const SAMPLE_MILLIS = 60_000;

interface Sample {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * Creates a time for what can't be undone: the earliest of what the clock has said within a day, carried on to now.
 *
 * A clock that is set back counts at once, one that is set forward only after a day in which nobody has corrected it.
 */
export function createSteadyTime(clock: Pick<Clock, "now" | "monotonic">) {
  let samples: Sample[] = [];

  /** Returns milliseconds since the Unix epoch; to be asked now and then, as what it was not asked it doesn't know. */
  return (): number => {
    const now: Sample = { wall: clock.now(), monotonic: clock.monotonic() };
    samples = samples.filter(({ monotonic }) => now.monotonic - monotonic <= MEMORY_MILLIS);
    const last = samples.at(-1);
    if (!last || now.monotonic - last.monotonic >= SAMPLE_MILLIS || now.wall < last.wall)
      samples.push(now);
    const carried = samples.map(({ wall, monotonic }) => wall + now.monotonic - monotonic);
    return Math.floor(Math.min(now.wall, ...carried));
  };
}

/** Time that retention goes by. */
export type SteadyTime = ReturnType<typeof createSteadyTime>;
