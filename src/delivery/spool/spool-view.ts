import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { BatchPlan } from "../batch.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import {
  includesSequence,
  LAST_SEQUENCE,
  scanEvents,
  SequenceSet,
  subtractRanges,
  useWriterPath,
  type ScanFindings,
  type ScannedEvent,
} from "./event-scan.ts";
import { readOnlyFileSystem, toErrorCode } from "./file-system.ts";
import { toCipherOf, type SpoolSource } from "./frame-file.ts";
import { readJournal, type ReadJournal } from "./journal.ts";
import type { Machine } from "./machine.ts";
import { probeOwner, readOwnerRecord } from "./owner.ts";
import {
  isStagingName,
  listWriters,
  measureDirectory,
  readWriterRecord,
  type WriterEntry,
  type WriterListing,
} from "./writers.ts";

/** A spool directory that is read. */
export interface OpenSpool {
  readonly source: SpoolSource;
  readonly listing: WriterListing;
}

/** A spool directory, or the reason for which it is none. */
type SpoolOpening =
  | ({ readonly status: "open" } & OpenSpool)
  | {
      readonly status: "missing" | "no_directory" | "no_permission" | "no_spool" | "failed";
      readonly code: string;
    };

function refuse(code: string): SpoolOpening {
  if (code === "ENOENT") return { status: "missing", code };
  if (code === "ENOTDIR") return { status: "no_directory", code };
  return { status: code === "EACCES" || code === "EPERM" ? "no_permission" : "failed", code };
}

/** Returns whether there is anything of ours; a directory of which everything was delivered is empty. */
function isSpool(listing: WriterListing, hasDeadLetters: boolean): boolean {
  const { writers, ownerIds, foreign, foreignCount } = listing;
  const hasOurs = writers.length > 0 || ownerIds.length > 0 || hasDeadLetters;
  return hasOurs || foreignCount === 0 || foreign.some(isStagingName);
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
    if (!(await stat(path)).isDirectory()) return refuse("ENOTDIR");
  } catch (error) {
    return refuse(toErrorCode(error));
  }
  const listing = listWriters(path);
  if (listing.failure) return refuse(listing.failure.code);
  const dead = await stat(`${path}/dead`).catch(() => undefined);
  if (!isSpool(listing, dead?.isDirectory() === true))
    return { status: "no_spool", code: "no_spool" };
  const files = { fs: readOnlyFileSystem, cipherOf: toCipherOf(spoolKey) };
  return { status: "open", source: { spoolDirectory: path, ...files }, listing };
}

/** Maximum number of reads of a writer while its owner writes. */
const MAX_LOOKS = 3;
/** Maximum number of reads of a journal that is replaced meanwhile. */
const MAX_JOURNAL_READS = 5;
const EVERYTHING: readonly IntegerRange[] = [{ first: 1, last: LAST_SEQUENCE }];

/** Result of reading a journal, or the reason for which it can't be read. */
type JournalView = ReadJournal | { readonly kind: "unreadable"; readonly code: string };

/** State of a writer without its events. */
export type WriterView = Awaited<ReturnType<typeof viewWriter>>;

/** An event that is not settled. */
export interface PendingEventView extends ScannedEvent {
  /** The batch that it is planned in. */
  readonly plan: BatchPlan | undefined;
}

/** Findings in the pending events of a writer. */
export interface PendingFindings extends ScanFindings {
  /** Number of pending events that were found. */
  pending: number;
  /** Number of them that are in a batch. */
  planned: number;
  /** Number of them that can't be decrypted. */
  locked: number;
  /** When the oldest of them happened, milliseconds since the Unix epoch. */
  oldestAt: number | undefined;
  /** Pending events that are in no file; known once everything was read. */
  missing: readonly IntegerRange[];
}

/** Creates empty findings. */
export function createPendingFindings(): PendingFindings {
  const counts = { damagedBytes: 0, newerFrames: 0, pending: 0, planned: 0, locked: 0 };
  const lists = { unreadable: [], missing: [] };
  return { seen: new SequenceSet(), isEncrypted: false, oldestAt: undefined, ...counts, ...lists };
}

