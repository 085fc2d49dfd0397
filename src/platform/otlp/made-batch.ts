import { createHash } from "node:crypto";
import { EVENT_SCHEMA_VERSION } from "../../events/base-event.ts";
import { CHECKSUM_PREFIX } from "../../events/batch.ts";
import { uuidV7 } from "../../util/ids.ts";
import { findMember } from "../../util/json-span.ts";
import { parseJsonSteps } from "../parse-json-steps.ts";
import { addBatch, type Delivery } from "../store/batch-store.ts";
import type { ReviewSettings } from "../store/review-desk.ts";
import type { SharedTransaction } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import { parseEnvelope, validateBatch, type ReceivedBatch } from "../validate-batch.ts";

/** Encoding of batches that were created from OpenTelemetry data. */
const ENCODING = "otlp";

const sha256 = (text: Buffer | string): string => createHash("sha256").update(text).digest("hex");

/** Events that were made here, as a batch like one that was received. */
export interface MadeBatch {
  readonly batch: ReceivedBatch;
  readonly delivery: Delivery;
}

/** Makes a batch of events, each as JSON, with the same checks as for a received one. */
export function* makeBatch(
  organizationId: string,
  events: readonly string[],
  now: number,
): Steps<MadeBatch> {
  const array = `[${events.join(",")}]`;
  const envelope = JSON.stringify({
    batchId: uuidV7(now),
    organizationId,
    timestamp: now,
    eventCount: events.length,
    totalSize: Buffer.byteLength(array),
    checksum: CHECKSUM_PREFIX + sha256(array),
    metadata: { batchVersion: EVENT_SCHEMA_VERSION },
  });
  const bytes = Buffer.from(`${envelope.slice(0, -1)},"events":${array}}`);
  const value = yield* parseJsonSteps(bytes);
  const body = { bytes, wireBytes: bytes.length, encoding: "identity", value } as const;
  const batch = yield* validateBatch(parseEnvelope(value), body, findMember(bytes, "events"));
  const contentHash = sha256(bytes);
  return {
    batch,
    delivery: { contentHash, receivedAt: now, wireBytes: bytes.length, encoding: ENCODING },
  };
}

/** How many events are new, and how many were refused. */
export interface AddedEvents {
  readonly accepted: number;
  readonly rejected: number;
}

/** Stores batches. In a transaction. */
export function* addMadeBatches(
  transaction: SharedTransaction,
  batches: readonly MadeBatch[],
  review: ReviewSettings,
): Steps<AddedEvents> {
  let [accepted, rejected] = [0, 0];
  for (const { batch, delivery } of batches) {
    const ack = yield* addBatch(transaction, batch, delivery, review);
    accepted += ack.accepted;
    rejected += ack.rejected.length;
  }
  return { accepted, rejected };
}
