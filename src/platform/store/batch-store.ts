import type { BatchAck, RejectedEvent } from "../../events/wire.ts";
import { noteBatch, noteRepetition } from "../operations/intake.ts";
import type { PlatformStats } from "../options.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { cutBody } from "./batch-body.ts";
import { insertEvents } from "./insert-events.ts";
import { createStatement, db, readRow, readRows } from "./query.ts";
import { announce } from "./webhook-store.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { SharedTransaction, SqlDatabase, Transaction } from "./sql-database.ts";

/** Transport data of a batch. */
export interface Delivery {
  /** Digest of the whole plaintext: distinguishes a repetition from another batch under the same id. */
  readonly contentHash: string;
  readonly receivedAt: number;
  readonly wireBytes: number;
  readonly encoding: string;
}

/** A batch as the ingest log shows it. */
export interface StoredBatch
  extends
    Pick<ReceivedBatch, "batchId" | "eventCount" | "organizationId" | "rejected" | "totalSize">,
    Omit<Delivery, "contentHash"> {
  readonly seq: number;
  readonly createdAt: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly redeliveries: number;
}

/** What a batch is known by. */
type Identity = Readonly<Pick<ReceivedBatch, "batchId" | "organizationId">>;

/** Columns of a batch but for its number. */
interface BatchRow extends Identity, Delivery, Pick<ReceivedBatch, "eventCount" | "totalSize"> {
  readonly timestamp: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejections: string;
}

const INSERT_BATCH = createStatement((values: BatchRow) =>
  db.insertInto("batch").values({
    organization_id: values.organizationId,
    batch_id: values.batchId,
    content_hash: values.contentHash,
    received_at: values.receivedAt,
    created_at: values.timestamp,
    event_count: values.eventCount,
    total_size: values.totalSize,
    wire_bytes: values.wireBytes,
    encoding: values.encoding,
    accepted: values.accepted,
    duplicates: values.duplicates,
    rejected: values.rejected,
    rejections: values.rejections,
  }),
);

const INSERT_FRAME = createStatement((values: Identity & { bytes: Uint8Array; runs: string }) =>
  db.insertInto("frame").values({
    seq: db
      .selectFrom("batch")
      .select("seq")
      .where("organization_id", "=", values.organizationId)
      .where("batch_id", "=", values.batchId),
    bytes: values.bytes,
    runs: values.runs,
  }),
);

/** Stores a new batch; a known event counts as duplicate. In a transaction. */
export function* addBatch(
  database: SharedTransaction,
  batch: ReceivedBatch,
  delivery: Delivery,
  review: ReviewSettings,
): Steps<BatchAck> {
  const { accepted, stored } = yield* insertEvents(database, batch, delivery.receivedAt, review);
  const duplicates = batch.events.length - accepted;
  const { batchId, organizationId, timestamp, eventCount, totalSize, rejected } = batch;
  yield* INSERT_BATCH.send(database, {
    organizationId,
    batchId,
    timestamp,
    eventCount,
    totalSize,
    accepted,
    duplicates,
    rejected: rejected.length,
    rejections: JSON.stringify(rejected),
    ...delivery,
  });
  yield* announceLosses(database, batch, delivery.receivedAt, review);
  const { bytes, runs } = cutBody(batch.body, stored);
  yield* INSERT_FRAME.send(database, {
    organizationId,
    batchId,
    bytes,
    runs: JSON.stringify(runs),
  });
  yield* noteBatch(database, { ...batch, receivedAt: delivery.receivedAt, accepted, duplicates });
  const status = rejected.length > 0 ? "partial" : "accepted";
  return { batchId, status, accepted, duplicates, rejected: [...rejected] };
}

/** Announces the events that an SDK has given up. */
function* announceLosses(
  database: Transaction,
  { organizationId, batchId, lost }: ReceivedBatch,
  at: number,
  { announcing }: ReviewSettings,
): Steps<void> {
  if (lost === 0) return;
  const data = { batchId, count: lost };
  yield* announce(database, announcing, { type: "loss.reported", at, organizationId, data });
}

function readRejections(json: string): RejectedEvent[] {
  return JSON.parse(json) as RejectedEvent[];
}

const FIND_BATCH = createStatement((values: Identity) =>
  db
    .selectFrom("batch")
    .select(["content_hash as hash", "accepted", "duplicates", "rejections"])
    .where("organization_id", "=", values.organizationId)
    .where("batch_id", "=", values.batchId),
);

/** Returns the ack of a batch received before, or `conflict` when other content has its id. */
export function* findDelivered(
  database: SqlDatabase,
  organizationId: string,
  batchId: string,
  contentHash: string,
): Steps<BatchAck | "conflict" | undefined> {
  const [known] = yield* FIND_BATCH.rows(database, { organizationId, batchId });
  if (!known) return undefined;
  const { hash, rejections, ...counts } = known;
  if (hash !== contentHash) return "conflict";
  return { batchId, status: "duplicate", ...counts, rejected: readRejections(rejections) };
}

const COUNT_REDELIVERY = createStatement((values: Identity) =>
  db
    .updateTable("batch")
    .set((eb) => ({ redeliveries: eb("redeliveries", "+", eb.lit(1)) }))
    .where("organization_id", "=", values.organizationId)
    .where("batch_id", "=", values.batchId),
);

/** Counts a redelivery of a batch. In a transaction. */
export function* noteRedelivery(
  database: Transaction,
  { organizationId, batchId }: Identity,
  { accepted, duplicates }: BatchAck,
  now: number,
): Steps<void> {
  yield* COUNT_REDELIVERY.send(database, { organizationId, batchId });
  yield* noteRepetition(database, organizationId, accepted + duplicates, now);
}

const LIST_BATCHES = db
  .selectFrom("batch")
  .select([
    "seq",
    "organization_id as organizationId",
    "batch_id as batchId",
    "received_at as receivedAt",
    "created_at as createdAt",
    "event_count as eventCount",
    "total_size as totalSize",
    "wire_bytes as wireBytes",
    "encoding",
    "accepted",
    "duplicates",
    "rejections",
    "redeliveries",
  ])
  .orderBy("seq", "desc");

/** Lists batches, the newest first. */
export function* listBatches(
  database: SqlDatabase,
  limit: number,
  before: number,
): Steps<StoredBatch[]> {
  const rows = yield* readRows(database, LIST_BATCHES.where("seq", "<", before).limit(limit));
  return rows.map(({ rejections, ...batch }) => ({
    ...batch,
    rejected: readRejections(rejections),
  }));
}

type BatchCounts = Pick<PlatformStats, "batches" | "duplicates" | "events" | "rejected">;

const COUNT_BATCHES = db.selectFrom("batch").select((eb) => {
  const again = eb("redeliveries", "*", eb.parens("accepted", "+", eb.ref("duplicates")));
  return [
    eb.fn.countAll<number>().as("batches"),
    eb.fn.coalesce(eb.fn.sum<number>("accepted"), eb.lit(0)).as("events"),
    eb.fn.coalesce(eb.fn.sum<number>(eb("duplicates", "+", again)), eb.lit(0)).as("duplicates"),
    eb.fn.coalesce(eb.fn.sum<number>("rejected"), eb.lit(0)).as("rejected"),
  ];
});

/** Counts batches and their events. */
export function* countBatches(database: SqlDatabase): Steps<BatchCounts> {
  const counts = yield* readRow(database, COUNT_BATCHES);
  return counts ?? { batches: 0, events: 0, duplicates: 0, rejected: 0 };
}