async function viewJournal(source: SpoolSource, entry: WriterEntry): Promise<JournalView> {
  const read = (directory: string): Promise<ReadJournal> => readJournal({ ...source, directory });
  try {
    for (let attempt = 0; attempt < MAX_JOURNAL_READS; attempt++) {
      const journal = await useWriterPath(source, entry, read);
      if (journal) return journal;
    }
    return { kind: "unreadable", code: "ENOENT" };
  } catch (error) {
    return { kind: "unreadable", code: toErrorCode(error) };
  }
}

/** Repeats a read that seems torn, a few times: files read while their owner writes are whole at another look. */
export async function readWhole<T>(
  read: () => Promise<T>,
  isTorn: (result: T) => boolean,
): Promise<T> {
  let result = await read();
  for (let look = 1; look < MAX_LOOKS && isTorn(result); look++) result = await read();
  return result;
}

/** Reads a writer's state; never throws. */
export async function viewWriter(source: SpoolSource, entry: WriterEntry, machine: Machine) {
  const { spoolDirectory } = source;
  const owner = readOwnerRecord(spoolDirectory, entry.ownerId);
  return {
    entry,
    owner: await probeOwner(spoolDirectory, entry.ownerId, machine),
    /** Process of the owner; `undefined` when its record can't be read. */
    pid: owner.status === "valid" ? owner.record.pid : undefined,
    record: readWriterRecord(entry.path),
    journal: await viewJournal(source, entry),
    /** Bytes of all its files. */
    bytes: await measureDirectory(entry.path),
  };
}

/** Returns the pending sequences: the events of batches that are not settled, and those in no batch yet. */
function toPendingRanges(journal: JournalView): readonly IntegerRange[] {
  if (journal.kind !== "state") return EVERYTHING;
  const { open, holes, next } = journal.state;
  return mergeRanges([...open, ...holes, { first: next, last: LAST_SEQUENCE }]);
}

/** Returns the state from which an adopter would start; `undefined` when it can't be known. */
export function toOutboxState({ journal }: WriterView): OutboxState | undefined {
  if (journal.kind === "state") return journal.state;
  return journal.kind === "none" ? createOutboxState() : undefined;
}

/** Returns the events that batches of the journal report as dropped. */
function toDeclared({ open }: OutboxState): IntegerRange[] {
  const reports = open.flatMap(({ metadata }) => metadata.dropped ?? []);
  return reports.flatMap(({ firstSequence: first, lastSequence: last, count }) =>
    first !== undefined && last === first + count - 1 ? [{ first, last }] : [],
  );
}

/** Returns the pending events that are in no file; the newest of a living writer may still be in memory. */
function findMissing(
  journal: JournalView,
  seen: readonly IntegerRange[],
  isLive: boolean,
): readonly IntegerRange[] {
  if (journal.kind !== "state") return [];
  const newest = Math.max(seen.at(-1)?.last ?? 0, isLive ? 0 : journal.state.next - 1);
  const behind = [{ first: newest + 1, last: LAST_SEQUENCE }];
  const known = mergeRanges([...seen, ...toDeclared(journal.state), ...behind]);
  return subtractRanges(toPendingRanges(journal), known);
}

/**
 * Reads the pending events of a writer, without claiming anything.
 *
 * Without a readable journal, these are all the events in its files, delivered ones included.
 */
export async function* readPending(
  source: SpoolSource,
  { entry, owner, journal }: WriterView,
  findings: PendingFindings,
): AsyncGenerator<PendingEventView> {
  const isLive = owner !== "dead";
  const ranges = toPendingRanges(journal);
  const plans = journal.kind === "state" ? journal.state.open : [];
  for await (const event of scanEvents(source, entry, isLive, findings)) {
    const { sequence, timestamp, json } = event;
    if (!includesSequence(ranges, sequence)) continue;
    const plan = plans.find(({ first, last }) => first <= sequence && sequence <= last);
    findings.pending++;
    if (plan) findings.planned++;
    if (!json) findings.locked++;
    findings.oldestAt = Math.min(findings.oldestAt ?? Infinity, timestamp);
    yield { ...event, plan };
  }
  // Read again: events delivered meanwhile are gone, and not missing.
  const after = isLive ? await viewJournal(source, entry) : journal;
  findings.missing = findMissing(after, findings.seen.ranges, isLive);
}

/** Reads the pending events of a writer, and counts them. */
export async function countPending(
  source: SpoolSource,
  view: WriterView,
): Promise<PendingFindings> {
  const findings = createPendingFindings();
  const events = readPending(source, view, findings);
  while ((await events.next()).done !== true);
  return findings;
}
