import type { ComplianceSeverity } from "../../events/compliance.ts";
import { formatPack } from "../format-rule.ts";
import { formatCount, formatTable, toPrintable } from "../spool/format.ts";
import type { CheckFinding } from "./finding.ts";
import type { Report } from "./report.ts";
import type { CheckSummary } from "./summary.ts";

type Counts = Readonly<Record<string, Readonly<Record<ComplianceSeverity, number>>>>;

/** Writes where a finding stands. */
export function formatPlace({
  file,
  line,
  conversation,
  turn,
}: Pick<CheckFinding, "file" | "line" | "conversation" | "turn">): string {
  const name = conversation === null ? "" : ` conversation ${conversation}`;
  return `${file}:${line}${name}${turn === null ? "" : ` turn ${turn}`}`;
}

function formatFinding(finding: CheckFinding): string[] {
  const { severity, rule, pattern, confidence, excerpt } = finding;
  const { recommendation, law, groupedUnder, override } = finding;
  const details = [
    finding.category,
    confidence !== null && `confidence ${confidence}`,
    finding.confidential && "confidential",
  ].filter((detail) => typeof detail === "string");
  return [
    formatPlace(finding),
    `  ${severity} ${pattern ?? rule} (${details.join(", ")})`,
    excerpt !== null && excerpt !== "" && `  > ${excerpt}`,
    `  ${finding.explanation}`,
    groupedUnder !== null && `  Same passage as: ${groupedUnder}`,
    recommendation !== null && `  Do: ${recommendation}`,
    law !== null && `  Law: ${law}`,
    override !== null && `  Rule changed by: ${formatPack(override)}`,
  ]
    .filter((line) => typeof line === "string")
    .map((line) => toPrintable(line));
}

function toRows(head: string, counts: Counts): string[][] {
  const rows = Object.entries(counts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { violation, warning, info }]) => [
      toPrintable(name),
      ...[violation, warning, info].map(String),
    ]);
  return [[head, "VIOLATION", "WARNING", "INFO"], ...rows];
}

function formatSummary(summary: CheckSummary): string[] {
  const { conversations, answers, evaluated, bySeverity, candidates, errors, truncated } = summary;
  const failures = Object.entries(summary.ruleErrors);
  const lines = [
    `${formatCount(conversations, "conversation")}, ${formatCount(answers, "answer")}, ${evaluated} evaluated: ` +
      `${formatCount(bySeverity.violation, "violation")}, ${formatCount(bySeverity.warning, "warning")}, ` +
      `${bySeverity.info} info; ${summary.requiresReview} to review, highest risk score ${summary.maxRiskScore}`,
    candidates > 0 &&
      `${formatCount(candidates, "passage")} found with less confidence than the rules ask for, not counted`,
    errors > 0 && `${formatCount(errors, "problem")} of reading: not everything was evaluated`,
    truncated > 0 && `${formatCount(truncated, "answer")} too long to be read as a whole`,
    failures.length > 0 &&
      `rules that failed: ${failures.map(([id, count]) => `${toPrintable(id)} (${count})`).join(", ")}`,
  ];
  return lines.filter((line) => typeof line === "string");
}

/** Makes a report for people. */
export function createTextReport(): Report {
  return {
    begin: () => [],
    finding: (finding) => [...formatFinding(finding), ""],
    end(summary) {
      const tables =
        summary.findings === 0
          ? []
          : [
              ...formatTable(toRows("CATEGORY", summary.byCategory)).trimEnd().split("\n"),
              "",
              ...formatTable(toRows("RULE", summary.byRule)).trimEnd().split("\n"),
              "",
            ];
      return [...tables, ...formatSummary(summary)];
    },
  };
}
