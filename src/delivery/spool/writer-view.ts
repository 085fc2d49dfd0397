import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { countIntegers, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { BatchPlan } from "../batch.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import {
  createScanFindings,
  includesSequence,
  scanEvents,
  subtractRanges,
  useWriterPath,
  type ScanFindings,
  type ScannedEvent,
  type SpoolSource,
} from "./event-scan.ts";
import { readOnlyFileSystem, toErrorCode } from "./file-system.ts";
import { readJournal, type ReadJournal } from "./journal.ts";
import type { Machine } from "./machine.ts";
import { readWriterRecord, type WriterRecord } from "./open-writer.ts";
import { readOwnerRecord } from "./owner-record.ts";
import { probeOwner, type OwnerState } from "./owner.ts";
import type { RecordReading } from "./record-file.ts";
import type { WriterEntry } from "./writers.ts";

/** Maximum number of reads of a writer while its owner writes. */
const MAX_LOOKS = 3;
/** Maximum number of reads of a journal that is replaced meanwhile. */
const MAX_JOURNAL_READS = 5;
const LAST_SEQUENCE = Number.MAX_SAFE_INTEGER;
const EVERYTHING: readonly IntegerRange[] = [{ first: 1, last: LAST_SEQUENCE }];

/** Result of reading a journal, or the reason for which it can't be read. */
export type JournalView = ReadJournal | { readonly kind: "unreadable"; readonly code: string };

/** State of a writer without its events. */
export interface WriterView {
  readonly entry: WriterEntry;
  readonly owner: OwnerState;
  /** Process of the owner; `undefined` when its record can't be read. */
  readonly pid: number | undefined;
  readonly record: RecordReading<WriterRecord>;
  readonly journal: JournalView;
  /** Bytes of all its files. */
  readonly bytes: number;
}

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
  return {
    ...createScanFindings(),
    pending: 0,
    planned: 0,
    locked: 0,
    oldestAt: undefined,
    missing: [],
  };
}

/** Returns whether a pending event could not be read. */
export function isIncomplete(findings: PendingFindings): boolean {
  const { locked, missing, damagedBytes, newerFrames, unreadable } = findings;
  return locked + damagedBytes + newerFrames + unreadable.length > 0 || countIntegers(missing) > 0;
}

async function viewJournal(source: SpoolSource, entry: WriterEntry): Promise<JournalView> {
  const { cipherOf } = source;
  const read = (directory: string): Promise<ReadJournal> =>
    readJournal({ directory, fs: readOnlyFileSystem, cipherOf });
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

function sumBytes(path: string): number {
  let bytes = 0;
  try {
    for (const name of readdirSync(path)) bytes += lstatSync(join(path, name)).size;
  } catch {
    // Files come and go while somebody writes.
  }
  return bytes;
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
export async function viewWriter(
  source: SpoolSource,
  entry: WriterEntry,
  machine: Machine,
): Promise<WriterView> {
  const { directory } = source;
  const owner = readOwnerRecord(directory, entry.ownerId);
  return {
    entry,
    owner: await probeOwner(directory, entry.ownerId, machine),
    pid: owner.status === "valid" ? owner.record.pid : undefined,
    record: readWriterRecord(entry.path),
    journal: await viewJournal(source, entry),
    bytes: sumBytes(entry.path),
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
