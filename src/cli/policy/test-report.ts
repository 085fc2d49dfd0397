import type { RulePack } from "../../testing.ts";
import type { CheckSummary } from "../check/checker.ts";
import type { CheckFinding } from "../check/finding.ts";
import { formatPack, formatPlace } from "../check/reports.ts";
import { formatCount, formatTable, toPrintable } from "../spool/output.ts";

/** Limit of samples of each pattern and kind; the rest is counted. */
const MAX_SAMPLES = 3;

const KINDS = ["new", "vanished", "changed"] as const;
/** How a finding with the pack differs from that of the active policy. */
type Kind = (typeof KINDS)[number];

/** A finding that comes, goes or changes; its text as a masked excerpt only. */
interface PolicySample extends Pick<
  CheckFinding,
  "file" | "line" | "conversation" | "turn" | "eventId" | "severity" | "excerpt"
> {
  readonly kind: Kind;
}

/** Counts of a pattern's findings: not found by the active policy, by it alone, or by both with another severity. */
interface PatternCount extends Record<Kind, number> {
  readonly rule: string;
  readonly pattern: string;
  /** With the pack. */
  hits: number;
  readonly samples: PolicySample[];
}

/** Counts the findings of two policies, pattern by pattern. */
export class Comparison {
  readonly #patterns = new Map<string, PatternCount>();

  /** Lists a pattern that may find nothing. */
  expect(rule: string, pattern: string): void {
    this.#of(rule, `${rule}/${pattern}`);
  }

  /** Adds the findings of the active policy and of the one with the pack in one exchange. */
  take(active: readonly CheckFinding[], proposed: readonly CheckFinding[]): void {
    const before = new Map(active.map((finding) => [finding.fingerprint, finding]));
    for (const finding of proposed) {
      const count = this.#of(finding.rule, finding.pattern ?? finding.rule);
      count.hits++;
      const known = before.get(finding.fingerprint);
      before.delete(finding.fingerprint);
      if (!known) this.#note(count, "new", finding);
      else if (known.severity !== finding.severity) this.#note(count, "changed", finding);
    }
    for (const finding of before.values())
      this.#note(this.#of(finding.rule, finding.pattern ?? finding.rule), "vanished", finding);
  }

  /** Returns the patterns, sorted by name. */
  get patterns(): readonly PatternCount[] {
    return [...this.#patterns.values()].toSorted((one, other) =>
      one.pattern < other.pattern ? -1 : 1,
    );
  }

  /** Returns the sums over all patterns. */
  get counts(): Readonly<Record<Kind, number>> {
    const counts = { new: 0, vanished: 0, changed: 0 };
    for (const pattern of this.#patterns.values())
      for (const kind of KINDS) counts[kind] += pattern[kind];
    return counts;
  }

  #of(rule: string, pattern: string): PatternCount {
    const known = this.#patterns.get(pattern);
    if (known) return known;
    const count = { rule, pattern, hits: 0, new: 0, vanished: 0, changed: 0, samples: [] };
    this.#patterns.set(pattern, count);
    return count;
  }

  #note(count: PatternCount, kind: Kind, finding: CheckFinding): void {
    count[kind]++;
    const kept = count.samples.filter((sample) => sample.kind === kind).length;
    if (kept >= MAX_SAMPLES) return;
    const { file, line, conversation, turn, eventId, severity, excerpt } = finding;
    count.samples.push({ kind, file, line, conversation, turn, eventId, severity, excerpt });
  }
}

/** Result of a pack's test. */
export interface TestReport
  extends Pick<CheckSummary, "answers" | "errors">, Readonly<Record<Kind, number>> {
  readonly pack: RulePack;
  readonly cases: { readonly held: number; readonly failures: readonly string[] };
  readonly review: { readonly active: number; readonly proposed: number };
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
