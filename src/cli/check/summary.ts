import type { ComplianceSeverity } from "../../events/compliance.ts";
import type { CheckArguments } from "./arguments.ts";
import { SEVERITIES, type CheckFinding } from "./finding.ts";

/** Counts of a check. */
export interface CheckSummary {
  conversations: number;
  /** Answers and other exchanges that were read. */
  answers: number;
  /** Those of them that a rule assessed; the others had nothing to assess. */
  evaluated: number;
  findings: number;
  bySeverity: Record<ComplianceSeverity, number>;
  byCategory: Record<string, Record<ComplianceSeverity, number>>;
  byRule: Record<string, Record<ComplianceSeverity, number>>;
  requiresReview: number;
  /** Passages found with less confidence than their rules require; they are no findings. */
  candidates: number;
  maxRiskScore: number;
  /** Answers of which only a part was read, because they are too long. */
  truncated: number;
  /** Lines, or parts of them, that could not be read. */
  errors: number;
  /** Failures of rules, by rule. */
  ruleErrors: Record<string, number>;
}

const noFindings = (): Record<ComplianceSeverity, number> => ({
  info: 0,
  warning: 0,
  violation: 0,
});

/** Creates an empty summary. */
export function createSummary(): CheckSummary {
  return {
    conversations: 0,
    answers: 0,
    evaluated: 0,
    findings: 0,
    bySeverity: noFindings(),
    byCategory: {},
    byRule: {},
    requiresReview: 0,
    candidates: 0,
    maxRiskScore: 0,
    truncated: 0,
    errors: 0,
    ruleErrors: {},
  };
}

/** Counts a finding. */
export function countFinding(
  summary: CheckSummary,
  finding: Pick<CheckFinding, "severity" | "category" | "rule">,
): void {
  const { severity, category, rule } = finding;
  summary.findings++;
  summary.bySeverity[severity]++;
  (summary.byCategory[category] ??= noFindings())[severity]++;
  (summary.byRule[rule] ??= noFindings())[severity]++;
}

/** `incomplete`: something could not be read or evaluated, so that the absence of findings proves little. */
export const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const;

/** Returns the exit code of a check. */
export function toExitCode(
  summary: CheckSummary,
  { failOn, riskThreshold }: Pick<CheckArguments, "failOn" | "riskThreshold">,
): number {
  const { bySeverity, errors, ruleErrors, maxRiskScore, findings } = summary;
  if (errors > 0 || Object.keys(ruleErrors).length > 0) return EXIT_CODES.incomplete;
  const failing = failOn === "never" ? [] : SEVERITIES.slice(SEVERITIES.indexOf(failOn));
  const isRisky = riskThreshold !== undefined && findings > 0 && maxRiskScore >= riskThreshold;
  const hasFailed = isRisky || failing.some((severity) => bySeverity[severity] > 0);
  return hasFailed ? EXIT_CODES.failed : EXIT_CODES.passed;
}
