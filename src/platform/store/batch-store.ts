import type { BatchAck, RejectedEvent } from "../../events/wire.ts";
import type { PlatformStats } from "../options.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { insertEvents, type StoredEvent } from "./insert-events.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Transport data of a batch. */
export interface Delivery {
  /** Digest of the whole plaintext: distinguishes a repetition from another batch under the same id. */
  readonly contentHash: string;
  readonly receivedAt: number;
  readonly wireBytes: number;
  readonly encoding: string;
}

/** A batch as the ingest log shows it. */
interface StoredBatch
  extends
    Pick<ReceivedBatch, "batchId" | "eventCount" | "organizationId" | "rejected" | "totalSize">,
    Omit<Delivery, "contentHash"> {
  readonly seq: number;
  readonly createdAt: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly redeliveries: number;
}

/** Rows from `firstSeq`, joined by commas, that belong before the byte `at` of the frame. */
type Run = [at: number, firstSeq: number, count: number];

/** Bytes of a body outside of the events' rows, and the positions of the rows. */
interface BodyFrame {
  readonly bytes: Uint8Array;
  readonly runs: readonly Readonly<Run>[];
}

const COMMA = 0x2c;

/** Removes the events from a body that are stored anyway; they are in the order of the body. */
export function cutBody(body: Uint8Array, stored: readonly StoredEvent[]): BodyFrame {
  const parts: Uint8Array[] = [];
  const runs: Run[] = [];
  let size = 0;
  let from = 0;
  for (const { start, length, seq } of stored) {
    const run = runs.at(-1);
    const isNext =
      run !== undefined && run[1] + run[2] === seq && start === from + 1 && body[from] === COMMA;
    if (isNext) {
      run[2]++;
    } else {
      parts.push(body.subarray(from, start));
      size += start - from;
      runs.push([size, seq, 1]);
    }
    from = start + length;
  }
  parts.push(body.subarray(from));
  return { bytes: Buffer.concat(parts), runs };
}

/**
 * Restores a body, byte for byte.
 *
 * @param readRows - Returns the existing rows, of `count` from `firstSeq`.
 */
