import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { countIntegers } from "../../util/ranges.ts";
import type { SpoolSource } from "./event-scan.ts";
import { toErrorCode } from "./file-system.ts";
import { createFrameCipher } from "./frame.ts";
import { readLetters } from "./letter-view.ts";
import { parseStagingName } from "./staging.ts";
import {
  createPendingFindings,
  readPending,
  readWhole,
  type PendingFindings,
  type WriterView,
} from "./writer-view.ts";
import { listWriters, type WriterListing } from "./writers.ts";

/** Reason for which a directory can't be read as a spool. */
type NoSpoolReason = "missing" | "no_directory" | "no_permission" | "no_spool" | "failed";

/** A spool directory, or the reason for which it is none. */
type SpoolOpening =
  | {
      readonly status: "open";
      readonly source: SpoolSource;
      readonly listing: WriterListing;
    }
  | { readonly status: NoSpoolReason; readonly code: string };

function toReason(code: string): NoSpoolReason {
  if (code === "ENOENT") return "missing";
  if (code === "ENOTDIR") return "no_directory";
  return code === "EACCES" || code === "EPERM" ? "no_permission" : "failed";
}

/** Returns whether there is anything of ours; a directory of which everything was delivered is empty. */
function isSpool(listing: WriterListing, hasDeadLetters: boolean): boolean {
  const { writers, ownerIds, foreign, foreignCount } = listing;
  if (writers.length > 0 || ownerIds.length > 0 || hasDeadLetters || foreignCount === 0)
    return true;
  return foreign.some((name) => parseStagingName(name) !== undefined);
}

/**
 * Opens a directory as a spool to read; never throws, and changes nothing.
 *
 * @param spoolKey - Key under which the files are encrypted, if they are.
 */
export async function openSpoolView(
  directory: string,
  spoolKey?: KeyObject,
): Promise<SpoolOpening> {
  const path = resolve(directory);
  try {
    if (!(await stat(path)).isDirectory()) return { status: "no_directory", code: "ENOTDIR" };
  } catch (error) {
    const code = toErrorCode(error);
    return { status: toReason(code), code };
  }
  const listing = listWriters(path);
  if (listing.failure)
    return { status: toReason(listing.failure.code), code: listing.failure.code };
  const hasDeadLetters = await stat(`${path}/dead`).then(
    (dead) => dead.isDirectory(),
    () => false,
  );
  if (!isSpool(listing, hasDeadLetters)) return { status: "no_spool", code: "no_spool" };
  const source: SpoolSource = {
    directory: path,
    cipherOf: (fileName) => (spoolKey ? createFrameCipher(spoolKey, fileName) : undefined),
  };
  return { status: "open", source, listing };
}

/** Summary of a writer; never has content. */
export interface WriterSummary {
  readonly writerId: string;
  readonly owner: WriterView["owner"];
  readonly pid: number | null;
  /** `null` when `writer.json` does not have it. */
  readonly organizationId: string | null;
  readonly record: WriterView["record"]["status"];
  readonly journal: WriterView["journal"]["kind"];
  /** Events that wait; if the journal can't be read, delivered ones may be among them. */
  readonly pending: number;
  /** Number of pending events in batches, and number of these batches. */
  readonly planned: number;
  readonly batches: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** When the oldest event happened, milliseconds since the Unix epoch. */
  readonly oldestAt: number | null;
  readonly encrypted: boolean;
  /** Events that can't be decrypted. */
  readonly locked: number;
  /** Events that are in no file any more. */
  readonly missing: number;
  readonly damagedBytes: number;
  readonly newerFrames: number;
  /** Codes of system calls, one for each file that could not be read. */
  readonly unreadable: readonly string[];
}

/** Summary of the dead letters; never has content. */
export interface LetterSummary {
  readonly count: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** Letters that can't be decrypted, and letters that can't be read at all. */
  readonly locked: number;
  readonly damaged: number;
}

/** Number of reasons beyond which the rest is summed up. */
const MAX_REASONS = 100;
const OTHER_REASON = "other";

function toSummary(view: WriterView, findings: PendingFindings): WriterSummary {
  const { entry, owner, pid, record, journal, bytes } = view;
  const { pending, planned, oldestAt, locked, damagedBytes, newerFrames, unreadable } = findings;
  return {
    writerId: entry.writerId,
    owner,
    pid: pid ?? null,
    organizationId: record.status === "valid" ? record.record.organizationId : null,
    record: record.status,
    journal: journal.kind,
    pending,
    planned,
    batches: journal.kind === "state" ? journal.state.open.length : 0,
    bytes,
    oldestAt: oldestAt ?? null,
    encrypted: findings.isEncrypted || journal.kind === "locked",
    locked,
    missing: countIntegers(findings.missing),
    damagedBytes,
    newerFrames,
    unreadable,
  };
}

/** Reads all events of a writer, and counts them. */
export async function summariseWriter(
  source: SpoolSource,
  view: WriterView,
): Promise<WriterSummary> {
  const read = async (): Promise<PendingFindings> => {
    const findings = createPendingFindings();
    const events = readPending(source, view, findings);
    while ((await events.next()).done !== true);
    return findings;
  };
  const mayBeTorn = view.owner !== "dead";
  const findings = await readWhole(read, ({ damagedBytes }) => mayBeTorn && damagedBytes > 0);
  return toSummary(view, findings);
}

/** Returns whether more is wrong with a writer than a key that was not given. */
export function isDamaged(summary: WriterSummary): boolean {
  const { record, journal, missing, damagedBytes, newerFrames, unreadable } = summary;
  const isReadable = record === "valid" && journal !== "unreadable";
  return !isReadable || missing + damagedBytes + newerFrames + unreadable.length > 0;
}

/** Reads all dead letters and counts them. @throws the error of the file system. */
export async function summariseLetters(source: SpoolSource): Promise<LetterSummary> {
  const byReason = new Map<string, number>();
  const summary = { count: 0, locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    summary.count++;
    if (view.status !== "letter") {
      summary[view.status]++;
      continue;
    }
    const { reason } = view.letter;
    const key = byReason.has(reason) || byReason.size < MAX_REASONS ? reason : OTHER_REASON;
    byReason.set(key, (byReason.get(key) ?? 0) + 1);
  }
  return { ...summary, byReason: Object.fromEntries(byReason) };
}
