import { countIntegers } from "../../util/ranges.ts";
import { describeOpenEnd, findChainGaps } from "./chain-gaps.ts";
import { readChainRecord, type ChainReading } from "./chain-record.ts";
import {
  CHAIN_BREAK_KINDS,
  toAnchor,
  type ChainAnchor,
  type ChainBreak,
  type ChainFault,
  type ChainReport,
  type ChainStatus,
  type VerifiableBatch,
  type VerifyOptions,
  type WriterReport,
} from "./chain.ts";
import { readPurgedBatch } from "./purged-batch.ts";
import {
  findNewest,
  judgeSuccessors,
  pickNewest,
  WriterRecords,
  type BatchRecord,
} from "./writer-records.ts";

/** A batch that is present, or that another one declares. */
type ChainLink = Pick<BatchRecord, "batchId" | "hash" | "previous">;

/** Batches of a writer by sequence. */
type ChainLinks = Map<number, readonly ChainLink[]>;

function toBreak(
  writerId: string,
  record: BatchRecord,
  fault: Omit<ChainBreak, "writerId">,
): ChainBreak {
  return { ...fault, writerId, sequence: record.sequence, batchId: record.batchId };
}

function recordsOf({ batches }: WriterRecords): BatchRecord[] {
  return [...batches.values()].flat();
}

/** Adds the batches that others replace, and returns declarations that contradict known batches. */
function declareReplaced(writer: WriterRecords, links: ChainLinks): ChainBreak[] {
  return recordsOf(writer).flatMap((record): ChainBreak[] => {
    const { replaces, sequence } = record;
    if (!replaces) return [];
    const known = links.get(replaces.sequence);
    const isKnown = known?.some(
      (link) =>
        link.hash === replaces.hash &&
        link.batchId === replaces.batchId &&
        link.previous === replaces.previous,
    );
    if (replaces.sequence < sequence && !known) {
      links.set(replaces.sequence, [replaces]);
      return [];
    }
    if (replaces.sequence < sequence && isKnown === true) return [];
    const detail = `what it says of batch ${replaces.sequence}, which it replaces, is not so`;
    return [toBreak(writer.writerId, record, { kind: "replacement_differs", detail })];
  });
}

function judgePrevious(
  sequence: number,
  previous: string | null,
  before: readonly ChainLink[] | undefined,
): string | undefined {
  if (sequence === 1)
    return previous === null ? undefined : "it is the first, but names one before";
  if (previous === null) return "it names no batch before it";
  if (!before || before.some(({ hash }) => hash === previous)) return undefined;
  return `what it says of batch ${sequence - 1}, which it follows, is not so`;
}

function findBrokenLinks(writerId: string, links: ChainLinks): ChainBreak[] {
  return [...links].flatMap(([sequence, alternatives]) =>
    alternatives.flatMap(({ batchId, previous }): ChainBreak[] => {
      const detail = judgePrevious(sequence, previous, links.get(sequence - 1));
      return detail === undefined
        ? []
        : [{ kind: "link_broken", detail, writerId, sequence, batchId }];
    }),
  );
}

function findForks({ writerId, batches }: WriterRecords): ChainBreak[] {
  return [...batches].flatMap(([sequence, [first, second]]): ChainBreak[] => {
    if (!first || !second) return [];
    if (first.batchId === second.batchId && first.hash === second.hash) return [];
    const detail = `the batch ${second.batchId} has the same place`;
    return [{ kind: "fork", detail, writerId, sequence, batchId: first.batchId }];
  });
}

/** Links the batches of a writer, including those that others declare as replaced, and returns the breaks found. */
function linkBatches(writer: WriterRecords): { links: ChainLinks; breaks: ChainBreak[] } {
  const links: ChainLinks = new Map(writer.batches);
  const differing = declareReplaced(writer, links);
  const faults = recordsOf(writer).flatMap((record) =>
    record.fault ? [toBreak(writer.writerId, record, record.fault)] : [],
  );
  const broken = findBrokenLinks(writer.writerId, links);
  return { links, breaks: [...faults, ...findForks(writer), ...differing, ...broken] };
}

const MAX_BREAKS = 20;

function compareBreaks(a: ChainBreak, b: ChainBreak): number {
  const [left, right] = [a.sequence ?? Infinity, b.sequence ?? Infinity];
  if (left !== right) return left < right ? -1 : 1;
  return CHAIN_BREAK_KINDS.indexOf(a.kind) - CHAIN_BREAK_KINDS.indexOf(b.kind);
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
  const detail = "it is not the batch that was expected";
  return { fault: { kind: "anchor_differs", detail, sequence } };
}

/** Checks all records of a writer, and reports on them. */
function reportWriter(writer: WriterRecords, anchor: ChainAnchor | undefined): WriterReport {
  const { writerId, batches, repeated, unverified, successors } = writer;
  const { links, breaks } = linkBatches(writer);
  const gaps = findChainGaps(writer, [...links.keys()]);
  const end = anchor ? judgeAnchor(links, anchor) : {};
  const found = [...writer.malformed, ...breaks, ...gaps.breaks];
  for (const fault of [...(end.fault ? [end.fault] : []), ...judgeSuccessors(writer)])
    found.push({ ...fault, writerId, batchId: links.get(fault.sequence)?.[0]?.batchId });
  found.sort(compareBreaks);
  const doubts = [...writer.doubts, end.doubt, describeOpenEnd(gaps)].filter(
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
    ...(successor && { successor }),
    firstBreak: found[0],
    breaks: found.slice(0, MAX_BREAKS),
    breakCount: found.length,
    unverified,
    unresolved: gaps.unresolved,
    doubts,
  };
}

function findWriter(writers: Map<string, WriterRecords>, writerId: string): WriterRecords {
  const writer = writers.get(writerId) ?? new WriterRecords(writerId);
  writers.set(writerId, writer);
  return writer;
}

function addReading(
  writers: Map<string, WriterRecords>,
  reading: Exclude<ChainReading, { status: "unchained" }>,
): void {
  if (reading.status === "malformed") {
    findWriter(writers, reading.fault.writerId).malformed.push(reading.fault);
    return;
  }
  const { record } = reading;
  if (!findWriter(writers, record.chain.writerId).add(record)) return;
  for (const report of record.foreign)
    findWriter(writers, report.writerId).addForeignReport(report, record.reportDoubt);
  const { writerId, sequence: batch } = record.chain;
  for (const { writerId: ended, sequence, hash } of record.predecessors)
    findWriter(writers, ended).addSuccessor({ writerId, batch, sequence, hash });
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
  { keys = new Map(), expectLast = new Map(), without = new Set(), onPurged }: VerifyOptions = {},
): Promise<ChainReport> {
  const writers = new Map<string, WriterRecords>();
  let count = 0;
  let unchained = 0;
  for await (const batch of batches) {
    count++;
    const purged = onPurged && readPurgedBatch(batch);
    if (purged) onPurged?.(purged);
    const reading = readChainRecord(batch, keys, purged);
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
