import type { BatchAck } from "../events/wire.ts";
import { ProblemError } from "./problem.ts";
import type { BatchStore, Delivery } from "./store/batch-store.ts";
import type { Steps } from "./turns.ts";
import type { ReceivedBatch } from "./validate-batch.ts";

/** What tells a batch from all others. */
interface BatchIdentity {
  readonly organizationId: string;
  readonly batchId: string;
  readonly contentHash: string;
}

/**
 * Stores a batch that is new, and counts one that is not. In a transaction: two deliveries of one batch at the same
 * time are one.
 *
 * @param batch - Absent when it was known before it was looked at.
 */
export function* receiveOnce(
  batches: BatchStore,
  { organizationId, batchId, contentHash }: BatchIdentity,
  batch: ReceivedBatch | undefined,
  delivery: Delivery,
): Steps<BatchAck> {
  const known = batches.findDelivered(organizationId, batchId, contentHash);
  if (known === "conflict") {
    throw new ProblemError(
      409,
      "batch_conflict",
      "a batch with this id and other content has been received",
    );
  }
  if (known) {
    batches.noteRedelivery(organizationId, batchId);
    return known;
  }
  // Nothing is ever taken out of the database, so what was known still is.
  if (!batch) throw new Error("a batch that was stored is gone");
  return yield* batches.add(batch, delivery);
}
