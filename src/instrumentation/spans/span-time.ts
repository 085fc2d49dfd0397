import type { HrTime } from "@opentelemetry/api";
import { systemClock, type Clock } from "../../util/clock.ts";

/** Gives a time as OpenTelemetry writes it. @param time - Milliseconds since the Unix epoch, or written so already. */
export function toHrTime(time: HrTime | number): HrTime {
  if (typeof time !== "number") return time;
  const seconds = Math.floor(time / 1e3);
  return [seconds, Math.round((time - seconds * 1e3) * 1e6)];
}

/** The time of one call or run, from its start on: to the microsecond, and it never goes back. */
export class SpanTime {
  readonly start: HrTime;
  /** Monotonic ms of the start. */
  readonly startMonotonic: number;
  readonly #clock: Clock;
  readonly #startMillis: number;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#startMillis = clock.now();
    this.startMonotonic = clock.monotonic();
    this.start = toHrTime(this.#startMillis);
  }

  /** Gives the time at so many monotonic ms. @defaultValue now */
  at(monotonic = this.#clock.monotonic()): HrTime {
    return toHrTime(this.#startMillis + Math.max(0, monotonic - this.startMonotonic));
  }
}
