import type { ImportReport } from "../platform/index.ts";
import { countNoun, formatCount } from "../util/count-noun.ts";
import { readOptionFile } from "./option-files.ts";
import { UsageError, parseArguments } from "./parse-arguments.ts";
import { createProgress } from "./progress.ts";
import { formatBytes, formatTable, joinParts } from "./spool/output.ts";
import { formatAuditReport } from "./verify-audit.ts";

/** The part of the help that is about moving to PostgreSQL. */
export const IMPORT_HELP = `Options of platform import, which copies a SQLite file into an empty database of PostgreSQL, and compares all of it:
  --db <file>                the file; no platform may run on it, and it stays as it is
  --database <address>       the database, as above
  --audit-key <file>         shared secret of the audit trail, if it has one
  --json                     print JSON
  Exit code: 0 imported and the same, 1 nothing was imported, 2 wrong usage, 3 imported, but the audit trail is not proven.
`;

const PARSE_OPTIONS = {
  db: { type: "string" },
  database: { type: "string" },
  "audit-key": { type: "string" },
  json: { type: "boolean" },
} as const;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  if (positionals.length > 0)
    throw new UsageError(`platform import takes options only (got ${positionals.join(" ")})`);
  const { db, "audit-key": auditKey } = values;
  if (db === undefined) throw new UsageError("platform import needs --db <file>");
  const database = values.database ?? process.env["AGENT_MONITOR_DATABASE"] ?? "";
  if (database === "") throw new UsageError("platform import needs --database <address>");
  return {
    asJson: values.json === true,
    file: db,
    database,
    ...(auditKey !== undefined && { auditKey: readOptionFile("audit-key", auditKey) }),
  };
}

/** Writes the result for people: a line per table with rows, then what is proven. */
function formatReport(report: ImportReport): string {
  const { tables, rows, changed, batches, bytes, messages, audit } = report;
  const filled = tables.filter((table) => table.rows > 0);
  const parts = joinParts([
    `${countNoun(rows, "row")} of ${countNoun(tables.length, "table")} value by value`,
    `${countNoun(batches, "batch", "batches")} byte for byte (${formatBytes(bytes)})`,
    `${countNoun(messages, "message")} indexed`,
  ]);
  const other =
    changed === 0
      ? ""
      : `changed: ${countNoun(changed, "value")} that PostgreSQL can't hold, with U+FFFD for NUL and half a pair of surrogates\n`;
  const head = ["table", "rows", changed === 0 ? "" : "changed"];
  const lines = filled.map((table) => [
    table.name,
    formatCount(table.rows),
    table.changed === 0 ? "" : formatCount(table.changed),
  ]);
  return `${formatTable([head, ...lines])}the same: ${parts}\n${other}${formatAuditReport(audit)}`;
}

/** Copies a SQLite file into PostgreSQL. */
export async function runImport(args: readonly string[]): Promise<number> {
  const { asJson, ...options } = readOptions(args);
  const { importDatabase } = await import("../platform/index.ts");
  const progress = createProgress(asJson);
  const onProgress = (what: string, done: number): void => progress.show(what, done);
  const report = await importDatabase({ ...options, onProgress }).finally(() => progress.end());
  process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
  return report.audit.status === "verified" ? 0 : 3;
}
