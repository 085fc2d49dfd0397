import type { BatchAck, RejectedEvent } from "../../events/wire.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { insertEvents } from "./insert-events.ts";
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
interface StoredBatch {
  readonly seq: number;
  readonly organizationId: string;
  readonly batchId: string;
  readonly receivedAt: number;
  readonly createdAt: number;
  readonly eventCount: number;
  readonly totalSize: number;
  readonly wireBytes: number;
  readonly encoding: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly RejectedEvent[];
  readonly redeliveries: number;
}

interface BatchCounts {
  readonly batches: number;
  readonly events: number;
  readonly duplicates: number;
  readonly rejected: number;
}

const INSERT_BATCH = `
  INSERT INTO batch
    (organization_id, batch_id, content_hash, received_at, created_at, event_count, total_size, wire_bytes,
     encoding, accepted, duplicates, rejected, rejections)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function* insertBatch(
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
  insertFrame(database, batch.body, stored);
  const status = batch.rejected.length > 0 ? "partial" : "accepted";
  return { batchId: batch.batchId, status, accepted, duplicates, rejected: [...batch.rejected] };
}

/** Stores batches and their events. */
export interface BatchStore {
  /** Returns the ack of a batch received before, or `conflict` when other content has its id. */
  findDelivered(
    organizationId: string,
    batchId: string,
    contentHash: string,
  ): BatchAck | "conflict" | undefined;
  /** Counts a redelivery of a batch. In a transaction. */
  noteRedelivery(organizationId: string, batchId: string): void;
  /** Stores a new batch; a known event counts as duplicate. In a transaction. */
  add(batch: ReceivedBatch, delivery: Delivery): Steps<BatchAck>;
  list(limit: number, before: number): StoredBatch[];
  count(): BatchCounts;
}

/** Creates the store of batches in a database that has the schema. */
export function createBatchStore(database: SqlDatabase): BatchStore {
  return {
    findDelivered(organizationId, batchId, contentHash) {
      const [known] = database.all<{
        hash: string;
        accepted: number;
        duplicates: number;
        rejections: string;
      }>(
        `SELECT content_hash AS hash, accepted, duplicates, rejections
         FROM batch WHERE organization_id = ? AND batch_id = ?`,
        organizationId,
        batchId,
      );
      if (!known) return undefined;
      if (known.hash !== contentHash) return "conflict";
      const { accepted, duplicates } = known;
      const rejected = JSON.parse(known.rejections) as RejectedEvent[];
      return { batchId, status: "duplicate", accepted, duplicates, rejected };
    },
    noteRedelivery(organizationId, batchId) {
      database.run(
        "UPDATE batch SET redeliveries = redeliveries + 1 WHERE organization_id = ? AND batch_id = ?",
        organizationId,
        batchId,
      );
    },
    add: (batch, delivery) => insertBatch(database, batch, delivery),
    list(limit, before) {
      const rows = database.all<Omit<StoredBatch, "rejected"> & { rejections: string }>(
        `SELECT seq, organization_id AS organizationId, batch_id AS batchId, received_at AS receivedAt,
           created_at AS createdAt, event_count AS eventCount, total_size AS totalSize, wire_bytes AS wireBytes,
           encoding, accepted, duplicates, rejections, redeliveries
         FROM batch WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
        before,
        limit,
      );
      return rows.map(({ rejections, ...batch }) => ({
        ...batch,
        rejected: JSON.parse(rejections) as RejectedEvent[],
      }));
    },
    count() {
      const [counts] = database.all<BatchCounts>(
        `SELECT count(*) AS batches, ifnull(sum(accepted), 0) AS events,
           ifnull(sum(duplicates + redeliveries * (accepted + duplicates)), 0) AS duplicates,
           ifnull(sum(rejected), 0) AS rejected
         FROM batch`,
      );
      return counts ?? { batches: 0, events: 0, duplicates: 0, rejected: 0 };
    },
  };
}

/** An event of a body that has a row of its own with the same bytes. */
export interface StoredEvent {
  /** First byte in the body. */
  readonly start: number;
  /** Length in bytes. */
  readonly length: number;
  /** Number of the row. */
  readonly seq: number;
}

/** Rows from `firstSeq`, joined by commas, that belong before the byte `at` of the frame. */
type Run = readonly [at: number, firstSeq: number, count: number];

/** Bytes of a body outside of the events' rows, and the positions of the rows. */
interface BodyFrame {
  readonly bytes: Uint8Array;
  readonly runs: readonly Run[];
}

const COMMA = 0x2c;

/** Removes the events from a body that are stored anyway; they are in the order of the body. */
export function cutBody(body: Uint8Array, stored: readonly StoredEvent[]): BodyFrame {
  const parts: Uint8Array[] = [];
  const runs: [at: number, firstSeq: number, count: number][] = [];
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

/** A batch's JSON exactly as it was received. */
interface StoredBody {
  /** Order of arrival. */
  readonly seq: number;
  readonly json: Buffer;
}

/** Reads batches as they were received. */
export interface BodyStore {
  /** Returns the first batch after another one, of one organization or of any. */
  findNext(after: number, organizationId: string | undefined): StoredBody | undefined;
}

interface RawFrame {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly runs: string;
}

const INSERT_FRAME = "INSERT INTO frame (seq, bytes, runs) VALUES (last_insert_rowid(), ?, ?)";

const NEXT_FRAME = `
  SELECT seq, bytes, runs FROM frame JOIN batch USING (seq)
  WHERE seq > ? AND (? IS NULL OR organization_id = ?) ORDER BY seq LIMIT 1`;

// As bytes: they are sent as they were received.
const ROWS = "SELECT CAST(json AS BLOB) AS json FROM body WHERE seq >= ? AND seq < ? ORDER BY seq";

/** Stores the bytes of a batch outside of its events' rows; the batch's row must be the last that was inserted. */
function insertFrame(
  database: SqlDatabase,
  body: Uint8Array,
  stored: readonly StoredEvent[],
): void {
  const { bytes, runs } = cutBody(body, stored);
  database.run(INSERT_FRAME, bytes, JSON.stringify(runs));
}

/** Creates the reader of batches in a database that has the schema. */
export function createBodyStore(database: SqlDatabase): BodyStore {
  const readRows = (firstSeq: number, count: number): Uint8Array[] =>
    database.all<{ json: Uint8Array }>(ROWS, firstSeq, firstSeq + count).map(({ json }) => json);

  return {
    findNext(after, organizationId) {
      const filter = organizationId ?? null;
      const [row] = database.all<RawFrame>(NEXT_FRAME, after, filter, filter);
      if (!row) return undefined;
      const runs = JSON.parse(row.runs) as BodyFrame["runs"];
      return { seq: row.seq, json: joinBody({ bytes: row.bytes, runs }, readRows) };
    },
  };
}
