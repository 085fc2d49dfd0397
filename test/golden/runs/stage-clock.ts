import { systemClock } from "../../../src/util/clock.ts";
import { createFakeClock, type FakeClock } from "../../helpers/clock.ts";

/** A clock that stands still until a scenario moves it. */
export interface StageClock extends Pick<FakeClock, "advance" | "jump"> {
  /** Lets time pass in which nothing runs, as when a machine sleeps: no timer is due the sooner for it. */
  readonly sleep: (millis: number) => void;
}

/** Wall-clock time at which everything is played, later than that of any spool that is committed. */
export const STAGE_START = Date.UTC(2026, 0, 2);
/** A shorter wait ends by itself; the end of a longer one is up to the scenario. */
const SHORT_MILLIS = 50;

/**
 * Plays something by a clock that stands still: how busy the machine is changes nothing.
 *
 * The system's own clock is replaced, since a monitor takes no other; deadlines of single requests run by real timers.
 */
export async function withStageClock<T>(play: (clock: StageClock) => Promise<T>): Promise<T> {
  const clock = createFakeClock(STAGE_START);
  let slept = 0;
  const system = { ...systemClock };
  const { random } = Math;
  Object.assign(systemClock, {
    now: () => clock.now() + slept,
    monotonic: () => clock.monotonic() + slept,
    schedule: (...timer: Parameters<typeof system.schedule>) =>
      timer[1] < SHORT_MILLIS ? system.schedule(...timer) : clock.schedule(...timer),
  });
  Math.random = () => 0;
  try {
    return await play({ ...clock, sleep: (millis) => void (slept += millis) });
  } finally {
    Object.assign(systemClock, system);
    Math.random = random;
  }
}
