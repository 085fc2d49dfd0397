import type { Clock } from "../../util/clock.ts";

const MEMORY_MILLIS = 86_400_000;
const SAMPLE_MILLIS = 60_000;

interface Sample {
  /** Milliseconds since an arbitrary moment. */
  readonly monotonic: number;
  /** What the clock says beyond that: it changes only where the clock is set. */
  readonly offset: number;
}

/**
 * Creates a time for what can't be undone: the earliest of what the clock has said within a day, carried on to now.
 *
 * A clock that is set back counts at once, one that is set forward only after a day in which nobody has corrected it.
 */
export function createSteadyTime(clock: Pick<Clock, "now" | "monotonic">) {
  // By time, and so by offset: a later one that is no greater makes those before it needless.
  let samples: Sample[] = [];

  /** Returns milliseconds since the Unix epoch; to be asked now and then, as what it was not asked it doesn't know. */
  return (): number => {
    const monotonic = clock.monotonic();
    const wall = clock.now();
    const offset = wall - monotonic;
    samples = samples.filter(
      (sample) => monotonic - sample.monotonic <= MEMORY_MILLIS && sample.offset < offset,
    );
    const last = samples.at(-1);
    if (!last || monotonic - last.monotonic >= SAMPLE_MILLIS) samples.push({ monotonic, offset });
    const lowest = samples[0]?.offset ?? offset;
    return Math.floor(Math.min(wall, lowest + monotonic));
  };
}

/** Time that retention goes by. */
export type SteadyTime = ReturnType<typeof createSteadyTime>;
