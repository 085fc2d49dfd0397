import { formatPack } from "../format-rule.ts";
import { formatPlace } from "../check/text-report.ts";
import { formatCount, formatTable, toPrintable } from "../spool/format.ts";
import type { PatternCount } from "./compare.ts";

/** What a test of a pack came to. */
export interface TestReport {
  readonly pack: { readonly id: string; readonly version: string; readonly sha256: string };
  readonly cases: { readonly held: number; readonly failures: readonly string[] };
  readonly answers: number;
  readonly errors: number;
  readonly review: { readonly active: number; readonly proposed: number };
  readonly new: number;
  readonly vanished: number;
  readonly changed: number;
  readonly patterns: readonly PatternCount[];
}

function formatSamples({ pattern, samples }: PatternCount): string[] {
  return samples.flatMap((sample) => [
    `${sample.kind} ${pattern} (${sample.severity}) ${formatPlace(sample)}`,
    ...(sample.excerpt === null || sample.excerpt === "" ? [] : [`  > ${sample.excerpt}`]),
  ]);
}

/** Writes the report for people. */
export function formatTestReport(report: TestReport): string {
  const { pack, cases, patterns, review } = report;
  const rows = patterns.map(({ pattern, hits, new: added, vanished, changed }) =>
    [pattern, hits, added, vanished, changed].map(String),
  );
  const lines = [
    formatPack(pack),
    `${formatCount(cases.held, "case")} held`,
    ...cases.failures.flatMap((failure) => failure.split("\n")),
    "",
    ...(rows.length === 0
      ? []
      : formatTable([["PATTERN", "HITS", "NEW", "VANISHED", "CHANGED"], ...rows])
          .trimEnd()
          .split("\n")),
    "",
    ...patterns.flatMap(formatSamples),
    "",
    `${formatCount(report.answers, "answer")}: ${report.new} new, ${report.vanished} vanished, ${report.changed} changed; ` +
      `${review.active} to review now, ${review.proposed} with the pack`,
    ...(report.errors > 0
      ? [`${formatCount(report.errors, "problem")} of reading: not everything was evaluated`]
      : []),
  ];
  return `${lines.map((line) => toPrintable(line)).join("\n")}\n`;
}
