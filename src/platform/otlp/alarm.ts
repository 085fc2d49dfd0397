import type { Clock } from "../../util/clock.ts";

/** Creates what ends a wait before its time is over. */
export function createAlarm(clock: Clock) {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    /** Ends the wait, or the next one. */
    ring(): void {
      hasRung = true;
      wake?.();
    },
    /** Waits until it rings, or for a time in ms. */
    async wait(millis: number): Promise<void> {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const cancel = clock.schedule(resolve, millis);
          wake = () => {
            cancel();
            resolve();
          };
        });
      wake = undefined;
      hasRung = false;
    },
  };
}

/** Ends waits. */
export type Alarm = ReturnType<typeof createAlarm>;
