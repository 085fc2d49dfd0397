import { createHash } from "node:crypto";
import { CONVERSATION_EXPORT_PATH } from "../events/wire.ts";
import { exportCasesCommand } from "./export-cases.ts";
import {
  type Command,
  parseArguments,
  parseChoice,
  takeOnly,
  UsageError,
} from "./parse-arguments.ts";
import {
  ACCESS_OPTIONS,
  isPlatformUrl,
  readAccess,
  requestPlatform,
  toFailure,
  toPlatformUrl,
} from "./read-platform.ts";
import { runWork, warn } from "./run-command.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { formatBytes, openBytes } from "./spool/output.ts";

const MEDIA_TYPES = {
  jsonl: "application/x-ndjson",
  csv: "text/csv",
  rsmf: "application/zip",
} as const;
const FORMATS = Object.keys(MEDIA_TYPES) as (keyof typeof MEDIA_TYPES)[];

const HELP = `Usage: agent-monitor export <url> [options]
       agent-monitor export cases <url> [options]

Writes conversations of a local platform to a file, identifiers masked, with their findings and decisions. The platform's audit
trail gets who has exported what, and the SHA-256 of the whole.

Options:
  --format <format>     jsonl (default): a line for each event and finding, digests, a manifest; verify checks it
                        csv: a row for each event and finding; rsmf: a ZIP archive of RSMF 2.0 files, one a conversation
  --out <file>          the new file (default: the standard output)
  --agent <id>          conversations with this agent only
  --version-of <version>, --environment <environment>
                        with an event of this version of the agent, in this environment
  --customer <id>       with an event of this user
  --conversation <key>  this one
  --from <time>, --to <time>
                        that were under way at or after, at or before a time: 2026-11-30 or 2026-11-30T09:30Z (UTC)
  --hold <id>           what a legal hold is of
  --unmasked            identifiers as they are; for supervisors, with a --reason
  --reason <text>       why, for the audit trail
  --api-key <key>       key of the platform (default: AGENT_MONITOR_API_KEY)
  --organization <id>   of this organization only
  --json                say what was written as JSON; needs --out
  --help                show this
  --version             show the version

Examples:
  agent-monitor export http://127.0.0.1:4319 --hold 17 --out doe.jsonl && agent-monitor verify doe.jsonl
  agent-monitor export http://127.0.0.1:4319 --format rsmf --agent assistant --from 2026-11-01 --out november.zip

Exit code: 0 written, 1 the platform can't be read or has refused, 2 wrong usage.
`;

const PARSE_OPTIONS = {
  format: { type: "string" },
  out: { type: "string" },
  agent: { type: "string" },
  "version-of": { type: "string" },
  environment: { type: "string" },
  customer: { type: "string" },
  conversation: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  hold: { type: "string" },
  unmasked: { type: "boolean" },
  reason: { type: "string" },
  ...ACCESS_OPTIONS,
  json: { type: "boolean" },
} as const;

const MEMBERS = {
  agent: "agent",
  "version-of": "version",
  environment: "environment",
  customer: "customer",
  conversation: "conversation",
  from: "from",
  to: "to",
  hold: "hold",
  reason: "reason",
  organization: "organization",
} as const;

const FAILED = 1;
/** Longest silence of a platform. */
const IDLE_TIMEOUT_MILLIS = 60_000;

async function writeExport(
  request: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>,
  out: string | undefined,
) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), IDLE_TIMEOUT_MILLIS);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const body = await request(silence.signal);
    const output = await openBytes(out);
    try {
      for await (const chunk of body) {
        timer.refresh();
        hash.update(chunk);
        bytes += chunk.length;
        await output.write(chunk);
      }
      await output.close();
    } catch (error) {
      await output.abandon();
      throw error;
    }
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    throw silence.signal.aborted ? new Error("silent") : error;
  } finally {
    clearTimeout(timer);
  }
}

async function exportConversations(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const target = takeOnly(positionals, "export needs the URL of a platform");
  if (!isPlatformUrl(target)) throw new UsageError("export needs the URL of a platform");
  if (values.json && values.out === undefined) throw new UsageError("--json needs --out");
  const format = parseChoice("format", FORMATS, values.format ?? "jsonl");
  const access = readAccess(target, values);
  const url = toPlatformUrl(target, access, CONVERSATION_EXPORT_PATH);
  url.searchParams.set("format", format);
  for (const [option, member] of Object.entries(MEMBERS)) {
    const value = values[option as keyof typeof MEMBERS];
    if (value !== undefined) url.searchParams.set(member, value);
  }
  if (values.unmasked) url.searchParams.set("unmasked", "true");
  const wanted = { mediaType: MEDIA_TYPES[format], name: `an export as ${format}` };
  try {
    const written = await writeExport(
      (signal) => requestPlatform(url, access, wanted, signal),
      values.out,
    );
    const { bytes, sha256 } = written;
    if (values.json) process.stdout.write(`${JSON.stringify({ format, ...written })}\n`);
    else process.stderr.write(`agent-monitor: ${formatBytes(bytes)}, sha256 ${sha256}\n`);
    return 0;
  } catch (error) {
    // Of the file, not of the platform.
    if (error instanceof SpoolCommandError) throw error;
    warn(`${url.origin}: ${toFailure(error, false)}`);
    return FAILED;
  }
}

/** Writes conversations of a platform to a file, or its labelled cases. */
export const exportCommand: Command = {
  help: HELP,
  run: ([first, ...rest]) =>
    first === "cases"
      ? exportCasesCommand.run(rest)
      : runWork("export", FAILED, () =>
          exportConversations(first === undefined ? [] : [first, ...rest]),
        ),
};
