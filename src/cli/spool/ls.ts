import { readMachine } from "../../delivery/spool/machine.ts";
import {
  isDamaged,
  summariseLetters,
  summariseWriter,
  type LetterSummary,
  type WriterSummary,
} from "../../delivery/spool/spool-view.ts";
import { parseStagingName } from "../../delivery/spool/staging.ts";
import { viewWriter } from "../../delivery/spool/writer-view.ts";
import type { WriterListing } from "../../delivery/spool/writers.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import {
  EXIT_CODES,
  KEY_OPTION,
  openSpool,
  parseCount,
  readSpoolKey,
  takeDirectory,
  WRITER_OPTION,
  type OpenSpool,
} from "./arguments.ts";
import { formatAge, formatBytes, formatCount, formatTable, toPrintable } from "./output.ts";
import type { Reading } from "./read-spool.ts";
import { showEvents } from "./show.ts";

const OPTIONS = {
  ...KEY_OPTION,
  ...WRITER_OPTION,
  event: { type: "string", multiple: true },
  dead: { type: "boolean" },
  limit: { type: "string" },
  content: { type: "boolean" },
  json: { type: "boolean" },
} as const;
const DEFAULT_LIMIT = "100";
const HEAD = [
  "WRITER",
  "OWNER",
  "ORGANIZATION",
  "PENDING",
  "PLANNED",
  "BYTES",
  "OLDEST",
  "REMARKS",
];

const RECORD_REMARKS = {
  valid: undefined,
  missing: "no writer.json",
  damaged: "writer.json unreadable",
  newer: "of a newer version",
} as const;

const JOURNAL_REMARKS = {
  state: undefined,
  none: undefined,
  locked: "journal locked",
  unreadable: "journal unreadable",
} as const;

function toRemarks(writer: WriterSummary): string {
  const { record, journal, encrypted, locked, damagedBytes, missing, newerFrames } = writer;
  const [code = ""] = writer.unreadable;
  return [
    RECORD_REMARKS[record],
    JOURNAL_REMARKS[journal],
    encrypted && "encrypted",
    locked > 0 && `${formatCount(locked, "event")} locked`,
    damagedBytes > 0 && `${formatBytes(damagedBytes)} damaged`,
    missing > 0 && `${formatCount(missing, "event")} missing`,
    newerFrames > 0 && `${formatCount(newerFrames, "entry", "entries")} of a newer version`,
    code !== "" && `${formatCount(writer.unreadable.length, "file")} unreadable (${code})`,
  ]
    .filter((remark) => typeof remark === "string")
    .join(", ");
}

function toRow(writer: WriterSummary, now: number): string[] {
  const { owner, pid, pending, batches, oldestAt, journal } = writer;
  const isKnown = journal === "state" || journal === "none";
  return [
    writer.writerId,
    owner === "alive" && pid !== null ? `alive (pid ${pid})` : owner,
    writer.organizationId === null ? "?" : toPrintable(writer.organizationId),
    isKnown ? String(pending) : `<= ${pending}`,
    batches > 0 ? `${writer.planned} in ${batches}` : "0",
    formatBytes(writer.bytes),
    oldestAt === null ? "-" : formatAge(now - oldestAt),
    toRemarks(writer),
  ];
}

function formatLetters({ count, byReason, locked, damaged }: LetterSummary): string {
  const reasons = Object.entries(byReason).map(([reason, n]) => `${n} ${toPrintable(reason)}`);
  const parts = [...reasons, locked > 0 && `${locked} locked`, damaged > 0 && `${damaged} damaged`];
  const detail = parts.filter((part) => typeof part === "string").join(", ");
  return `dead letters: ${count}${detail === "" ? "" : ` (${detail})`}\n`;
}

function formatForeign({ foreign, foreignCount }: WriterListing): string {
  const unfinished = foreign.filter((name) => parseStagingName(name) !== undefined).length;
  const others = foreign.filter((name) => parseStagingName(name) === undefined);
  const names = others.map((name) => toPrintable(JSON.stringify(name)));
  if (foreignCount > foreign.length) names.push("...");
  return [
    unfinished > 0 &&
      `redrive: ${formatCount(unfinished, "directory", "directories")} unfinished\n`,
    names.length > 0 && `not of the spool: ${foreignCount - unfinished} (${names.join(", ")})\n`,
  ]
    .filter((line) => typeof line === "string")
    .join("");
}

function formatSum(writers: readonly WriterSummary[]): string {
  const pending = writers.reduce((sum, writer) => sum + writer.pending, 0);
  const bytes = writers.reduce((sum, writer) => sum + writer.bytes, 0);
  const parts = [formatCount(writers.length, "writer"), formatCount(pending, "event")];
  return `total: ${parts.join(", ")}, ${formatBytes(bytes)}\n`;
}

/** Lists waiting events, a line per writer. */
async function summariseSpool(
  { source, listing }: OpenSpool,
  reading: Reading,
): Promise<{ readonly report: unknown; readonly text: string }> {
  const machine = readMachine();
  const writers: WriterSummary[] = [];
  for (const entry of listing.writers)
    writers.push(await summariseWriter(source, await viewWriter(source, entry, machine)));
  const deadLetters = await summariseLetters(source);
  if (writers.some(isDamaged) || deadLetters.damaged > 0) reading.isWhole = false;
  const { foreign, foreignCount } = listing;
  const now = Date.now();
  const rows = [HEAD, ...writers.map((writer) => toRow(writer, now))];
  const table = writers.length > 0 ? formatTable(rows) : "";
  return {
    report: { writers, deadLetters, foreign, foreignCount },
    text: table + formatSum(writers) + formatLetters(deadLetters) + formatForeign(listing),
  };
}

/** Lists the content of a spool directory, a line per writer, or single events and dead letters. */
export async function listSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const directory = takeDirectory("ls", positionals);
  const hasNames = values.writer !== undefined || values.event !== undefined;
  const isSingle = hasNames || values.dead === true;
  if (!isSingle && (values.limit !== undefined || values.content === true))
    throw new UsageError("spool ls: --limit and --content need --writer, --event or --dead");
  const limit = parseCount("limit", values.limit ?? DEFAULT_LIMIT);
  const spool = await openSpool(directory, readSpoolKey(values["key-file"]));
  const reading: Reading = { isWhole: true };
  const { report, text } = isSingle
    ? await showEvents(spool, { ...values, limit }, reading)
    : await summariseSpool(spool, reading);
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : text);
  return reading.isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
