import type { AnswerCheck } from "../assessment/answer-check.ts";
import type { PlatformPath } from "../delivery/platform-path.ts";
import { startCountdown, type Clock } from "../util/clock.ts";

/** Follows events to their end. */
export type CheckedConfirmations = Pick<PlatformPath, "expect" | "confirm">;

/** What it works with. */
export interface ConfirmCheckedOptions {
  readonly platform: CheckedConfirmations;
  readonly answerCheck: AnswerCheck;
  readonly clock: Clock;
}

/** Follows events to their end, of which an answer's begins with its check. */
export function confirmChecked(options: ConfirmCheckedOptions): CheckedConfirmations {
  const { platform, answerCheck, clock } = options;
  return {
    expect: (sequence) => platform.expect(sequence),
    confirm: async (events, timeoutMillis) => {
      const remaining = startCountdown(clock, timeoutMillis);
      await answerCheck.settled(timeoutMillis);
      return platform.confirm(events, remaining());
    },
  };
}
