import { BATCH_LINES_MEDIA_TYPE } from "../events/wire.ts";
import { parseArguments, takeOnly, type Command } from "./parse-arguments.ts";
import { splitLines } from "./read-lines.ts";
import {
  ACCESS_OPTIONS,
  readAccess,
  requestPlatform,
  toFailure,
  toPlatformUrl,
} from "./read-platform.ts";
import { describeFailure, runWork } from "./run-command.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { openOutput } from "./spool/output.ts";

const CASES_PATH = "/api/cases";
const TIMEOUT_MILLIS = 60_000;

const HELP = `Usage: agent-monitor export cases <url> [options]

Writes the answers about which people have decided as labelled cases, a line each, for "agent-monitor check": false positives
as what no rule must find ("ok"), violations as what one must find. Identifiers are masked.

Options:
  --from <day>           first day, as 2026-11-01, in UTC (default: 90 days before the last one)
  --to <day>             the day behind the last one (default: tomorrow)
  --agent <id>           answers of this agent only
  --rule <id>            answers in which this rule has found something only
  --out <file>           write to a new file (default: the standard output)
  --api-key <key>        key of the platform (default: AGENT_MONITOR_API_KEY)
  --help                 show this

Examples:
  agent-monitor export cases http://127.0.0.1:4319 --out cases.jsonl && agent-monitor check cases.jsonl

Exit code: 0 written, 1 the platform or the file failed, 2 wrong usage.
`;

const FILTER_NAMES = ["from", "to", "agent", "rule"] as const;

const PARSE_OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  agent: { type: "string" },
  rule: { type: "string" },
  out: { type: "string" },
  "api-key": ACCESS_OPTIONS["api-key"],
} as const;

/** Writes the labelled cases of a platform. @throws UsageError */
async function exportCases(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const target = takeOnly(positionals, "export cases needs the URL of a platform");
  const access = readAccess(target, values);
  const url = toPlatformUrl(target, access, CASES_PATH);
  for (const name of FILTER_NAMES) {
    const value = values[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const wanted = { mediaType: BATCH_LINES_MEDIA_TYPE, name: "cases" };
  const signal = AbortSignal.timeout(TIMEOUT_MILLIS);
  const output = await openOutput(values.out);
  try {
    const chunks = await requestPlatform(url, access, wanted, signal);
    for await (const { bytes } of splitLines(chunks)) if (bytes) await output.write(bytes);
    await output.close();
    return 0;
  } catch (error) {
    await output.abandon();
    if (error instanceof SpoolCommandError) throw error;
    throw new SpoolCommandError(`export cases: ${target}: ${toFailure(error, signal.aborted)}`);
  }
}

/** Writes the labelled cases of a platform. */
export const exportCasesCommand: Command = {
  help: HELP,
  run: (args) => runWork("export cases", 1, () => exportCases(args), describeFailure),
};
