import type { Clock } from "../../src/util/clock.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on and runs every timer that is due, in order; lets promises settle after each. */
  advance(millis: number): Promise<void>;
  /** Moves the wall clock alone, as an administrator would. */
  jump(millis: number): void;
  /** Delays of the timers that were scheduled, oldest first. */
  readonly scheduled: number[];
  readonly pending: number;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let wall = start;
  let elapsed = 0;
  const timers = new Set<Timer>();
  const scheduled: number[] = [];
  return {
    scheduled,
    get pending() {
      return timers.size;
    },
    now: () => wall,
    monotonic: () => elapsed,
    schedule(callback, delayMillis) {
      const timer = { due: elapsed + delayMillis, callback };
      timers.add(timer);
      scheduled.push(delayMillis);
      return () => timers.delete(timer);
    },
    jump(millis) {
      wall += millis;
    },
    async advance(millis) {
      const end = elapsed + millis;
      await settle();
      for (;;) {
        const next = [...timers]
          .filter(({ due }) => due <= end)
          .toSorted((a, b) => a.due - b.due)[0];
        if (!next) break;
        timers.delete(next);
        wall += next.due - elapsed;
        elapsed = next.due;
        next.callback();
        await settle();
      }
      wall += end - elapsed;
      elapsed = end;
      await settle();
    },
  };
}
