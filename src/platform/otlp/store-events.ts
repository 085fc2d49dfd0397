import { createHash } from "node:crypto";
import { EVENT_SCHEMA_VERSION } from "../../events/base-event.ts";
import { CHECKSUM_PREFIX } from "../../events/batch.ts";
import { uuidV7 } from "../../util/ids.ts";
import { parseJsonSteps } from "../parse-json-steps.ts";
import type { Store } from "../store/store.ts";
import type { Steps, Turns } from "../turns.ts";
import { parseEnvelope, validateBatch, type ReceivedBatch } from "../validate-batch.ts";

/** How a batch came that was made of OpenTelemetry data. */
const ENCODING = "otlp";

const sha256 = (text: Buffer | string): string => createHash("sha256").update(text).digest("hex");

function* readBatch(bytes: Buffer): Steps<ReceivedBatch> {
  const value = yield* parseJsonSteps(bytes);
  const body = { bytes, wireBytes: bytes.length, encoding: "identity", value } as const;
  return yield* validateBatch(parseEnvelope(value), body);
}

/**
 * Stores events that were made here, each as JSON, as a batch that came, checked as any other.
 *
 * @returns How many of them are new and how many were refused.
 */
export async function storeEvents(
  store: Store,
  turns: Turns,
  events: readonly string[],
  { organizationId, now }: { readonly organizationId: string; readonly now: number },
): Promise<{ readonly accepted: number; readonly rejected: number }> {
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
  const batch = await turns.take(readBatch(bytes));
  const { accepted, rejected } = await store.write(() =>
    store.batches.add(batch, {
      contentHash: sha256(bytes),
      receivedAt: now,
      wireBytes: bytes.length,
      encoding: ENCODING,
    }),
  );
  return { accepted, rejected: rejected.length };
}
