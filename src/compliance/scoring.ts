import type { ComplianceSeverity, InteractionContext } from "../events/compliance.ts";

const SEVERITY_WEIGHTS: Readonly<Record<ComplianceSeverity, number>> = {
  info: 0.1,
  warning: 0.4,
  violation: 0.8,
};

/** Confidence of a finding whose rule states none: its author made no reservation. */
export const DEFAULT_CONFIDENCE = 1;

const REVIEW_CONFIDENCE = 0.5;

const RISK_FACTOR = 1.2;
const MAX_EXPONENT = 1.5;

/** What the score needs to know of a finding. */
export interface ScoredFinding {
  readonly severity: ComplianceSeverity;
  readonly confidence?: number | undefined;
}

/** The findings of one rule, and the score that a rule of the caller's own gave itself. */
export interface ScoredFamily {
  readonly findings: readonly ScoredFinding[];
  /** 0 to 100; counts without a finding as well. */
  readonly ownScore?: number | undefined;
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Number.isNaN(value) ? minimum : Math.min(maximum, Math.max(minimum, value));
}

function findingProbability(finding: ScoredFinding): number {
  return SEVERITY_WEIGHTS[finding.severity] * clamp(finding.confidence ?? DEFAULT_CONFIDENCE, 0, 1);
}

/** Tells whether a finding demands review whatever the score: a violation that is at least as likely as not. */
export function demandsReview({
  severity,
  confidence = DEFAULT_CONFIDENCE,
}: ScoredFinding): boolean {
  return severity === "violation" && confidence >= REVIEW_CONFIDENCE;
}

function familyProbability({ findings, ownScore = 0 }: ScoredFamily): number {
  // Several findings of one rule, and its own score, are readings of one fact: the strongest counts.
  return findings.reduce(
    (strongest, finding) => Math.max(strongest, findingProbability(finding)),
    clamp(ownScore, 0, 100) / 100,
  );
}

/**
 * Combines the findings into a risk score from 0 to 100, as a noisy-or: rules add up and never saturate.
 *
 * Adding a finding never lowers the score, and without a finding or a score of its own a rule adds nothing, whatever
 * the context.
 *
 * @param exponent - Of `contextExponent`.
 */
export function riskScoreOf(families: readonly ScoredFamily[], exponent = 1): number {
  let innocence = 1;
  for (const family of families)
    if (family.findings.length > 0 || family.ownScore !== undefined)
      innocence *= (1 - familyProbability(family)) ** exponent;
  return Math.round(100 * (1 - innocence));
}

/** Gives the exponent by which a risky customer or an autonomous agent makes findings weigh more. */
export function contextExponent(context: InteractionContext): number {
  const { customerProfile, agentCategory } = context;
  const isRiskyCustomer =
    customerProfile?.riskRating?.toLowerCase() === "high" ||
    (customerProfile?.previousViolations ?? 0) > 0;
  let exponent = 1;
  if (isRiskyCustomer) exponent *= RISK_FACTOR;
  if (agentCategory === "autonomous") exponent *= RISK_FACTOR;
  return Math.min(MAX_EXPONENT, exponent);
}
