import type { BatchAck, RejectedEvent } from "../../events/wire.ts";
import type { ReceivedBatch, ReceivedEvent } from "../validate-batch.ts";
import { inTransaction, type SqlDatabase } from "./sql-database.ts";
import {
  addToSummary,
  createSummary,
  toConversationKey,
  type ConversationSummary,
} from "./summary.ts";

/** How a batch came, beside what it says. */
export interface Delivery {
  /** Digest of the whole plaintext: tells a repetition from another batch under the same id. */
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

const INSERT_EVENT = `
  INSERT OR IGNORE INTO event
    (organization_id, event_id, conversation_key, timestamp, type, batch_id, received_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

// The bytes are UTF-8 already: as a blob they reach SQLite without being decoded and encoded again.
const INSERT_BODY = "INSERT INTO body (seq, json) VALUES (last_insert_rowid(), CAST(? AS TEXT))";

const INSERT_BATCH = `
  INSERT INTO batch
    (organization_id, batch_id, content_hash, received_at, created_at, event_count, total_size, wire_bytes,
     encoding, accepted, duplicates, rejected, rejections)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const MERGE_CONVERSATION = `
  INSERT INTO conversation
    (key, organization_id, agent_id, conversation_id, title, title_at, event_count, finding_count,
     max_severity, max_risk_score, requires_review, started_at, last_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    title = CASE WHEN title_at IS NULL OR excluded.title_at < title_at THEN excluded.title ELSE title END,
    title_at = CASE WHEN title_at IS NULL OR excluded.title_at < title_at THEN excluded.title_at ELSE title_at END,
    event_count = event_count + excluded.event_count,
    finding_count = finding_count + excluded.finding_count,
    max_severity = max(max_severity, excluded.max_severity),
    max_risk_score = max(ifnull(max_risk_score, excluded.max_risk_score), ifnull(excluded.max_risk_score, max_risk_score)),
    requires_review = max(requires_review, excluded.requires_review),
    started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at)`;

function mergeConversation(database: SqlDatabase, summary: ConversationSummary): void {
  database.run(
    MERGE_CONVERSATION,
    summary.key,
    summary.organizationId,
    summary.agentId,
    summary.conversationId,
    summary.title,
    summary.titleAt,
    summary.eventCount,
    summary.findingCount,
    summary.maxSeverity,
    summary.maxRiskScore,
    summary.requiresReview ? 1 : 0,
    summary.startedAt,
    summary.lastAt,
  );
}

function insertEvents(database: SqlDatabase, batch: ReceivedBatch, receivedAt: number): number {
  const summaries = new Map<string, ConversationSummary>();
  let accepted = 0;
  const insert = ({ event, json }: ReceivedEvent): void => {
    const { organizationId, batchId } = batch;
    const key = toConversationKey(organizationId, event);
    const { eventId, timestamp, interactionType } = event;
    if (
      database.run(
        INSERT_EVENT,
        organizationId,
        eventId,
        key,
        timestamp,
        interactionType,
        batchId,
        receivedAt,
      ) === 0
    ) {
      return;
    }
    database.run(INSERT_BODY, json);
    accepted++;
    const summary = summaries.get(key) ?? createSummary(key, organizationId, event);
    summaries.set(key, summary);
    addToSummary(summary, event);
  };
  for (const received of batch.events) insert(received);
  for (const summary of summaries.values()) mergeConversation(database, summary);
  return accepted;
}

function insertBatch(database: SqlDatabase, batch: ReceivedBatch, delivery: Delivery): BatchAck {
  const accepted = insertEvents(database, batch, delivery.receivedAt);
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
  const status = batch.rejected.length > 0 ? "partial" : "accepted";
  return { batchId: batch.batchId, status, accepted, duplicates, rejected: [...batch.rejected] };
}

/** Keeps batches and their events. */
export interface BatchStore {
  /** Gives the ack of a batch that came before, or `conflict` when other content has its id. */
  findDelivered(
    organizationId: string,
    batchId: string,
    contentHash: string,
  ): BatchAck | "conflict" | undefined;
  /** Stores a batch that is new; an event that is known already counts as duplicate. */
  add(batch: ReceivedBatch, delivery: Delivery): BatchAck;
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
      database.run(
        "UPDATE batch SET redeliveries = redeliveries + 1 WHERE organization_id = ? AND batch_id = ?",
        organizationId,
        batchId,
      );
      const { accepted, duplicates } = known;
      const rejected = JSON.parse(known.rejections) as RejectedEvent[];
      return { batchId, status: "duplicate", accepted, duplicates, rejected };
    },
    add: (batch, delivery) => inTransaction(database, () => insertBatch(database, batch, delivery)),
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
