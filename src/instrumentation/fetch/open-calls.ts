import type { Clock } from "../../util/clock.ts";
import type { ObservedCall } from "./observed-call.ts";

const MAX_CALLS = 10_000;
const SWEEP_MILLIS = 1000;

/** Knows the calls that are not over, and ends those that wait in vain; bounded. */
export class OpenCalls {
  readonly #calls = new Set<ObservedCall>();
  readonly #clock: Clock;
  readonly #expire: (call: ObservedCall) => void;
  #cancelSweep: (() => void) | undefined;

  /** @param expire - Ends a call; must not throw. */
  constructor(clock: Clock, expire: (call: ObservedCall) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  get size(): number {
    return this.#calls.size;
  }

  add(call: ObservedCall): void {
    this.#calls.add(call);
    if (this.#calls.size > MAX_CALLS) {
      const [oldest] = this.#calls;
      if (oldest) this.#end(oldest);
    }
    this.#schedule();
  }

  delete(call: ObservedCall): void {
    this.#calls.delete(call);
  }

  /** Ends calls that wait for another attempt; with `isLast` the others as well. */
  flush(isLast: boolean): void {
    for (const call of this.#calls) if (isLast || call.isHeld) this.#end(call);
    if (!isLast) return;
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #end(call: ObservedCall): void {
    this.#calls.delete(call);
    this.#expire(call);
  }

  /** One timer for all calls; it does not hold the process. */
  #schedule(): void {
    this.#cancelSweep ??= this.#clock.schedule(() => {
      this.#cancelSweep = undefined;
      const now = this.#clock.monotonic();
      for (const call of this.#calls) if (call.deadline <= now) this.#end(call);
      if (this.#calls.size > 0) this.#schedule();
    }, SWEEP_MILLIS);
  }
}
