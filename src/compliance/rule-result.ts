import type { ComplianceResult, ComplianceViolation } from "../events/compliance.ts";
import { toExcerpt } from "../identifiers/mask.ts";
import type { SourceText } from "../phrases/source-text.ts";
import { toPatternName } from "./compiled/compiled-pack.ts";
import type { PatternOverrides } from "./policy-pack.ts";
import type { Finding, FindingSpan, RuleFacts, RuleLaw } from "./rule-definition.ts";
import { riskScoreOf } from "./scoring.ts";

/** Confidence from which something found is a finding, unless a rule states another. */
export const DEFAULT_THRESHOLD = 0.6;

/** Hiding words is itself a sign: it takes away this share of the doubt. */
const EVASION_SHARE = 0.5;

/** Returns the confidence of a finding in a text, which is higher where words were hidden. */
export function withEvasions(confidence: number, { evasions }: SourceText): number {
  return evasions.length > 0 ? 1 - (1 - confidence) * EVASION_SHARE : confidence;
}

function toRegulatoryImpact({ citation, status, asOf, note }: RuleLaw): string {
  return `${citation} (${status}, as of ${asOf})${note === undefined ? "" : `. ${note}`}`;
}

function toConfidence({ confidence, text }: Finding): number {
  return text && text.evasions.length > 0
    ? Math.round(withEvasions(confidence, text) * 100) / 100
    : confidence;
}

function toTextEvidence({ text, range, evidence }: Finding): Record<string, unknown> {
  if (!text || !range) return evidence === undefined ? {} : { detectedContent: evidence };
  const original = text.normal.toOriginal(range);
  const span: FindingSpan = { source: text.source, ...original };
  return {
    detectedContent: toExcerpt(text.normal, original),
    spans: [span],
    ...(text.evasions.length > 0 && { normalisations: [...text.evasions] }),
  };
}

/** Makes a violation of a finding. */
export function toViolation(
  rule: RuleFacts,
  finding: Finding,
  overrides?: PatternOverrides,
): ComplianceViolation {
  const pattern = toPatternName(rule.id, finding.pattern);
  return {
    rule: rule.id,
    severity: overrides?.get(pattern)?.severity ?? finding.severity ?? rule.severity,
    description: finding.description ?? rule.explanation,
    recommendation: rule.recommendation,
    confidence: toConfidence(finding),
    context: {
      ...toTextEvidence(finding),
      detectedPattern: pattern,
      riskFactors: [...(finding.riskFactors ?? [])],
      regulatoryImpact: toRegulatoryImpact(rule.law),
      customerImpact: rule.impact.customer,
      businessImpact: rule.impact.business,
      ...(rule.confidential === true && { confidential: true }),
    },
  };
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
