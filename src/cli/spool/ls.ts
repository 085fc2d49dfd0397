import { readLetters } from "../../delivery/spool/dead-letters.ts";
import type { SpoolSource } from "../../delivery/spool/frame-file.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import {
  countPending,
  readWhole,
  viewWriter,
  type WriterView,
} from "../../delivery/spool/spool-view.ts";
import { isStagingName, type WriterListing } from "../../delivery/spool/writers.ts";
import { countNoun } from "../../util/count-noun.ts";
import { countIntegers } from "../../util/ranges.ts";
import { parseArguments, takeOnly, UsageError } from "../parse-arguments.ts";
import {
  EXIT_CODES,
  KEY_OPTION,
  openSpool,
  parseCount,
  readSpoolKey,
  WRITER_OPTION,
  type Reading,
} from "./arguments.ts";
import { formatAge, formatBytes, formatTable, joinParts, toPrintable } from "./output.ts";
import { describeUnread } from "./read-spool.ts";
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

/** Number of reasons beyond which the rest is summed up. */
const MAX_REASONS = 100;
const OTHER_REASON = "other";

const RECORD_REMARKS: Partial<Record<WriterView["record"]["status"], string>> = {
  missing: "no writer.json",
  damaged: "writer.json unreadable",
  newer: "of a newer version",
};

const JOURNAL_REMARKS: Partial<Record<WriterView["journal"]["kind"], string>> = {
  locked: "journal locked",
  unreadable: "journal unreadable",
};

/** Reads all events of a writer, and counts them; the summary never has content. */
async function summariseWriter(source: SpoolSource, view: WriterView) {
  const { entry, owner, pid, record, journal, bytes } = view;
  const findings = await readWhole(
    () => countPending(source, view),
    ({ damagedBytes }) => owner !== "dead" && damagedBytes > 0,
  );
  return {
    writerId: entry.writerId,
    owner,
    pid: pid ?? null,
    /** `null` when `writer.json` does not have it. */
    organizationId: record.status === "valid" ? record.record.organizationId : null,
    record: record.status,
    journal: journal.kind,
    /** Events that wait; if the journal can't be read, delivered ones may be among them. */
    pending: findings.pending,
    /** Number of pending events in batches, and number of these batches. */
    planned: findings.planned,
    batches: journal.kind === "state" ? journal.state.open.length : 0,
    bytes,
    /** When the oldest event happened, milliseconds since the Unix epoch. */
    oldestAt: findings.oldestAt ?? null,
    encrypted: findings.isEncrypted || journal.kind === "locked",
    /** Events that can't be decrypted. */
    locked: findings.locked,
    /** Events that are in no file any more. */
    missing: countIntegers(findings.missing),
    damagedBytes: findings.damagedBytes,
    newerFrames: findings.newerFrames,
    /** Codes of system calls, one for each file that could not be read. */
    unreadable: findings.unreadable,
  };
}

type WriterSummary = Awaited<ReturnType<typeof summariseWriter>>;

/** Returns whether more is wrong with a writer than a key that was not given. */
function isDamaged(summary: WriterSummary): boolean {
  const { record, journal, missing, damagedBytes, newerFrames, unreadable } = summary;
  const isReadable = record === "valid" && journal !== "unreadable";
  return !isReadable || missing + damagedBytes + newerFrames + unreadable.length > 0;
}

function toRemarks(writer: WriterSummary): string {
  const { record, journal, encrypted, locked, damagedBytes, missing } = writer;
  return joinParts([
    RECORD_REMARKS[record],
    JOURNAL_REMARKS[journal],
    encrypted && "encrypted",
    locked > 0 && `${countNoun(locked, "event")} locked`,
    damagedBytes > 0 && `${formatBytes(damagedBytes)} damaged`,
    missing > 0 && `${countNoun(missing, "event")} missing`,
    ...describeUnread(writer),
  ]);
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

/** Reads all dead letters and counts them; never has content. @throws the error of the file system. */
async function summariseLetters(source: SpoolSource) {
  const reasons = new Map<string, number>();
  const summary = { count: 0, locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    summary.count++;
    if (view.kind !== "letter") {
      summary[view.kind]++;
      continue;
    }
    const { reason } = view.letter;
    const key = reasons.has(reason) || reasons.size < MAX_REASONS ? reason : OTHER_REASON;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  return { ...summary, byReason: Object.fromEntries(reasons) };
}

type LetterSummary = Awaited<ReturnType<typeof summariseLetters>>;

function formatLetters({ count, byReason, locked, damaged }: LetterSummary): string {
  const reasons = Object.entries(byReason).map(([reason, n]) => `${n} ${toPrintable(reason)}`);
  const unread = [locked > 0 && `${locked} locked`, damaged > 0 && `${damaged} damaged`];
  const detail = joinParts([...reasons, ...unread]);
  return `dead letters: ${count}${detail === "" ? "" : ` (${detail})`}\n`;
}

function formatForeign({ foreign, foreignCount }: WriterListing): string {
  const others = foreign.filter((name) => !isStagingName(name));
  const unfinished = foreign.length - others.length;
  const names = others.map((name) => toPrintable(JSON.stringify(name)));
  if (foreignCount > foreign.length) names.push("...");
  const parts = [
    unfinished > 0 && `redrive: ${countNoun(unfinished, "directory", "directories")} unfinished\n`,
    names.length > 0 && `not of the spool: ${foreignCount - unfinished} (${names.join(", ")})\n`,
  ];
  return joinParts(parts, "");
}

function formatSum(writers: readonly WriterSummary[]): string {
  const pending = writers.reduce((sum, writer) => sum + writer.pending, 0);
  const bytes = writers.reduce((sum, writer) => sum + writer.bytes, 0);
  const parts = [countNoun(writers.length, "writer"), countNoun(pending, "event")];
  return `total: ${parts.join(", ")}, ${formatBytes(bytes)}\n`;
}

/** Lists waiting events, a line per writer. */
async function summariseSpool(reading: Reading) {
  const { source, listing } = reading;
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
  const directory = takeOnly(positionals, "spool ls needs one directory");
  const hasNames = values.writer !== undefined || values.event !== undefined;
  const isSingle = hasNames || values.dead === true;
  if (!isSingle && (values.limit !== undefined || values.content === true))
    throw new UsageError("spool ls: --limit and --content need --writer, --event or --dead");
  const limit = parseCount("limit", values.limit ?? DEFAULT_LIMIT);
  const reading = await openSpool(directory, readSpoolKey(values["key-file"]));
  const { report, text } = isSingle
    ? await showEvents(reading, { ...values, limit })
    : await summariseSpool(reading);
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : text);
  return reading.isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
