import type { CheckArguments } from "./arguments.ts";
import { SEVERITIES } from "./finding.ts";
import type { CheckSummary } from "./summary.ts";

/** `incomplete`: something could not be read or evaluated, so that nothing found says little. */
export const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const;

/** Gives the exit code of a check. */
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
