import type { ComplianceRule } from "../../events/compliance.ts";
import type { CheckFinding } from "./finding.ts";
import type { CheckSummary } from "./summary.ts";

/** Writes a check in some format, line by line, while it goes on. */
export interface Report {
  begin(rules: readonly ComplianceRule[]): string[];
  finding(finding: CheckFinding): string[];
  /** @param problems - The first problems of reading, in words. */
  end(summary: CheckSummary, problems: readonly string[]): string[];
}

/** Puts commas between the elements of an array that is written bit by bit. */
export function createSeparator(): () => string {
  let isFirst = true;
  return () => {
    const separator = isFirst ? "" : ",";
    isFirst = false;
    return separator;
  };
}
