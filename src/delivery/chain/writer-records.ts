import type { Chain, DroppedReport } from "../../events/chain.ts";
import { RangeSet } from "../../util/ranges.ts";
import type { ChainRecord, ForeignReport } from "./chain-record.ts";
import type { ChainBreak, ChainFault, WriterReport } from "./chain.ts";

/** Record of a batch; small, since there may be a million of them. */
export interface BatchRecord extends Omit<Chain, "writerId" | "keyId" | "predecessors"> {
  readonly batchId: string;
  readonly fault?: ChainFault;
}

/** Maximum number of reasons, of doubts and of successors that are kept. */
const MAX_KEPT = 100;
const OTHER_REASON = "other";

function isSame(a: BatchRecord, b: BatchRecord): boolean {
  return a.batchId === b.batchId && a.hash === b.hash && a.fault?.kind === b.fault?.kind;
}

/** Records of one writer while its batches are read. */
export class WriterRecords {
  readonly writerId: string;
  /** Batches by sequence; more than one only when the chain is broken. */
  readonly batches = new Map<number, BatchRecord[]>();
  repeated = 0;
  /** Events that are present, and events that were dropped. */
  readonly present = new RangeSet();
  readonly givenUp = new RangeSet();
  /** Summed-up reports: `count` of the events between first and last were dropped. */
  readonly summedUp: DroppedReport[] = [];
  /** Sequence of the newest event that another writer's batch reports, 0 if none does. */
  newestForeign = 0;
  /** Later writers that name its end. */
  readonly successors: Successor[] = [];
  readonly dropped = new Map<string, number>();
  readonly doubts = new Set<string>();
  unverified = 0;
  readonly malformed: ChainBreak[] = [];

  constructor(writerId: string) {
    this.writerId = writerId;
  }

  /**
   * Adds a batch, in any order.
   *
   * @returns Whether it is new: an identical earlier record makes it a repetition.
   */
  add(record: ChainRecord): boolean {
    const batch = this.#toBatchRecord(record);
    const known = this.batches.get(batch.sequence) ?? [];
    if (known.some((other) => isSame(other, batch))) {
      this.repeated++;
      return false;
    }
    this.batches.set(batch.sequence, [...known, batch]);
    for (const range of record.events) this.present.add(range);
    for (const report of record.dropped) this.#addReport(report);
    if (record.doubt !== undefined) this.unverified++;
    this.#addDoubt(record.doubt);
    return true;
  }

  /** Adds a report by a batch of another writer. */
  addForeignReport(report: ForeignReport, doubt: string | undefined): void {
    this.#addReport(report);
    this.newestForeign = Math.max(this.newestForeign, report.lastSequence ?? 0);
    this.#addDoubt(doubt);
  }

  /** Adds a later writer that names the end of this one. */
  addSuccessor(successor: Successor): void {
    const { sequence, hash } = successor;
    const isKnown = this.successors.some((one) => one.sequence === sequence && one.hash === hash);
    if (!isKnown && this.successors.length < MAX_KEPT) this.successors.push(successor);
  }

  #toBatchRecord({ batchId, chain, fault }: ChainRecord): BatchRecord {
    const { sequence, hash, firstEvent, lastEvent, replaces } = chain;
    // The same text as the hash of the previous batch, if that is here already: one copy is enough.
    const known = this.batches.get(sequence - 1)?.find((other) => other.hash === chain.previous);
    const previous = known ? known.hash : chain.previous;
    const record = { batchId, sequence, hash, previous, firstEvent, lastEvent };
    return { ...record, ...(replaces && { replaces }), ...(fault && { fault }) };
  }

  #addReport(report: DroppedReport): void {
    const { reason, count, firstSequence: first, lastSequence: last } = report;
    const { dropped } = this;
    const name = dropped.has(reason) || dropped.size < MAX_KEPT ? reason : OTHER_REASON;
    dropped.set(name, (dropped.get(name) ?? 0) + count);
    if (first === undefined || last === undefined || first > last) return;
    if (count >= last - first + 1) this.givenUp.add({ first, last });
    else this.summedUp.push(report);
  }

  #addDoubt(doubt: string | undefined): void {
    if (doubt !== undefined && this.doubts.size < MAX_KEPT) this.doubts.add(doubt);
  }
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

/** Returns the highest sequence of batches, 0 if there are none. */
export function findNewest(batches: ReadonlyMap<number, unknown>): number {
  let newest = 0;
  for (const sequence of batches.keys()) newest = Math.max(newest, sequence);
  return newest;
}

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
  const newest = findNewest(batches);
  if (newest > sequence) return { kind: "batch_missing", detail: `it is gone: ${named}`, sequence };
  const detail = `its batches are missing from ${newest + 1} on: ${named}`;
  return { kind: "truncated", detail, sequence: newest + 1 };
}

/** Compares the batches of a writer with the ends that later writers name. */
export function judgeSuccessors({ batches, successors }: WriterRecords): PlacedFault[] {
  return successors.flatMap((successor) => judge(batches, successor) ?? []);
}

/** Returns the successor that names the furthest end, and that end. */
export function pickNewest(successors: readonly Successor[]): WriterReport["successor"] {
  const [newest] = successors.toSorted((a, b) => b.sequence - a.sequence);
  return newest && { writerId: newest.writerId, sequence: newest.sequence };
}
