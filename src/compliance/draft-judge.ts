import type { ComplianceSettings } from "../events/agent.ts";
import type { ComplianceFlag, InteractionContext } from "../events/compliance.ts";
import { keepAliveUntil, withDeadline, type Clock } from "../util/clock.ts";
import type { ComplianceEvaluation, SecondStageOutcome } from "./evaluation.ts";

/** How one evaluation with a second stage differs. */
export interface AsyncOptions {
  /**
   * ms that the second stage has.
   *
   * @defaultValue 5000
   */
  readonly deadline?: number;
  /** As for `evaluate`. */
  readonly settings?: ComplianceSettings;
}

/** An exchange that the customer has not got yet, with what the rules make of it. */
export interface Draft {
  readonly context: InteractionContext;
  /** With candidates and turns. */
  readonly evaluation: ComplianceEvaluation;
}

/** What the second stage makes of a draft. */
export interface DraftJudgement {
  readonly outcome: SecondStageOutcome;
  /** What the rules have not found. */
  readonly findings: readonly ComplianceFlag[];
  /** Whether somebody must look at it because of them. */
  readonly requiresReview: boolean;
}

/** Reads drafts behind the rules. */
export interface DraftJudge {
  /**
   * Returns what it makes of a draft.
   *
   * @param signal - Aborted at the deadline: then it resolves at once, with what is judged already.
   */
  judgeDraft(draft: Draft, signal: AbortSignal): Promise<DraftJudgement>;
}

const DEFAULT_DEADLINE_MILLIS = 5000;
const MAX_DEADLINE_MILLIS = 600_000;

function toMillis(deadline: unknown): number {
  const isGiven = typeof deadline === "number" && deadline >= 0;
  return isGiven ? Math.min(deadline, MAX_DEADLINE_MILLIS) : DEFAULT_DEADLINE_MILLIS;
}

async function ask(judge: DraftJudge, draft: Draft, signal: AbortSignal): Promise<DraftJudgement> {
  try {
    return await judge.judgeDraft(draft, signal);
  } catch {
    return { outcome: "failed", findings: [], requiresReview: false };
  }
}

/** Returns the evaluation of a draft with what the second stage finds in it before a deadline. Never rejects. */
export async function judgeDraft(
  draft: Draft,
  judge: DraftJudge,
  clock: Clock,
  deadline: unknown,
): Promise<ComplianceEvaluation> {
  const controller = new AbortController();
  const asked = ask(judge, draft, controller.signal);
  const millis = toMillis(deadline);
  const inTime = await keepAliveUntil(clock, withDeadline(clock, asked, millis), millis);
  controller.abort();
  const { outcome, findings, requiresReview } = inTime ?? (await asked);
  const { candidates: _candidates, turns: _turns, families: _families, ...rest } = draft.evaluation;
  return {
    ...rest,
    violations: [...rest.violations, ...findings],
    requiresReview: rest.requiresReview || requiresReview,
    metadata: { ...rest.metadata, secondStage: outcome },
  };
}
