import { readPolicyFile, type ReadPolicy } from "../../packs.ts";
import { RuleVerificationError, verifyRule, type RuleCases } from "../../testing.ts";
import { checkLines, type LineSource } from "../check/check-lines.ts";
import { createChecker, isWhole, type Checker } from "../check/checker.ts";
import { parseArguments, UsageError } from "../parse-arguments.ts";
import { openInput } from "../read-lines.ts";
import {
  ACCESS_OPTIONS,
  isPlatformUrl,
  readAccess,
  readPlatformConversations,
  toPlatformUrl,
  type PlatformAccess,
} from "../read-platform.ts";
import { warn } from "../run-command.ts";
import { Comparison, formatTestReport, type TestReport } from "./test-report.ts";

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

const EXIT_CODES = { held: 0, failed: 1, incomplete: 2 } as const;

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

/** Evaluates every exchange twice, with the active policy and with the pack, and compares the findings. */
async function compare(
  source: LineSource,
  active: Checker,
  proposed: Checker,
  comparison: Comparison,
): Promise<void> {
  const both = {
    summary: proposed.summary,
    async check(...exchange: Parameters<Checker["check"]>) {
      const now = await active.check(...exchange);
      const then = await proposed.check(...exchange);
      comparison.take(now, then);
      return then;
    },
  };
  // The findings are counted above; here they only have to be read to the end.
  for await (const finding of checkLines(both, source)) void finding;
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
  await compare({ ...opened, onProblem: warn }, active, proposed, comparison);
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
  return cases.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.held;
}
