import { createReadStream } from "node:fs";
import type { ReadPolicy } from "../../packs.ts";
import { RuleVerificationError, verifyRule, type RuleCases } from "../../testing.ts";
import { checkLines, type LineSource } from "../check/check-lines.ts";
import type { Checker } from "../check/checker.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import {
  type PlatformAccess,
  isPlatformUrl,
  readPlatformConversations,
  toPlatformUrl,
  verifyPlatformUse,
} from "../read-platform.ts";
import { createChecker, readPolicyArgument, warn } from "./create-checker.ts";
import { Comparison, formatTestReport, type TestReport } from "./test-report.ts";

type Hear = (problem: string) => void;

/** Source of exchanges: a file, `-` for the standard input, or the URL of a platform. */
interface ExchangeTarget extends PlatformAccess {
  readonly target: string;
}

/** Writes the events of a platform in the file format of `check`, one per line. */
async function* toLines(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages)
    for (const event of page) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

async function* watchFile(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  onUnreadable: Hear,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    onUnreadable(`${name}: can't be read (${"code" in error ? String(error.code) : "unknown"})`);
  }
}

/**
 * Opens the source of exchanges.
 *
 * @param onProblem - Called for lines that can't be read; they are counted where they are read.
 * @param onUnreadable - Called when the rest can't be read.
 * @throws UsageError for an invalid URL, key or organization.
 */
function openExchanges(
  { target, ...access }: ExchangeTarget,
  onProblem: Hear,
  onUnreadable: Hear,
): LineSource {
  if (isPlatformUrl(target)) {
    const { origin } = toPlatformUrl(target, access, "/");
    const pages = readPlatformConversations(target, access, onUnreadable);
    return { name: origin, chunks: toLines(pages), onProblem };
  }
  const name = target === "-" ? "stdin" : target;
  const chunks: AsyncIterable<Uint8Array> =
    target === "-" ? process.stdin : createReadStream(target);
  return { name, chunks: watchFile(name, chunks, onUnreadable), onProblem };
}

const OPTIONS = {
  on: { type: "string" },
  "api-key": { type: "string" },
  organization: { type: "string" },
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

/** Evaluates every exchange twice: with the active policy, and with the pack. */
async function compare(
  target: ExchangeTarget,
  active: Checker,
  proposed: Checker,
  comparison: Comparison,
): Promise<void> {
  const { summary } = proposed;
  const source = openExchanges(target, warn, (problem) => {
    summary.errors++;
    warn(problem);
  });
  const both = {
    summary,
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
  verifyPlatformUse(on, values);
  const pack = readPolicyArgument(path);
  const actives = (values.active ?? []).map((name) => readPolicyArgument(name));
  const active = createChecker(
    actives.map(({ policy }) => policy),
    "--active",
  );
  // The pack replaces another version of itself.
  const kept = actives.filter(({ policy }) => policy.id !== pack.policy.id);
  const proposed = createChecker(
    [...kept, pack].map(({ policy }) => policy),
    path,
  );
  const cases = runCases(pack, proposed);
  const comparison = new Comparison();
  for (const { facts } of pack.policy.rules)
    for (const name of facts.patterns) comparison.expect(facts.id, name);
  const target = {
    target: on,
    apiKey: values["api-key"] ?? process.env["AGENT_MONITOR_API_KEY"],
    organizationId: values.organization,
  };
  await compare(target, active, proposed, comparison);
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
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatTestReport(report));
  const failed = Object.keys(proposed.summary.ruleErrors).length;
  if (report.errors + failed > 0) return EXIT_CODES.incomplete;
  return cases.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.held;
}
