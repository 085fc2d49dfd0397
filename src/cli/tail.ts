import { once } from "node:events";
import { DEFAULT_ENDPOINT } from "../config/config.ts";
import { maskJson } from "../platform/masking.ts";
import { sleep, systemClock } from "../util/clock.ts";
import { createCallPlatform, PlatformCallError, readTarget } from "./call-platform.ts";
import {
  type Command,
  parseArguments,
  parseChoice,
  parseNumber,
  UsageError,
} from "./parse-arguments.ts";
import { ACCESS_OPTIONS, readAccess } from "./read-platform.ts";
import { describeFailure, runWork, warn } from "./run-command.ts";
import { followEvents, type TailedEvent } from "./tail/follow-events.ts";
import { formatEvent, isAtLeast, MIN_SEVERITIES, type MinSeverity } from "./tail/format-event.ts";

const DEFAULT_LAST = 10;
const MAX_LAST = 200;
/** Width of lines where the output is no terminal. */
const DEFAULT_WIDTH = 160;

const HELP = `Usage: agent-monitor tail [url] [options]

Shows what a platform receives as it comes, a line each: time (UTC), agent and version, kind, text with identifiers masked,
and what the rules or the judge found. Asks again while the platform is away, and goes on where it was.

  url  a local platform (default: AGENT_MONITOR_ENDPOINT, else ${DEFAULT_ENDPOINT})

Options:
  --agent <id>           events of this agent only
  --severity <severity>  events with a finding of at least ${MIN_SEVERITIES.slice(1).join(", ")} only (default none: all)
  --last <number>        begin with so many that are there already, 0 to ${MAX_LAST} (default ${DEFAULT_LAST})
  --api-key <key>        key of the platform (default: AGENT_MONITOR_API_KEY)
  --organization <id>    events of this organization only
  --json                 print a line of JSON for each, as /api/events has it, identifiers masked
  --help                 show this
  --version              show the version

Examples:
  agent-monitor tail --severity warning
  agent-monitor tail http://127.0.0.1:4319 --json | jq .event.content

Ends at Ctrl-C, or when its output is closed. Exit code: 0 ended, 1 the platform refuses, 2 wrong usage.
`;

const PARSE_OPTIONS = {
  agent: { type: "string" },
  severity: { type: "string" },
  last: { type: "string" },
  ...ACCESS_OPTIONS,
  json: { type: "boolean" },
} as const;

function parseTailArguments(args: readonly string[]) {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const [url, ...others] = positionals;
  if (others.length > 0) throw new UsageError("tail takes one URL");
  const target = readTarget(url);
  return {
    target,
    access: readAccess(target, values),
    agent: values.agent,
    severity: parseChoice("severity", MIN_SEVERITIES, values.severity ?? "none"),
    last: parseNumber("last", values.last ?? String(DEFAULT_LAST), 0, MAX_LAST),
    isJson: values.json === true,
  };
}

type TailArguments = ReturnType<typeof parseTailArguments>;

function isWanted(
  { event, row }: TailedEvent,
  { agent, severity, access }: TailArguments,
): boolean {
  const { organizationId } = access;
  return (
    (agent === undefined || event["agentId"] === agent) &&
    (organizationId === undefined || row["organizationId"] === organizationId) &&
    (severity === ("none" satisfies MinSeverity) || isAtLeast(event, severity))
  );
}

/** Fires when the process is interrupted, or nobody reads its output any more: both are an end, no failure. */
function createEnd(): AbortSignal {
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  process.stdout.on("error", stop);
  return end.signal;
}

async function tail(args: readonly string[]): Promise<number> {
  const given = parseTailArguments(args);
  const { target, access, last, isJson } = given;
  const call = createCallPlatform(target, access);
  const signal = createEnd();
  const { stdout } = process;
  const events = followEvents({
    call,
    last,
    signal,
    // The wait keeps the process alive, as somebody who waits for lines expects.
    sleep: (millis) =>
      sleep(
        { ...systemClock, schedule: (...timer) => systemClock.schedule(timer[0], timer[1], true) },
        millis,
        signal,
      ),
    onNote: warn,
  });
  for await (const tailed of events) {
    if (signal.aborted) break;
    if (!isWanted(tailed, given)) continue;
    const line = isJson
      ? maskJson(JSON.stringify(tailed.row))
      : formatEvent(tailed.event, stdout.columns ?? DEFAULT_WIDTH);
    if (!stdout.write(`${line}\n`)) await once(stdout, "drain", { signal }).catch(() => undefined);
  }
  return 0;
}

/** Shows events as they arrive. */
export const tailCommand: Command = {
  help: HELP,
  run: (args) =>
    runWork(
      "tail",
      1,
      () => tail(args),
      (subject, error) =>
        error instanceof PlatformCallError ? error.message : describeFailure(subject, error),
    ),
};
