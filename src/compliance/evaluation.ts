import type { ComplianceFlag, ComplianceResult } from "../events/compliance.ts";
import type { ContextView } from "./context-view.ts";
import type { RuleAnswer } from "./rule-answer.ts";
import { contextExponent, DEFAULT_CONFIDENCE, demandsReview, riskScoreOf } from "./scoring.ts";

/** How an evaluation went. */
export interface EvaluationMetadata {
  /** False when there was nothing to judge or no rule could judge it; the answer then is not compliant either. */
  evaluated: boolean;
  /** ms */
  evaluationTime: number;
  /** Rules that gave an answer. */
  rulesEvaluated: number;
  /** Highest confidence of the findings; without any, the share of the rules that gave an answer. */
  confidence: number;
  /** Ids of the rules that threw or gave no valid result. */
  ruleErrors?: string[];
  /** Ids of the rules that took too long; their findings count. */
  ruleOverruns?: string[];
  /** Ids of the rules left out for a while because they were too slow. */
  rulesSkipped?: string[];
  /** Members of the context that could not be read. */
  unreadable?: string[];
  /** Set when only a part of a long context was read. */
  truncated?: true;
  /** What a later version may add. */
  [key: string]: unknown;
}

/**
 * Outcome of the engine for one interaction.
 *
 * Without content there is no verdict: `metadata.evaluated` is false, and so is `isCompliant`, so that a reader of
 * that member alone never takes an unseen answer for a clean one.
 */
export interface ComplianceEvaluation extends ComplianceResult {
  /** Findings with the category of their rule, the order of the rules kept. */
  violations: ComplianceFlag[];
  /** How the evaluation went. */
  metadata: EvaluationMetadata;
}

/** What running the rules brought to light. */
export interface RuleRun {
  readonly answers: RuleAnswer[];
  readonly errors: string[];
  readonly overruns: string[];
  readonly skipped: string[];
  /** Set when a rule that must not fail gave no answer. */
  mandatoryMissing: boolean;
}

function confidenceOf(violations: readonly ComplianceFlag[], run: RuleRun): number {
  if (violations.length > 0) {
    return Math.max(...violations.map(({ confidence = DEFAULT_CONFIDENCE }) => confidence));
  }
  const asked = run.answers.length + run.errors.length + run.skipped.length;
  return asked === 0 ? 0 : run.answers.length / asked;
}

/** Sums up the answers of the rules. */
export function toEvaluation(
  run: RuleRun,
  view: ContextView,
  riskThreshold: number,
  evaluationTime: number,
): ComplianceEvaluation {
  const violations = run.answers.flatMap(({ findings }) => findings);
  const riskScore = riskScoreOf(run.answers, contextExponent(view.context));
  const evaluated = run.answers.length > 0;
  return {
    isCompliant: evaluated && violations.every(({ severity }) => severity !== "violation"),
    violations,
    riskScore,
    requiresReview:
      run.mandatoryMissing ||
      view.unreadable.length > 0 ||
      run.answers.some((answer) => answer.requiresReview) ||
      violations.some(demandsReview) ||
      (violations.length > 0 && riskScore >= riskThreshold),
    metadata: {
      evaluated,
      evaluationTime,
      rulesEvaluated: run.answers.length,
      confidence: confidenceOf(violations, run),
      ...(run.errors.length > 0 && { ruleErrors: run.errors }),
      ...(run.overruns.length > 0 && { ruleOverruns: run.overruns }),
      ...(run.skipped.length > 0 && { rulesSkipped: run.skipped }),
      ...(view.unreadable.length > 0 && { unreadable: [...view.unreadable] }),
      ...(view.truncated && { truncated: true }),
    },
  };
}
