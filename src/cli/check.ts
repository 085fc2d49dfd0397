import { parseCheckArguments, openCheck, type CheckArguments } from "./check/open-check.ts";
import { checkLines } from "./check/check-lines.ts";
import { EXIT_CODES, toExitCode } from "./check/checker.ts";
import { writeJson, writeSarif, writeText } from "./check/reports.ts";
import type { Command } from "./parse-arguments.ts";
import { countProgress, createProgress } from "./progress.ts";
import { printLines, runWork } from "./run-command.ts";

const HELP = `Usage: agent-monitor check <file.jsonl|-> [options]

Evaluates conversations from a file, or from the standard input, and prints what the rules find. A line is one of:

  exchange      {"id", "userMessage", "agentResponse", "context", "toolsUsed", ...}
  conversation  {"id", "turns" or "messages": [{"role", "content", "toolsUsed"}], "context"}; OpenAI's and
                Anthropic's messages as well, with their tool calls and results
  events        an EventBatch or an event, as GET /api/batches/export gives them

Options:
  --format <text|json|sarif>                  (default text)
  --json                                      short for --format json
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

Examples:
  agent-monitor check transcripts.jsonl
  agent-monitor check transcripts.jsonl --rules policy.yaml --fail-on warning --format sarif > findings.sarif

Texts are shown as masked excerpts only. Exit code: 0 nothing that fails, 1 something that fails, 2 wrong usage, or
a line could not be read, a rule failed or a request was not judged; the other lines are evaluated.
`;

async function check(args: CheckArguments): Promise<number> {
  const { judging } = args;
  if (judging) return (await import("./judge/run.ts")).checkWithJudge(judging, args);
  const { checker, source, problems } = await openCheck(args);
  const { rules, summary } = checker;
  // Findings on the same terminal show how far it is, and a bar would stand among them.
  const progress = createProgress(args.format !== "text" || process.stdout.isTTY);
  const chunks = countProgress(source.chunks, progress, "answers", () => summary.answers);
  const findings = checkLines(checker, { ...source, chunks });
  const run = { rules, findings, summary, problems };
  const reports = {
    text: () => writeText(run),
    json: () => writeJson("findings", findings, () => summary),
    sarif: () => writeSarif(run),
  };
  await printLines(reports[args.format]());
  return toExitCode(summary, args);
}

/** Evaluates conversations from a file, so that a bank can run the rules over transcripts in its own CI. */
export const checkCommand: Command = {
  help: HELP,
  // Exit code 1 would mean that something was found.
  run: (args) => runWork("check", EXIT_CODES.incomplete, () => check(parseCheckArguments(args))),
};
