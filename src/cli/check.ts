import { toErrorName } from "../util/logger.ts";
import { parseCheckArguments, type CheckArguments } from "./check/arguments.ts";
import { checkLines } from "./check/check-lines.ts";
import { openCheck, warn } from "./check/open-check.ts";
import {
  type Report,
  createJsonReport,
  createSarifReport,
  createTextReport,
} from "./check/reports.ts";
import { EXIT_CODES, toExitCode } from "./check/summary.ts";
import { type Command, UsageError } from "./parse-arguments.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { openOutput } from "./spool/output.ts";

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
  --judge <module.js>                         has a model judge answers as well, and says how it agrees with the labels of lines
                                              (label "violation" or "ok", expectedCategory): a module with the function, or with
                                              the settings of a monitor's judge, as default export or "judge"
  --record <dir>                              with --judge, keeps requests and replies in a new directory
  --replay <dir>                              takes the replies of that directory: no model is asked
  --help                                      show this
  --version                                   show the version

Texts are shown as masked excerpts only. Exit code: 0 nothing that fails, 1 something that fails, 2 wrong usage, or
a line could not be read, a rule failed or a request was not judged; the other lines are evaluated.
`;

const REPORTS = {
  text: createTextReport,
  json: createJsonReport,
  sarif: createSarifReport,
} as const satisfies Record<CheckArguments["format"], () => Report>;

async function check(args: CheckArguments): Promise<number> {
  if (args.judging) return (await import("./judge/check-with-judge.ts")).checkWithJudge(args);
  const { checker, source, problems } = await openCheck(args);
  const report = REPORTS[args.format]();
  const output = await openOutput(undefined);
  const write = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await output.write(Buffer.from(line));
  };
  await write(report.begin(checker.rules));
  for await (const finding of checkLines(checker, source)) await write(report.finding(finding));
  await write(report.end(checker.summary, problems));
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
      // Exit code 1 would mean that something was found.
      if (error instanceof SpoolCommandError) warn(error.message);
      else warn(`check failed (${toErrorName(error)})`);
      return EXIT_CODES.incomplete;
    }
  },
};
