import { createHash } from "node:crypto";
import type { AgentInfo } from "../events/agent.ts";
import type { BatchEnvelope } from "../events/batch.ts";
import type { BatchAck } from "../events/wire.ts";
import { countNoun } from "../util/count-noun.ts";
import type { PlatformContext } from "./platform-context.ts";
import { ProblemError } from "./problem.ts";
import type { JsonBody } from "./read-body.ts";
import type { ReadEnvelope } from "./read-envelope.ts";
import { putAgent } from "./store/agent-store.ts";
import { addBatch, findDelivered, noteRedelivery, type Delivery } from "./store/batch-store.ts";
import { type Steps, followSteps } from "./turns.ts";
import { type ReceivedBatch, validateBatch } from "./validate-batch.ts";
import type { SharedTransaction } from "./store/sql-database.ts";
import type { ReviewSettings } from "./store/review-desk.ts";

/** What storing needs. */
type StoreRoom = Pick<PlatformContext, "options" | "store" | "turns">;

/**
 * Stores a new batch, and counts a repeated one. In a transaction: two deliveries of one batch at the same
 * time are one.
 *
 * @param batch - Absent when the batch was known before its events were read.
 */
function* receiveOnce(
  transaction: SharedTransaction,
  review: ReviewSettings,
  { organizationId, batchId }: BatchEnvelope,
  batch: ReceivedBatch | undefined,
  delivery: Delivery,
): Steps<BatchAck> {
  const known = yield* findDelivered(transaction, organizationId, batchId, delivery.contentHash);
  if (known === "conflict") {
    const detail = "a batch with this id and other content has been received";
    throw new ProblemError("batch_conflict", detail);
  }
  if (known) {
    yield* noteRedelivery(transaction, { organizationId, batchId }, known, delivery.receivedAt);
    return known;
  }
  // Nothing is ever removed from the database, so a known batch still exists.
  if (!batch) throw new Error("a batch that was stored is gone");
  return yield* addBatch(transaction, batch, delivery, review);
}

/**
 * Checks the events of a batch and stores them; throws a problem where none is valid, or where another batch has its id.
 *
 * @param findArrival - Returns when it came, once it is its turn to be written; milliseconds since the Unix epoch.
 * @param onQueued - Called once nothing that comes later is written before it.
 */
export async function storeBatch(
  { options, store, turns }: StoreRoom,
  body: JsonBody,
  { envelope, array }: ReadEnvelope,
  findArrival: () => number,
  onQueued: () => void = () => {},
): Promise<BatchAck> {
  const { batchId, organizationId } = envelope;
  const contentHash = createHash("sha256").update(body.bytes).digest("hex");
  const known = await followSteps(
    findDelivered(store.database, organizationId, batchId, contentHash),
  );
  const batch = known ? undefined : await turns.take(validateBatch(envelope, body, array));
  const { wireBytes, encoding } = body;
  const stored = store.writeShared((transaction) => {
    const delivery = { contentHash, receivedAt: findArrival(), wireBytes, encoding };
    return receiveOnce(transaction, store.review, envelope, batch, delivery);
  }, batch?.events.length);
  onQueued();
  const ack = await stored;
  if (ack.status !== "duplicate") {
    const { accepted, duplicates, rejected } = ack;
    const counts = `${accepted} accepted, ${countNoun(duplicates, "duplicate")}, ${rejected.length} rejected`;
    options.logger.info(`batch ${batchId}: ${counts}`);
  }
  return ack;
}

/** Stores an agent's profile; returns whether the agent is new. */
export async function storeAgent(
  { options: { clock, logger }, store }: StoreRoom,
  organizationId: string,
  agent: AgentInfo,
): Promise<boolean> {
  const now = clock.now();
  const { isNew, changed } = await store.write((transaction) =>
    putAgent(transaction, organizationId, agent, now),
  );
  logger.info(`agent ${agent.id}: ${isNew ? "registered" : "updated"}`);
  if (changed.length > 0) {
    const before = `this version was registered before with another profile (${changed.join(", ")})`;
    logger.warn(`agent ${agent.id}: ${before}; both are kept`);
  }
  return isNew;
}
