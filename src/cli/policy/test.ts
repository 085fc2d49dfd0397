import { type ReadPolicy, readPolicyFile } from "../../packs.ts";
import { type RuleCases, type RulePack, RuleVerificationError, verifyRule } from "../../testing.ts";
import { type LineSource, checkLines } from "../check/check-lines.ts";
import {
  type CheckSummary,
  type Checker,
  createChecker,
  EXIT_CODES,
  isWhole,
} from "../check/checker.ts";
import type { CheckFinding } from "../check/finding.ts";
import { formatPack, formatPlace } from "../check/reports.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import { openInput } from "../read-lines.ts";
import {
  ACCESS_OPTIONS,
  type PlatformAccess,
  isPlatformUrl,
  readAccess,
  readPlatformConversations,
  toPlatformUrl,
} from "../read-platform.ts";
import { warn } from "../run-command.ts";
import { formatTable, toPrintableLines } from "../spool/output.ts";
import { countNoun } from "../../util/count-noun.ts";

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
class Comparison {
  readonly #patterns = new Map<string, PatternCount>();

  /** Lists a pattern that may find nothing. */
  expect(rule: string, name: string): void {
    this.#of({ rule, pattern: `${rule}/${name}` });
  }

  /** Adds the findings of the active policy and of the one with the pack in one exchange. */
  take(active: readonly CheckFinding[], proposed: readonly CheckFinding[]): void {
    const before = new Map(active.map((finding) => [finding.fingerprint, finding]));
    for (const finding of proposed) {
      const count = this.#of(finding);
      count.hits++;
      const known = before.get(finding.fingerprint);
      before.delete(finding.fingerprint);
      if (!known) this.#note(count, "new", finding);
      else if (known.severity !== finding.severity) this.#note(count, "changed", finding);
    }
    for (const finding of before.values()) this.#note(this.#of(finding), "vanished", finding);
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

  #of({ rule, pattern }: Pick<CheckFinding, "pattern" | "rule">): PatternCount {
    const name = pattern ?? rule;
    const none = { rule, pattern: name, hits: 0, new: 0, vanished: 0, changed: 0, samples: [] };
    const count = this.#patterns.get(name) ?? none;
    this.#patterns.set(name, count);
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
interface TestReport
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
function formatTestReport(report: TestReport): string {
  const { pack, cases, patterns, review } = report;
  const rows = patterns.map(({ pattern, hits, new: added, vanished, changed }) =>
    [pattern, hits, added, vanished, changed].map(String),
  );
  const table = formatTable([["PATTERN", "HITS", "NEW", "VANISHED", "CHANGED"], ...rows]);
  const lines = toPrintableLines([
    formatPack(pack),
    `${countNoun(cases.held, "case")} held`,
    ...cases.failures.flatMap((failure) => failure.split("\n")),
    "",
    ...(rows.length === 0 ? [] : table.trimEnd().split("\n")),
    "",
    ...patterns.flatMap(formatSamples),
    "",
    `${countNoun(report.answers, "answer")}: ${report.new} new, ${report.vanished} vanished, ${report.changed} changed; ` +
      `${review.active} to review now, ${review.proposed} with the pack`,
    report.errors > 0 &&
      `${countNoun(report.errors, "problem")} of reading: not everything was evaluated`,
  ]);
  return `${lines.join("\n")}\n`;
}

/** Writes the events of a platform in the file format of `check`, one per line. */
async function* toLines(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages)
    for (const event of page) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

/**
 * Opens the source of exchanges: a file, `-` for the standard input, or the URL of a platform.
 *
 * @param onUnreadable - Called when the rest can't be read.
 * @throws UsageError for an invalid URL, key or organization.
 */
function openExchanges(
  target: string,
  access: PlatformAccess,
  onUnreadable: (problem: string) => void,
): Omit<LineSource, "onProblem"> {
  if (!isPlatformUrl(target)) return openInput(target, onUnreadable);
  const { origin } = toPlatformUrl(target, access, "/");
  const pages = readPlatformConversations(target, access, onUnreadable);
  return { name: origin, chunks: toLines(pages) };
}

const OPTIONS = {
  on: { type: "string" },
  ...ACCESS_OPTIONS,
  active: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

/** Runs the cases in the pack. */
function runCases({ policy, cases }: ReadPolicy, checker: Checker): TestReport["cases"] {
  const failures: string[] = [];
  let held = 0;
  for (const { facts } of policy.rules) {
    const rule = checker.rules.find(({ id }) => id === facts.id);
    const own = cases.get(facts.id);
    if (!rule || !own) continue;
    try {
      // The schema of packs knows every member of a case.
      const report = verifyRule(rule, own as RuleCases);
      held += report.violating + report.compliant;
    } catch (error) {
      if (!(error instanceof RuleVerificationError)) throw error;
      failures.push(error.message);
    }
  }
  return { held, failures };
}

/** Reports what a pack would change, before it is switched on. */
export async function testPolicy(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [path, ...others] = positionals;
  const { on } = values;
  if (path === undefined || others.length > 0) throw new UsageError("policy test needs one pack");
  if (on === undefined || on === "") throw new UsageError("policy test needs --on <file|url|->");
  const access = readAccess(on, values);
  const pack = readPolicyFile(path);
  const actives = (values.active ?? []).map(readPolicyFile);
  const active = createChecker("--active", { packs: actives.map(({ policy }) => policy) });
  // The pack replaces another version of itself.
  const kept = actives.filter(({ policy }) => policy.id !== pack.policy.id);
  const proposed = createChecker(path, { packs: [...kept, pack].map(({ policy }) => policy) });
  const cases = runCases(pack, proposed);
  const comparison = new Comparison();
  for (const { facts } of pack.policy.rules)
    for (const name of facts.patterns) comparison.expect(facts.id, name);
  const { summary } = proposed;
  const opened = openExchanges(on, access, (problem) => {
    summary.errors++;
    warn(problem);
  });
  // Every exchange is evaluated twice, with the active policy and with the pack.
  const both = {
    summary,
    async check(...exchange: Parameters<Checker["check"]>) {
      comparison.take(await active.check(...exchange), await proposed.check(...exchange));
      return [];
    },
  };
  for await (const none of checkLines(both, { ...opened, onProblem: warn })) void none;
  const { patterns, counts } = comparison;
  const { id, version, sha256 } = pack.policy;
  const report: TestReport = {
    pack: { id, version, sha256 },
    cases,
    answers: summary.answers,
    errors: summary.errors,
    review: { active: active.summary.requiresReview, proposed: summary.requiresReview },
    ...counts,
    patterns,
  };
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatTestReport(report));
  if (!isWhole(summary)) return EXIT_CODES.incomplete;
  return cases.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.passed;
}
