import { createReadStream } from "node:fs";
import type { ReadPolicy } from "../../packs.ts";
import { RuleVerificationError, verifyRule, type RuleCases } from "../../testing.ts";
import { checkLines } from "../check/check-lines.ts";
import { Checker } from "../check/checker.ts";
import { UsageError } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatCount, formatTable, toPrintable } from "../spool/format.ts";
import { Comparison, type PatternCount } from "./compare.ts";
import { readPolicyArgument } from "./read-argument.ts";

const OPTIONS = {
  on: { type: "string" },
  active: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

const EXIT_CODES = { held: 0, failed: 1, incomplete: 2 } as const;

/** What a test of a pack came to. */
interface TestReport {
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

function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/** Runs the cases that the pack brings. */
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

function createChecker(packs: readonly ReadPolicy[], path: string): Checker {
  try {
    return new Checker({
      rules: [],
      packs: packs.map(({ policy }) => policy),
      settings: undefined,
      riskThreshold: undefined,
      onWarning: warn,
    });
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Has every exchange judged twice: as it is now, and as it would be. */
async function compare(
  target: string,
  active: Checker,
  proposed: Checker,
  comparison: Comparison,
): Promise<void> {
  const source = {
    name: target === "-" ? "stdin" : target,
    chunks: target === "-" ? process.stdin : createReadStream(target),
    onProblem: warn,
  };
  const both = {
    summary: proposed.summary,
    async check(...exchange: Parameters<Checker["check"]>) {
      const now = await active.check(...exchange);
      const then = await proposed.check(...exchange);
      comparison.take(now, then);
      return then;
    },
  };
  try {
    // What is found is counted above; here it only has to be read to its end.
    for await (const finding of checkLines(both, source)) void finding;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    proposed.summary.errors++;
    warn(`${source.name}: can't be read (${"code" in error ? String(error.code) : "unknown"})`);
  }
}

function formatSamples({ pattern, samples }: PatternCount): string[] {
  return samples.flatMap(({ kind, file, line, severity, excerpt }) => [
    `${kind} ${pattern} (${severity}) ${file}:${line}`,
    ...(excerpt === null || excerpt === "" ? [] : [`  > ${excerpt}`]),
  ]);
}

function formatReport(report: TestReport): string {
  const { pack, cases, patterns, review } = report;
  const rows = patterns.map(({ pattern, hits, new: added, vanished, changed }) =>
    [pattern, hits, added, vanished, changed].map(String),
  );
  const lines = [
    `${pack.id} ${pack.version}, SHA-256 ${pack.sha256}`,
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

/** Says what a pack would change, before it is switched on. */
export async function testPolicy(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [path, ...others] = positionals;
  const { on } = values;
  if (path === undefined || others.length > 0) throw new UsageError("policy test needs one pack");
  if (on === undefined || on === "") throw new UsageError("policy test needs --on <file|->");
  const pack = readPolicyArgument(path);
  const actives = (values.active ?? []).map((name) => readPolicyArgument(name));
  const active = createChecker(actives, "--active");
  // The pack takes the place of another version of itself.
  const kept = actives.filter(({ policy }) => policy.id !== pack.policy.id);
  const proposed = createChecker([...kept, pack], path);
  const cases = runCases(pack, proposed);
  const comparison = new Comparison();
  for (const { facts } of pack.policy.rules)
    for (const name of facts.patterns) comparison.expect(facts.id, name);
  await compare(on, active, proposed, comparison);
  const { patterns } = comparison;
  const sum = (kind: "new" | "vanished" | "changed"): number =>
    patterns.reduce((total, count) => total + count[kind], 0);
  const { id, version, sha256 } = pack.policy;
  const report: TestReport = {
    pack: { id, version, sha256 },
    cases,
    answers: proposed.summary.answers,
    errors: proposed.summary.errors,
    review: {
      active: active.summary.requiresReview,
      proposed: proposed.summary.requiresReview,
    },
    new: sum("new"),
    vanished: sum("vanished"),
    changed: sum("changed"),
    patterns,
  };
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatReport(report));
  const failed = Object.keys(proposed.summary.ruleErrors).length;
  if (report.errors + failed > 0) return EXIT_CODES.incomplete;
  return cases.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.held;
}
