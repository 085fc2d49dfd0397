import type { Clock } from "../../util/clock.ts";
import type { Steps } from "../turns.ts";

/** A clock that is moved on: what goes by it does the same again when it is moved in the same way. */
export interface VirtualClock extends Clock {
  /** When the next timer is due; infinity for none. */
  readonly nextDue: number;
  /** Moves time on, and runs every timer that is due, in order. Time never goes back. */
  advance(to: number): Steps<void>;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** Creates a clock that stands at the Unix epoch. */
export function createVirtualClock(): VirtualClock {
  let now = 0;
  // Few: one for each organization.
  const timers = new Set<Timer>();

  const findNext = (): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) if (!next || timer.due < next.due) next = timer;
    return next;
  };

  return {
    now: () => now,
    monotonic: () => now,
    schedule(callback, delayMillis) {
      const timer = { due: now + Math.ceil(delayMillis), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get nextDue() {
      return findNext()?.due ?? Infinity;
    },
    *advance(to) {
      for (let next = findNext(); next && next.due <= to; next = findNext()) {
        timers.delete(next);
        now = Math.max(now, next.due);
        next.callback();
        yield;
      }
      now = Math.max(now, to);
    },
  };
}
