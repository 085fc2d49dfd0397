import { writeFileSync } from "node:fs";
import { toErrorCode } from "../delivery/spool/file-system.ts";
import type { Report } from "../platform/quality/report.ts";
import {
  describePeriod,
  toSections,
  type Section,
} from "../platform/ui/quality/report-sections.ts";
import { type Command, parseArguments, takeOnly, UsageError } from "./parse-arguments.ts";
import {
  ACCESS_OPTIONS,
  readAccess,
  requestPlatform,
  toFailure,
  toPlatformUrl,
} from "./read-platform.ts";
import { runWork } from "./run-command.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { formatTable, toPrintable } from "./spool/output.ts";

const REPORT_PATH = "/api/report";
const TIMEOUT_MILLIS = 120_000;

const HELP = `Usage: agent-monitor report <url> [options]

Prints the supervision report of a local platform: what was supervised, found, sampled and reviewed, by whom, what waits, how
often the rules are right, and what they miss.

Options:
  --from <day>           first day, as 2026-11-01, in UTC (default: 90 days before the last one)
  --to <day>             the day behind the last one (default: tomorrow)
  --html <file>          write it as one HTML document, to be printed or kept
  --json                 print it as JSON
  --api-key <key>        key of the platform (default: AGENT_MONITOR_API_KEY)
  --help                 show this

Examples:
  agent-monitor report http://127.0.0.1:4319
  agent-monitor report http://127.0.0.1:4319 --from 2026-10-01 --to 2027-01-01 --html report.html

Exit code: 0 written, 1 the platform or the file failed, 2 wrong usage.
`;

const PARSE_OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  html: { type: "string" },
  json: { type: "boolean" },
  "api-key": ACCESS_OPTIONS["api-key"],
} as const;

type Values = Readonly<Partial<Record<"api-key" | "from" | "html" | "to", string | undefined>>>;

/** Requests the report in a format. @throws SpoolCommandError */
async function requestReport(
  target: string,
  values: Values,
  [format, mediaType]: readonly [format: string, mediaType: string],
): Promise<string> {
  const access = readAccess(target, values);
  const url = toPlatformUrl(target, access, REPORT_PATH);
  for (const name of ["from", "to"] as const) {
    const value = values[name];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  url.searchParams.set("format", format);
  const signal = AbortSignal.timeout(TIMEOUT_MILLIS);
  try {
    const chunks: Uint8Array[] = [];
    const wanted = { mediaType, name: "a report" };
    for await (const chunk of await requestPlatform(url, access, wanted, signal))
      chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw new SpoolCommandError(`report: ${target}: ${toFailure(error, signal.aborted)}`);
  }
}

function toText({ title, lines, columns, rows }: Section): string {
  const table =
    rows.length === 0
      ? ""
      : formatTable(
          [columns, ...rows.map((row) => row.map(String))].map((row) => row.map(toPrintable)),
        );
  return `\n${title}\n${lines.map((line) => `${toPrintable(line)}\n`).join("")}${table}`;
}

/** Writes a report for people. */
function formatReport(report: Report): string {
  const title = `Supervision report, ${describePeriod(report)} (UTC)\n`;
  return title + toSections(report).map(toText).join("");
}

function writeHtml(file: string, html: string): void {
  try {
    writeFileSync(file, html, { mode: 0o600 });
  } catch (error) {
    throw new SpoolCommandError(`report: ${file} can't be written (${toErrorCode(error)})`);
  }
}

async function printReport(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const target = takeOnly(positionals, "report needs the URL of a platform");
  const { html, json } = values;
  if (html !== undefined && json === true)
    throw new UsageError("--html writes a file, --json prints: take one of them");
  if (html !== undefined) {
    writeHtml(html, await requestReport(target, values, ["html", "text/html"]));
    return 0;
  }
  const text = await requestReport(target, values, ["json", "application/json"]);
  const written = JSON.parse(text) as Report;
  process.stdout.write(
    json === true ? `${JSON.stringify(written, null, 2)}\n` : formatReport(written),
  );
  return 0;
}

/** Prints the supervision report of a platform. */
export const reportCommand: Command = {
  help: HELP,
  run: (args) => runWork("report", 1, () => printReport(args)),
};
