import type { BatchAck, RejectedEvent } from "../../events/wire.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { insertFrame } from "./body-store.ts";
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
export interface StoredBatch {
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
