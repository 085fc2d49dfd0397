import { countIntegers } from "../../util/ranges.ts";
import { findChainGaps, linkBatches, type ChainGaps, type ChainLinks } from "./chain-gaps.ts";
import { readChainRecord, type ChainReading } from "./chain-record.ts";
import {
  CHAIN_BREAK_KINDS,
  type ChainAnchor,
  type ChainBreak,
  type ChainFault,
  type ChainReport,
  type ChainStatus,
  type VerifiableBatch,
  type VerifyOptions,
  type WriterReport,
} from "./chain-report.ts";
import type { ChainKey } from "./chain.ts";
import { describeUnresolved } from "./open-end.ts";
import {
  addForeignReport,
  addRecord,
  addSuccessor,
  createWriterRecords,
  judgeSuccessors,
  pickNewest,
  type WriterRecords,
} from "./writer-records.ts";

const MAX_BREAKS = 20;

function compareBreaks(a: ChainBreak, b: ChainBreak): number {
  const [left, right] = [a.sequence ?? Infinity, b.sequence ?? Infinity];
  if (left !== right) return left < right ? -1 : 1;
  return CHAIN_BREAK_KINDS.indexOf(a.kind) - CHAIN_BREAK_KINDS.indexOf(b.kind);
}

function findNewest(links: ChainLinks): number {
  let newest = 0;
  for (const sequence of links.keys()) newest = Math.max(newest, sequence);
  return newest;
}

/** Compares a chain with the anchor of its end. */
function judgeAnchor(
  links: ChainLinks,
  { sequence, hash }: ChainAnchor,
): { fault?: ChainFault & { sequence: number }; doubt?: string } {
  const newest = findNewest(links);
  if (newest < sequence) {
    const detail = `the chain ends before it, although there was a batch ${sequence}`;
    return { fault: { kind: "truncated", detail, sequence: newest + 1 } };
  }
  if (hash === undefined || sequence === 0) return {};
  const hashes =
    links.get(sequence)?.map((link) => link.hash) ??
    links.get(sequence + 1)?.map(({ previous }) => previous);
  if (!hashes) return { doubt: `nothing tells the hash of batch ${sequence}, which is expected` };
  if (hashes.includes(hash)) return {};
  return {
    fault: { kind: "anchor_differs", detail: "it is not the batch that was expected", sequence },
  };
}

/** Describes the doubt that the end of the chain leaves, if any. */
function describeDoubt({ unresolved, unproven }: ChainGaps): string | undefined {
  if (unresolved.length > 0) return describeUnresolved(unresolved);
  if (unproven === undefined) return undefined;
  return `a later batch must tell whether anything is missing with batch ${unproven}`;
}

/** Checks all records of a writer, and reports on them. */
function reportWriter(writer: WriterRecords, anchor: ChainAnchor | undefined): WriterReport {
  const { writerId, batches, repeated, unverified, successors } = writer;
  const { links, breaks } = linkBatches(writer);
  const gaps = findChainGaps(writer, links);
  const end = anchor ? judgeAnchor(links, anchor) : {};
  const found = [...writer.malformed, ...breaks, ...gaps.breaks];
  for (const fault of [...(end.fault ? [end.fault] : []), ...judgeSuccessors(batches, successors)])
    found.push({ ...fault, writerId, batchId: links.get(fault.sequence)?.[0]?.batchId });
  found.sort(compareBreaks);
  const doubts = [...writer.doubts, end.doubt, describeDoubt(gaps)].filter(
    (doubt) => doubt !== undefined,
  );
  const newest = findNewest(links);
  const hash = links.get(newest)?.[0]?.hash;
  const successor = pickNewest(successors);
  return {
    writerId,
    status: found.length > 0 ? "broken" : doubts.length > 0 ? "incomplete" : "verified",
    batches: batches.size,
    repeated,
    absent: newest - batches.size,
    events: countIntegers(writer.present.merged()),
    dropped: Object.fromEntries(writer.dropped),
    last: hash === undefined ? undefined : { sequence: newest, hash },
    ...(successor && {
      successor: { writerId: successor.writerId, sequence: successor.sequence },
    }),
    firstBreak: found[0],
    breaks: found.slice(0, MAX_BREAKS),
    breakCount: found.length,
    unverified,
    unresolved: gaps.unresolved,
    doubts,
  };
}

const NONE: ReadonlySet<string> = new Set();
const NO_KEYS: ReadonlyMap<string, ChainKey["key"]> = new Map();

function findWriter(writers: Map<string, WriterRecords>, writerId: string): WriterRecords {
  const writer = writers.get(writerId) ?? createWriterRecords(writerId);
  writers.set(writerId, writer);
  return writer;
}

function addReading(
  writers: Map<string, WriterRecords>,
  reading: Exclude<ChainReading, { status: "unchained" }>,
): void {
  if (reading.status === "malformed") {
    const { writerId, sequence, batchId, detail } = reading;
    const { malformed } = findWriter(writers, writerId);
    malformed.push({ kind: "malformed", detail, writerId, sequence, batchId });
    return;
  }
  const { record } = reading;
  if (!addRecord(findWriter(writers, record.chain.writerId), record)) return;
  for (const report of record.foreign)
    addForeignReport(findWriter(writers, report.writerId), report, record.reportDoubt);
  const { writerId, sequence: batch } = record.chain;
  for (const { writerId: ended, sequence, hash } of record.predecessors)
    addSuccessor(findWriter(writers, ended), { writerId, batch, sequence, hash });
}

/** Removes what others report of writers whose batches are missing on purpose. */
function leaveOut(writers: Map<string, WriterRecords>, without: ReadonlySet<string>): void {
  for (const writerId of without) {
    const writer = writers.get(writerId);
    if (!writer) continue;
    writer.successors.splice(0);
    if (writer.batches.size === 0 && writer.malformed.length === 0) writers.delete(writerId);
  }
}

function toAnchor(expected: number | ChainAnchor | undefined): ChainAnchor | undefined {
  return typeof expected === "number" ? { sequence: expected } : expected;
}

/** Returns the status of all: unchained batches alone prove nothing, beside chains they are somebody else's. */
function toStatus(writers: readonly WriterReport[]): ChainStatus {
  if (writers.some(({ status }) => status === "broken")) return "broken";
  const isVerified = writers.length > 0 && writers.every(({ status }) => status === "verified");
  return isVerified ? "verified" : "incomplete";
}

/**
 * Verifies the chains of batches, whatever their order: finds batches and events that were changed, removed,
 * moved or added, and names the first broken link of each writer.
 *
 * Keeps a small record of each batch in memory, never its events. A repeated batch is no fault; neither is a
 * planned batch that never came, as long as its events did or were reported as dropped.
 */
export async function verifyBatches(
  batches: AsyncIterable<VerifiableBatch> | Iterable<VerifiableBatch>,
  { keys = NO_KEYS, expectLast = new Map(), without = NONE }: VerifyOptions = {},
): Promise<ChainReport> {
  const writers = new Map<string, WriterRecords>();
  let count = 0;
  let unchained = 0;
  for await (const batch of batches) {
    count++;
    const reading = readChainRecord(batch, keys);
    if (reading.status === "unchained") unchained++;
    else addReading(writers, reading);
  }
  leaveOut(writers, without);
  for (const writerId of expectLast.keys()) findWriter(writers, writerId);
  const reports = Array.from(writers.values(), (writer) =>
    reportWriter(writer, toAnchor(expectLast.get(writer.writerId))),
  );
  return { status: toStatus(reports), batches: count, unchained, writers: reports };
}
