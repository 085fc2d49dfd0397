import type { Chain, DroppedReport } from "../../events/chain.ts";
import { RangeSet } from "../../util/ranges.ts";
import type { ChainRecord, ForeignReport } from "./chain-record.ts";
import type { ChainBreak, ChainFault } from "./chain.ts";

/** Record of a batch; small, since there may be a million of them. */
export interface BatchRecord extends Omit<Chain, "writerId" | "keyId" | "predecessors"> {
  readonly batchId: string;
  readonly fault?: ChainFault;
}

/** Records of one writer while its batches are read. */
export interface WriterRecords {
  readonly writerId: string;
  /** Batches by sequence; more than one only when the chain is broken. */
  readonly batches: Map<number, BatchRecord[]>;
  repeated: number;
  /** Events that are present, and events that were dropped. */
  readonly present: RangeSet;
  readonly givenUp: RangeSet;
  /** Summed-up reports: `count` of the events between first and last were dropped. */
  readonly summedUp: DroppedReport[];
  /** Sequence of the newest event that another writer's batch reports, 0 if none does. */
  newestForeign: number;
  /** Later writers that name its end. */
  readonly successors: Successor[];
  readonly dropped: Map<string, number>;
  readonly doubts: Set<string>;
  unverified: number;
  readonly malformed: ChainBreak[];
}

/** Maximum number of reasons, of doubts and of successors that are kept. */
const MAX_KEPT = 100;
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
  const name = dropped.has(reason) || dropped.size < MAX_KEPT ? reason : OTHER_REASON;
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
  // The same text as the hash of the previous batch, if that is here already: one copy is enough.
  const known = writer.batches.get(sequence - 1)?.find((other) => other.hash === chain.previous);
  const previous = known ? known.hash : chain.previous;
  const record = { batchId, sequence, hash, previous, firstEvent, lastEvent };
  return { ...record, ...(replaces && { replaces }), ...(fault && { fault }) };
}

function addDoubt({ doubts }: WriterRecords, doubt: string): void {
  if (doubts.size < MAX_KEPT) doubts.add(doubt);
}

/** Adds a later writer that names the end of this one. */
export function addSuccessor({ successors }: WriterRecords, successor: Successor): void {
  const { sequence, hash } = successor;
  const isKnown = successors.some((one) => one.sequence === sequence && one.hash === hash);
  if (!isKnown && successors.length < MAX_KEPT) successors.push(successor);
}

/** Adds a report by a batch of another writer. */
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
 * @returns Whether it is new: an identical earlier record makes it a repetition.
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

/** A later writer of the same spool directory, which names the last accepted batch of this one. */
interface Successor {
  readonly writerId: string;
  /** Sequence of its batch that names it. */
  readonly batch: number;
  readonly sequence: number;
  readonly hash: string;
}

type PlacedFault = ChainFault & { readonly sequence: number };

function judge(
  batches: ReadonlyMap<number, readonly BatchRecord[]>,
  { writerId, batch, sequence, hash }: Successor,
): PlacedFault | undefined {
  const known = batches.get(sequence);
  if (known?.some((record) => record.hash === hash)) return undefined;
  const named = `writer ${writerId} followed it, and names batch ${sequence} as its last (in its batch ${batch})`;
  if (known) {
    const detail = `it is not the one that was delivered: ${named}`;
    return { kind: "anchor_differs", detail, sequence };
  }
  let newest = 0;
  for (const one of batches.keys()) newest = Math.max(newest, one);
  if (newest > sequence) return { kind: "batch_missing", detail: `it is gone: ${named}`, sequence };
  const detail = `its batches are missing from ${newest + 1} on: ${named}`;
  return { kind: "truncated", detail, sequence: newest + 1 };
}

/** Compares the batches of a writer with the ends that later writers name. */
export function judgeSuccessors(
  batches: ReadonlyMap<number, readonly BatchRecord[]>,
  successors: readonly Successor[],
): PlacedFault[] {
  return successors.flatMap((successor) => judge(batches, successor) ?? []);
}

/** Returns the successor that names the furthest end. */
export function pickNewest(successors: readonly Successor[]): Successor | undefined {
  return successors.toSorted((a, b) => b.sequence - a.sequence)[0];
}