export function joinBody(
  { bytes, runs }: BodyFrame,
  readRows: (firstSeq: number, count: number) => readonly Uint8Array[],
): Buffer {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const [at, firstSeq, count] of runs) {
    parts.push(bytes.subarray(from, at));
    for (const [index, row] of readRows(firstSeq, count).entries()) {
      if (index > 0) parts.push(Buffer.of(COMMA));
      parts.push(row);
    }
    from = at;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

// The batch's row must be the last that was inserted.
const INSERT_FRAME = "INSERT INTO frame (seq, bytes, runs) VALUES (last_insert_rowid(), ?, ?)";

const INSERT_BATCH = `
  INSERT INTO batch
    (organization_id, batch_id, content_hash, received_at, created_at, event_count, total_size, wire_bytes,
     encoding, accepted, duplicates, rejected, rejections)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Stores a new batch; a known event counts as duplicate. In a transaction. */
export function* addBatch(
  database: SqlDatabase,
  batch: ReceivedBatch,
  delivery: Delivery,
): Steps<BatchAck> {
  const { accepted, stored } = yield* insertEvents(database, batch, delivery.receivedAt);
  const duplicates = batch.events.length - accepted;
  database.run(
    INSERT_BATCH,
    batch.organizationId,
    batch.batchId,
    delivery.contentHash,
    delivery.receivedAt,
    batch.timestamp,
    batch.eventCount,
    batch.totalSize,
    delivery.wireBytes,
    delivery.encoding,
    accepted,
    duplicates,
    batch.rejected.length,
    JSON.stringify(batch.rejected),
  );
  const { bytes, runs } = cutBody(batch.body, stored);
  database.run(INSERT_FRAME, bytes, JSON.stringify(runs));
  const status = batch.rejected.length > 0 ? "partial" : "accepted";
  return { batchId: batch.batchId, status, accepted, duplicates, rejected: [...batch.rejected] };
}

function readRejections(json: string): RejectedEvent[] {
  return JSON.parse(json) as RejectedEvent[];
}

const FIND_BATCH = `SELECT content_hash AS hash, accepted, duplicates, rejections
         FROM batch WHERE organization_id = ? AND batch_id = ?`;

/** Returns the ack of a batch received before, or `conflict` when other content has its id. */
export function findDelivered(
  database: SqlDatabase,
  organizationId: string,
  batchId: string,
  contentHash: string,
): BatchAck | "conflict" | undefined {
  type Row = { hash: string; accepted: number; duplicates: number; rejections: string };
  const [known] = database.all<Row>(FIND_BATCH, organizationId, batchId);
  if (!known) return undefined;
  const { hash, rejections, ...counts } = known;
  if (hash !== contentHash) return "conflict";
  return { batchId, status: "duplicate", ...counts, rejected: readRejections(rejections) };
}

/** Counts a redelivery of a batch. In a transaction. */
export function noteRedelivery(
  database: SqlDatabase,
  organizationId: string,
  batchId: string,
): void {
  const sql =
    "UPDATE batch SET redeliveries = redeliveries + 1 WHERE organization_id = ? AND batch_id = ?";
  database.run(sql, organizationId, batchId);
}

const LIST_BATCHES = `SELECT seq, organization_id AS organizationId, batch_id AS batchId, received_at AS receivedAt,
           created_at AS createdAt, event_count AS eventCount, total_size AS totalSize, wire_bytes AS wireBytes,
           encoding, accepted, duplicates, rejections, redeliveries
         FROM batch WHERE seq < ? ORDER BY seq DESC LIMIT ?`;

/** Lists batches, the newest first. */
export function listBatches(database: SqlDatabase, limit: number, before: number): StoredBatch[] {
  type Row = Omit<StoredBatch, "rejected"> & { rejections: string };
  const rows = database.all<Row>(LIST_BATCHES, before, limit);
  return rows.map(({ rejections, ...batch }) => ({
    ...batch,
    rejected: readRejections(rejections),
  }));
}

type BatchCounts = Pick<PlatformStats, "batches" | "duplicates" | "events" | "rejected">;

/** Counts batches and their events. */
export function countBatches(database: SqlDatabase): BatchCounts {
  const [counts] = database.all<BatchCounts>(
    `SELECT count(*) AS batches, ifnull(sum(accepted), 0) AS events,
           ifnull(sum(duplicates + redeliveries * (accepted + duplicates)), 0) AS duplicates,
           ifnull(sum(rejected), 0) AS rejected
         FROM batch`,
  );
  return counts ?? { batches: 0, events: 0, duplicates: 0, rejected: 0 };
}

const NEXT_FRAME = `
  SELECT seq, bytes, runs FROM frame JOIN batch USING (seq)
  WHERE seq > ? AND (? IS NULL OR organization_id = ?) ORDER BY seq LIMIT 1`;

// As bytes: they are sent as they were received.
const ROWS = "SELECT CAST(json AS BLOB) AS json FROM body WHERE seq >= ? AND seq < ? ORDER BY seq";

/** Returns the first batch after another one, of one organization or of any, with its JSON exactly as received. */
export function findNextBody(
  database: SqlDatabase,
  after: number,
  organizationId: string | null,
): { readonly seq: number; readonly json: Buffer } | undefined {
  type Row = { seq: number; bytes: Uint8Array; runs: string };
  const [row] = database.all<Row>(NEXT_FRAME, after, organizationId, organizationId);
  if (!row) return undefined;
  const { seq, bytes } = row;
  const runs = JSON.parse(row.runs) as BodyFrame["runs"];
  const json = joinBody({ bytes, runs }, (firstSeq, count) =>
    database.all<{ json: Uint8Array }>(ROWS, firstSeq, firstSeq + count).map((body) => body.json),
  );
  return { seq, json };
}
