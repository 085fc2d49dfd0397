import { parseFormat } from "./check/open-check.ts";
import { EXIT_CODES, FAIL_ON, isWhole } from "./check/checker.ts";
import { readExchanges } from "./judge/judge-cases.ts";
import { noModel, resolveJudge } from "./judge/judge-model.ts";
import { toRequestLine } from "./judge/recording.ts";
import { JUDGE_FORMATS, openCases, runRecorded } from "./judge/run.ts";
import { parseArguments, parseChoice, UsageError } from "./parse-arguments.ts";
import { createGroup, describeFailure, warn } from "./run-command.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { openOutput } from "./spool/output.ts";
import { countNoun } from "../util/count-noun.ts";

const HELP = `Usage: agent-monitor judge <command> [options]

Tries a judge, a language model that reads answers beside the rules, before it is switched on. "agent-monitor check --judge" asks
a model at once; these commands are for any other way to have the requests answered.

Commands:
  export --requests <cases.jsonl|->   write what a model would be asked, one request a line
  import <replies.jsonl>              read the replies, and say how they agree with the labels of the cases

Options of export:
  --out <file>                             a new file (default: the standard output)
  --gate <findings|candidates|everything>  which answers are sent (default candidates)
  --sample-rate <0-1>                      share of the other answers that is sent (default 0.01)
  --content <redacted|full>                what is sent of them (default redacted)

Options of import:
  --requests <requests.jsonl>              what was exported
  --cases <cases.jsonl|->                  the cases that it was exported from
  --format <text|json>                     (default text)
  --json                                   short for --format json
  --fail-on <violation|warning|info|never> the least severity that fails (default violation); the judge's are warnings

Options of both:
  --rules <module.js|policy.yaml>          rules beside the built-in ones (repeatable), as for check
  --settings <file.json>                   compliance settings for every line, as for check
  --help                                   show this
  --version                                show the version

Examples:
  agent-monitor judge export --requests cases.jsonl --out requests.jsonl
  agent-monitor judge import replies.jsonl --requests requests.jsonl --cases cases.jsonl

Cases are lines as "agent-monitor check" reads them; with label "violation" or "ok" and expectedCategory they are scored. A reply is
{"id": <of the request>, "reply": <text or JSON>, "model"?, "finishReason"?, "usage"?, "latency"?, "date"?}. Requests hold texts of
the cases; reports show masked excerpts only. Exit code: 0 nothing that fails, 1 something that fails, 2 wrong usage, a line could
not be read, a rule failed, or a request has no reply.
`;

const RULE_OPTIONS = {
  rules: { type: "string", multiple: true },
  settings: { type: "string" },
  requests: { type: "string" },
} as const;

const EXPORT_OPTIONS = {
  ...RULE_OPTIONS,
  out: { type: "string" },
  gate: { type: "string" },
  "sample-rate": { type: "string" },
  content: { type: "string" },
} as const;

const IMPORT_OPTIONS = {
  ...RULE_OPTIONS,
  cases: { type: "string" },
  json: { type: "boolean" },
  format: { type: "string" },
  "fail-on": { type: "string" },
} as const;

function need(value: string | undefined, message: string): string {
  if (value === undefined || value === "") throw new UsageError(message);
  return value;
}

/** Parses the arguments of `judge export`. @throws UsageError */
function parseExportArguments(args: readonly string[]) {
  const { values, positionals } = parseArguments(args, EXPORT_OPTIONS);
  if (positionals.length > 0) throw new UsageError("judge export takes its file by --requests");
  const { gate, content, out, settings, rules = [] } = values;
  const rate = values["sample-rate"];
  const target = need(values.requests, "judge export needs --requests <cases.jsonl|->");
  const given = {
    // The model of the replies is not known yet.
    model: noModel,
    ...(gate !== undefined && { gate }),
    ...(content !== undefined && { content }),
    ...(rate !== undefined && { sampleRate: rate.trim() === "" ? Number.NaN : Number(rate) }),
  };
  return { target, rules, settings, out, options: resolveJudge(given, "judge export") };
}

/** Judges the recorded replies to exported requests. @throws UsageError */
async function importReplies(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, IMPORT_OPTIONS);
  const [reply, ...others] = positionals;
  if (others.length > 0) throw new UsageError("judge import takes one file of replies");
  const { settings, rules = [] } = values;
  const target = need(values.cases, "judge import needs --cases <cases.jsonl|->");
  const requests = need(values.requests, "judge import needs --requests <requests.jsonl>");
  const replies = need(reply, "judge import needs a file of replies");
  const format = parseFormat(JUDGE_FORMATS, values);
  const failOn = parseChoice("fail-on", FAIL_ON, values["fail-on"] ?? "violation");
  return runRecorded({ requests, replies }, { target, rules, settings, format, failOn });
}

/** Writes the requests of cases, one per line, equal ones once. */
async function exportRequests(args: readonly string[]): Promise<number> {
  const { out, options, ...target } = parseExportArguments(args);
  const { checker, source, questions } = await openCases(target, options);
  const output = await openOutput(out);
  const written = new Set<string>();
  let [answers, sent] = [0, 0];
  for await (const exchange of readExchanges(checker, source)) {
    const asked = questions.toAsked(exchange);
    answers++;
    if (asked.length > 0) sent++;
    for (const question of asked) {
      if (written.has(question.request.id)) continue;
      written.add(question.request.id);
      const line = toRequestLine(question, exchange.place, options);
      await output.write(Buffer.from(JSON.stringify(line)));
    }
  }
  await output.close();
  warn(`${countNoun(written.size, "request")} of ${sent} of ${countNoun(answers, "answer")}`);
  return isWhole(checker.summary) ? EXIT_CODES.passed : EXIT_CODES.incomplete;
}

/** Exports the requests for a judge's model, and evaluates the recorded replies to them. */
export const judgeCommand = createGroup({
  name: "judge",
  help: HELP,
  commands: { export: exportRequests, import: importReplies },
  failed: EXIT_CODES.incomplete,
  describe: (command, error) =>
    error instanceof SpoolCommandError
      ? `judge ${command}: ${error.message}`
      : describeFailure(`judge ${command}:`, error),
});
