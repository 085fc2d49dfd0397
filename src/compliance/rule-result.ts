import type { ComplianceResult, ComplianceViolation } from "../events/compliance.ts";
import { riskScoreOf } from "./scoring.ts";

/** Confidence from which something found is a finding, unless a rule states another. */
export const DEFAULT_THRESHOLD = 0.6;

/** What a rule makes of its findings. */
interface ReviewFacts {
  readonly threshold?: number;
  readonly alwaysReview?: boolean;
}

/** Sums up what a rule found: what lies below its threshold is a candidate. */
export function toRuleResult(
  { threshold = DEFAULT_THRESHOLD, alwaysReview = false }: ReviewFacts,
  found: readonly ComplianceViolation[],
): ComplianceResult {
  const isFinding = ({ confidence = 1 }: ComplianceViolation): boolean => confidence >= threshold;
  const violations = found.filter(isFinding);
  const candidates = found.filter((one) => !isFinding(one));
  const hasAlert = violations.some(({ severity }) => severity !== "info");
  return {
    isCompliant: violations.every(({ severity }) => severity !== "violation"),
    violations,
    riskScore: riskScoreOf([{ findings: violations }]),
    requiresReview: hasAlert && alwaysReview,
    ...(candidates.length > 0 && { candidates }),
  };
}
