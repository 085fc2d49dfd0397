import { toErrorName } from "../util/logger.ts";
import { createReadStream } from "node:fs";
import { UsageError, type Command } from "./command.ts";
import { parseCheckArguments, type CheckArguments } from "./check/arguments.ts";
import { checkLines } from "./check/check-lines.ts";
import { Checker, type CheckerOptions } from "./check/checker.ts";
import { SEVERITIES } from "./check/finding.ts";
import { createJsonReport } from "./check/json-report.ts";
import { loadAll } from "./check/load-rules.ts";
import { loadSettings } from "./check/load-settings.ts";
import type { Report } from "./check/report.ts";
import { createSarifReport } from "./check/sarif-report.ts";
import type { CheckSummary } from "./check/summary.ts";
import { createTextReport } from "./check/text-report.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { openOutput } from "./spool/output.ts";
import { toPrintable } from "./spool/format.ts";

const HELP = `Usage: agent-monitor check <file.jsonl|-> [options]

Evaluates conversations from a file, or from the standard input, and prints what the rules find. A line is one of:

  exchange      {"id", "userMessage", "agentResponse", "context", "toolsUsed", ...}
  conversation  {"id", "turns" or "messages": [{"role", "content", "toolsUsed"}], "context"}; OpenAI's and
                Anthropic's messages as well, with their tool calls and results
  events        an EventBatch or an event, as GET /api/batches/export gives them

Options:
  --format <text|json|sarif>                  (default text)
  --fail-on <violation|warning|info|never>    the least severity that fails (default violation)
  --risk-threshold <0-100>                    an answer with this risk score fails as well
  --rules <module.js|policy.yaml>             rules beside the built-in ones (repeatable): a module with an array as default
                                              export or "rules", or a pack, which may change the built-in ones as well
  --settings <file.json>                      compliance settings for every line; "custom_rules", "risk_threshold" ...
  --help                                      show this
  --version                                   show the version

Texts are shown as masked excerpts only. Exit code: 0 nothing that fails, 1 something that fails, 2 wrong usage, or
a line could not be read or a rule failed; the other lines are evaluated.
`;

const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const;

/** So many problems of reading are told one by one. */
const MAX_TOLD = 20;

const REPORTS = {
  text: createTextReport,
  json: createJsonReport,
  sarif: createSarifReport,
} as const satisfies Record<CheckArguments["format"], () => Report>;

function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/** Tells problems of reading on the standard error, the first ones one by one. */
function createProblems(): { readonly told: string[]; readonly tell: (problem: string) => void } {
  const told: string[] = [];
  let count = 0;
  return {
    told,
    tell(problem) {
      count++;
      if (count <= MAX_TOLD) told.push(problem);
      if (count <= MAX_TOLD + 1) warn(count > MAX_TOLD ? "and more" : problem);
    },
  };
}

function createChecker(options: CheckerOptions, paths: readonly string[]): Checker {
  try {
    return new Checker(options);
  } catch (error) {
    // What is wrong with a rule of the package's own is not for the caller to mend.
    if (paths.length === 0 || !(error instanceof Error)) throw error;
    throw new UsageError(`--rules: ${paths.join(", ")}: ${error.message}`);
  }
}

function toExitCode(summary: CheckSummary, { failOn, riskThreshold }: CheckArguments): number {
  const { bySeverity, errors, ruleErrors, maxRiskScore, findings } = summary;
  if (errors > 0 || Object.keys(ruleErrors).length > 0) return EXIT_CODES.incomplete;
  const failing = failOn === "never" ? [] : SEVERITIES.slice(SEVERITIES.indexOf(failOn));
  const isRisky = riskThreshold !== undefined && findings > 0 && maxRiskScore >= riskThreshold;
  const hasFailed = isRisky || failing.some((severity) => bySeverity[severity] > 0);
  return hasFailed ? EXIT_CODES.failed : EXIT_CODES.passed;
}

async function check(args: CheckArguments): Promise<number> {
  const { target, format, riskThreshold } = args;
  const given = await loadAll(args.rules);
  const settings = args.settings === undefined ? undefined : loadSettings(args.settings);
  const checker = createChecker({ ...given, settings, riskThreshold, onWarning: warn }, args.rules);
  const isStandardInput = target === "-";
  const problems = createProblems();
  const source = {
    name: isStandardInput ? "stdin" : target,
    chunks: isStandardInput ? process.stdin : createReadStream(target),
    onProblem: problems.tell,
  };
  const report = REPORTS[format]();
  const output = await openOutput(undefined);
  const write = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await output.write(Buffer.from(line));
  };
  await write(report.begin(checker.rules));
  try {
    for await (const finding of checkLines(checker, source)) await write(report.finding(finding));
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    checker.summary.errors++;
    const code = "code" in error ? String(error.code) : "unknown";
    problems.tell(`${source.name}: can't be read (${code})`);
  }
  await write(report.end(checker.summary, problems.told));
  await output.close();
  return toExitCode(checker.summary, args);
}

/** Evaluates conversations from a file, so that a bank can run the rules over transcripts in its own CI. */
export const checkCommand: Command = {
  help: HELP,
  async run(args) {
    try {
      return await check(parseCheckArguments(args));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // Exit code 1 would say that something was found.
      if (error instanceof SpoolCommandError) warn(error.message);
      else warn(`check failed (${toErrorName(error)})`);
      return EXIT_CODES.incomplete;
    }
  },
};
