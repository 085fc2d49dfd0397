import { toErrorName } from "../util/logger.ts";
import { EXIT_CODES } from "./check/summary.ts";
import { parseImportArguments } from "./judge/arguments.ts";
import { runRecorded } from "./judge/check-with-judge.ts";
import { exportRequests } from "./judge/export.ts";
import { type Command, UsageError, toHint } from "./parse-arguments.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { toPrintable } from "./spool/output.ts";

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
  --fail-on <violation|warning|info|never> the least severity that fails (default violation); the judge's are warnings

Options of both:
  --rules <module.js|policy.yaml>          rules beside the built-in ones (repeatable), as for check
  --settings <file.json>                   compliance settings for every line, as for check
  --help                                   show this
  --version                                show the version

Cases are lines as "agent-monitor check" reads them; with label "violation" or "ok" and expectedCategory they are scored. A reply is
{"id": <of the request>, "reply": <text or JSON>, "model"?, "finishReason"?, "usage"?, "latency"?, "date"?}. Requests hold texts of
the cases; reports show masked excerpts only. Exit code: 0 nothing that fails, 1 something that fails, 2 wrong usage, a line could not
be read, a rule failed, or a request has no reply.
`;

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  export: exportRequests,
  import: async (args) => {
    const parsed = parseImportArguments(args);
    return runRecorded(parsed.files, parsed);
  },
};

/** Exports the requests for a judge's model, and evaluates the recorded replies to them. */
export const judgeCommand: Command = {
  help: HELP,
  async run([name = "", ...args]) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    const names = Object.keys(COMMANDS);
    if (!command) {
      const hint = toHint(name, names);
      throw new UsageError(
        `judge needs a command${hint === "" ? `: expected ${names.join(", ")}` : hint}`,
      );
    }
    try {
      return await command(args);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const reason =
        error instanceof SpoolCommandError ? error.message : `failed (${toErrorName(error)})`;
      process.stderr.write(`agent-monitor: judge ${name}: ${toPrintable(reason)}\n`);
      return EXIT_CODES.incomplete;
    }
  },
};
