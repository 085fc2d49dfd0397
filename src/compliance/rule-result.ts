import type { ComplianceResult, ComplianceViolation } from "../events/compliance.ts";
import type { PatternOverrides } from "./pattern-overrides.ts";
import { riskScoreOf } from "./scoring.ts";
import type { SourceText } from "../phrases/source-text.ts";

/** Confidence from which something found is a finding, unless a rule states another. */
export const DEFAULT_THRESHOLD = 0.6;

/** Hiding words is itself a sign: it takes away this share of the doubt. */
const EVASION_SHARE = 0.5;

/** Gives the confidence of a finding in a text, which is higher where words were hidden. */
export function withEvasions(confidence: number, { evasions }: SourceText): number {
  return evasions.length > 0 ? 1 - (1 - confidence) * EVASION_SHARE : confidence;
}

/** What a rule makes of its findings. */
interface ReviewFacts {
  readonly threshold?: number;
  readonly alwaysReview?: boolean;
  readonly patternOverrides?: PatternOverrides | undefined;
}

/** Sums up what a rule found: what lies below its threshold, or that of the pattern, is a candidate. */
export function toRuleResult(
  { threshold = DEFAULT_THRESHOLD, alwaysReview = false, patternOverrides }: ReviewFacts,
  found: readonly ComplianceViolation[],
): ComplianceResult {
  const isFinding = ({ confidence = 1, context }: ComplianceViolation): boolean => {
    const own = patternOverrides?.get(context?.detectedPattern ?? "")?.threshold;
    return confidence >= (own ?? threshold);
  };
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
