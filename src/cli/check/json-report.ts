import { createSeparator, type Report } from "./report.ts";

/** Makes a report as one JSON object: findings, summary. */
export function createJsonReport(): Report {
  const separate = createSeparator();
  return {
    begin: () => ['{"findings":['],
    finding: (finding) => [separate() + JSON.stringify(finding)],
    end: (summary) => [`],"summary":${JSON.stringify(summary)}}`],
  };
}
