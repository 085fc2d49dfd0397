import type { ChainKey } from "./chain.ts";
import { readChainRecord, type ChainReading } from "./chain-record.ts";
import type {
  ChainAnchor,
  ChainReport,
  ChainStatus,
  VerifiableBatch,
  VerifyOptions,
  WriterReport,
} from "./chain-report.ts";
import {
  addForeignReport,
  addRecord,
  addSuccessor,
  createWriterRecords,
  type WriterRecords,
} from "./writer-records.ts";
import { reportWriter } from "./writer-report.ts";

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

/** Forgets what is said of writers whose batches are not there on purpose. */
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

/** Status of the whole: unchained batches alone prove nothing, beside chains they are somebody else's. */
function toStatus(writers: readonly WriterReport[]): ChainStatus {
  if (writers.some(({ status }) => status === "broken")) return "broken";
  const isVerified = writers.length > 0 && writers.every(({ status }) => status === "verified");
  return isVerified ? "verified" : "incomplete";
}

/**
 * Verifies the chains of batches, whatever their order: finds batches and events that were changed, removed,
 * moved or added, and names the first broken link of each writer.
 *
 * Keeps a small record of each batch in memory, never its events. A batch that comes twice is no fault; a
 * planned batch that never came is none either, as long as its events did or were reported as given up.
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
