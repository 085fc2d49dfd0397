import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import { contextExponent, riskScoreOf } from "../compliance/scoring.ts";
import type { ComplianceFlag, InteractionContext } from "../events/compliance.ts";
import {
  isConfidential,
  type ComplianceAssessment,
  type PublicScore,
  withoutConfidential,
} from "../telemetry/compliance-assessment.ts";

function scoreOf(findings: readonly ComplianceFlag[], context: InteractionContext): number {
  const families = new Map<string, ComplianceFlag[]>();
  for (const finding of findings) {
    families.set(finding.rule, [...(families.get(finding.rule) ?? []), finding]);
  }
  return riskScoreOf(
    Array.from(families.values(), (ofRule) => ({ findings: ofRule })),
    contextExponent(context),
  );
}

/** Returns whether a rule whose findings are no secret demands review whatever the score. */
function asksForReview({ metadata, violations }: ComplianceEvaluation): boolean {
  const secret = new Set(violations.filter(isConfidential).map(({ rule }) => rule));
  return metadata.reviewRules?.some((rule) => !secret.has(rule)) ?? false;
}

/** Rules that failed send an answer to review, whatever the others find. */
function hasFaults({ metadata }: Pick<ComplianceEvaluation, "metadata">): boolean {
  const { ruleErrors, rulesSkipped, rulesNotEvaluated, unreadable } = metadata;
  return [ruleErrors, rulesSkipped, rulesNotEvaluated, unreadable].some(
    (faults) => faults && faults.length > 0,
  );
}

/**
 * Returns an evaluation as others than the platform may see it: without confidential findings, and scored as if they
 * had not been made.
 */
export function toPublicAssessment(
  evaluation: ComplianceEvaluation,
  context: InteractionContext,
): ComplianceAssessment {
  const { violations, riskScore, requiresReview, metadata } = evaluation;
  const isPartial = metadata.truncated;
  const findings = withoutConfidential(violations);
  if (findings.length === violations.length) {
    return { findings, riskScore, requiresReview, isPartial };
  }
  const score = scoreOf(findings, context);
  return {
    findings,
    riskScore: score,
    requiresReview:
      requiresReview &&
      (hasFaults(evaluation) ||
        asksForReview(evaluation) ||
        (findings.length > 0 && score >= metadata.riskThreshold)),
    isPartial,
  };
}

/** Returns the score of an answer without its confidential findings; `undefined` where it has none. */
export function toPublicScore(
  evaluation: ComplianceEvaluation,
  context: InteractionContext,
): PublicScore | undefined {
  if (!evaluation.violations.some(isConfidential)) return undefined;
  const { riskScore, requiresReview } = toPublicAssessment(evaluation, context);
  return { riskScore, requiresReview };
}
