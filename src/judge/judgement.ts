import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { ComplianceCategory } from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { CheckedClaim, ClaimProblem, JudgeUsage, ReplyFailure } from "./judge-reply.ts";
import type { JudgeJournal, JudgeReason, JudgeRule, JudgeTask } from "./judge-task.ts";
import type { SentExchange, WholeExchange } from "./sent-exchange.ts";

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

/** Counts of a judgement. */
export interface JudgedCounts {
  /** Findings of the judge's own. */
  readonly findings: number;
  /** Findings of the first stage that the judge confirms, and that it contradicts. */
  readonly confirmed: number;
  readonly contradicted: number;
}

/** A judgement with its task, which has the whole exchange. */
export interface Judged {
  readonly task: JudgeTask;
  readonly judgement: Judgement;
  /** The exchange that the model got. */
  readonly sent: SentExchange;
}

/** Dependencies of the judge. */
export interface JudgeWork {
  readonly options: ResolvedJudgeOptions;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Texts of the rules; read when the first task is judged. */
  readonly rules: () => readonly JudgeRule[];
  /** Returns the part of an exchange that the model may see; called off the track path. */
  readonly toVisible: (exchange: WholeExchange) => WholeExchange;
  /** Called with every judgement that did not finally fail; returns the counts. */
  readonly onJudged: (judged: Judged) => JudgedCounts;
  /** Runs a call of the model so that no instrumentation records it. */
  readonly isolate: <T>(run: () => T) => T;
  readonly journal?: JudgeJournal | undefined;
}
