import type { ComplianceCategory } from "../events/compliance.ts";
import type { CheckedClaim, ClaimProblem } from "./check-claims.ts";
import type { JudgeReason } from "./judge-task.ts";
import type { JudgeUsage, ReplyFailure } from "./judge-reply.ts";

/** Why a family of rules was not judged. `rate_limited`: the model wants to be asked later; the unit is not at fault. */
export type JudgeFailure = ReplyFailure | "timeout" | "error" | "rate_limited" | "closed";

/** A call of the model that returned no judgement. */
export interface FailedCall {
  readonly failure: JudgeFailure;
  /** As the model's provider names it, `length`. */
  readonly finishReason?: string | undefined;
  /** The thrown error's class, and the HTTP status if it names one; never its message. */
  readonly thrown?: string | undefined;
}

/** Returns the log text of a failed call; it contains nothing of the request or the reply. */
export function toProblem(call: FailedCall | undefined): string {
  if (!call) return "unknown";
  const { failure, finishReason, thrown } = call;
  return [failure, thrown, ...(failure === "truncated" ? [finishReason] : [])]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** The model and prompt that judged: on every event and record of the judge's. */
export interface Evaluator {
  readonly id: "agent-monitor.judge";
  readonly type: "llm_judge";
  /** Version of the prompt. */
  readonly version: string;
  /** As its provider names it; absent if not reported. */
  readonly model?: string | undefined;
  /** `sha256:` and hex over the prompt with its rules. */
  readonly promptHash: string;
  /** Reason why the answer was judged; only on the judge's events and records. */
  readonly reason?: JudgeReason | undefined;
}

/** The judgement of one exchange by the rules of one family. */
export interface Judgement {
  readonly family: ComplianceCategory;
  readonly ruleIds: readonly string[];
  readonly evaluator: Evaluator;
  /** The model's claims that passed the checks; empty and without a failure: nothing found. */
  readonly claims: readonly CheckedClaim[];
  /** Claims that were dropped, by reason. */
  readonly dropped: Readonly<Record<ClaimProblem, number>>;
  readonly failure?: JudgeFailure | undefined;
  /** As the model's provider names it, `length`. */
  readonly finishReason?: string | undefined;
  /** UTF-16 units of the last reply. */
  readonly replyLength: number;
  /** Calls of the model: two when the first reply was unusable. */
  readonly calls: number;
  /** The calls that returned no judgement, the first one first. */
  readonly failedCalls: readonly FailedCall[];
  /** For how long the model wants to be left alone, ms; only if it has said so. */
  readonly retryAfterMillis?: number | undefined;
  /** Of all calls together; absent if not reported. */
  readonly usage?: JudgeUsage | undefined;
  /** ms, of all calls together */
  readonly latency: number;
  /** Whether the exchange was too long to be sent as a whole. */
  readonly isCut: boolean;
}
