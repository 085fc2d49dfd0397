import { RangeSet } from "../../util/ranges.ts";
import type { Chain, DroppedReport } from "../../events/chain.ts";
import type { ChainRecord, ForeignReport } from "./chain-record.ts";
import type { ChainBreak, ChainFault } from "./chain-report.ts";
import type { Successor } from "./successors.ts";

/** What is kept of each batch; there may be a million of them. */
export interface BatchRecord extends Omit<Chain, "writerId" | "keyId" | "predecessors"> {
  readonly batchId: string;
  readonly fault?: ChainFault;
}

/** What is known of one writer while its batches are read. */
export interface WriterRecords {
  readonly writerId: string;
  /** Batches by sequence; more than one only when the chain is broken. */
  readonly batches: Map<number, BatchRecord[]>;
  repeated: number;
  /** Events that are there, and events that were given up. */
  readonly present: RangeSet;
  readonly givenUp: RangeSet;
  /** Reports that are summed up: of the events between first and last, so many were given up. */
  readonly summedUp: DroppedReport[];
  /** Sequence of the newest event that another writer's batch reports, 0 if none does. */
  newestForeign: number;
  /** What later writers say of its end. */
  readonly successors: Successor[];
  readonly dropped: Map<string, number>;
  readonly doubts: Set<string>;
  unverified: number;
  readonly malformed: ChainBreak[];
}

/** Reasons and doubts are told up to this number. */
const MAX_TOLD = 100;
const OTHER_REASON = "other";

/** Starts the records of a writer. */
export function createWriterRecords(writerId: string): WriterRecords {
  return {
    writerId,
    batches: new Map(),
    repeated: 0,
    present: new RangeSet(),
    givenUp: new RangeSet(),
    summedUp: [],
    newestForeign: 0,
    successors: [],
    dropped: new Map(),
    doubts: new Set(),
    unverified: 0,
    malformed: [],
  };
}

function addReport(writer: WriterRecords, report: DroppedReport): void {
  const { reason, count, firstSequence: first, lastSequence: last } = report;
  const { dropped } = writer;
  const name = dropped.has(reason) || dropped.size < MAX_TOLD ? reason : OTHER_REASON;
  dropped.set(name, (dropped.get(name) ?? 0) + count);
  if (first === undefined || last === undefined || first > last) return;
  if (count >= last - first + 1) writer.givenUp.add({ first, last });
  else writer.summedUp.push(report);
}

function isSame(a: BatchRecord, b: BatchRecord): boolean {
  return a.batchId === b.batchId && a.hash === b.hash && a.fault?.kind === b.fault?.kind;
}

function toBatchRecord(writer: WriterRecords, { batchId, chain, fault }: ChainRecord): BatchRecord {
  const { sequence, hash, firstEvent, lastEvent, replaces } = chain;
  // The same text as the hash of the batch before, if that is here already: one copy is enough.
  const known = writer.batches.get(sequence - 1)?.find((other) => other.hash === chain.previous);
  const previous = known ? known.hash : chain.previous;
  const record = { batchId, sequence, hash, previous, firstEvent, lastEvent };
  return { ...record, ...(replaces && { replaces }), ...(fault && { fault }) };
}

function addDoubt({ doubts }: WriterRecords, doubt: string): void {
  if (doubts.size < MAX_TOLD) doubts.add(doubt);
}

/** Adds what a later writer says of the end of this one. */
export function addSuccessor({ successors }: WriterRecords, successor: Successor): void {
  const { sequence, hash } = successor;
  const isKnown = successors.some((one) => one.sequence === sequence && one.hash === hash);
  if (!isKnown && successors.length < MAX_TOLD) successors.push(successor);
}

/** Adds what a batch of another writer reports. */
export function addForeignReport(
  writer: WriterRecords,
  report: ForeignReport,
  doubt: string | undefined,
): void {
  addReport(writer, report);
  writer.newestForeign = Math.max(writer.newestForeign, report.lastSequence ?? 0);
  if (doubt !== undefined) addDoubt(writer, doubt);
}

/**
 * Adds a batch, in any order.
 *
 * @returns Whether it is new: what came before in the same words counts as repetition.
 */
export function addRecord(writer: WriterRecords, record: ChainRecord): boolean {
  const batch = toBatchRecord(writer, record);
  const known = writer.batches.get(batch.sequence) ?? [];
  if (known.some((other) => isSame(other, batch))) {
    writer.repeated++;
    return false;
  }
  writer.batches.set(batch.sequence, [...known, batch]);
  for (const range of record.events) writer.present.add(range);
  for (const report of record.dropped) addReport(writer, report);
  if (record.doubt === undefined) return true;
  writer.unverified++;
  addDoubt(writer, record.doubt);
  return true;
}
