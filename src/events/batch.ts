import * as z from "zod";
import { identifierSchema, timestampSchema } from "./base-event.ts";
import { chainSchema, droppedReportSchema } from "./chain.ts";
import { detailedEventSchema, type DetailedEvent } from "./detailed-event.ts";
import { functionSchema, loggerSchema } from "./utility.ts";
import { lazyObject, lazyPartialObject, lazySchema } from "./lazy-schema.ts";

/** Prefix of `EventBatch.checksum`; the hex digest follows. */
export const CHECKSUM_PREFIX = "sha256:";

export const batchMetadataSchema = lazyPartialObject(() => ({
  batchVersion: z.string(),
  compressionType: z.string(),
  encryptionInfo: z.string(),
  chain: chainSchema.describe("Place of the batch in the chain of its writer."),
  dropped: z
    .array(droppedReportSchema)
    .describe("Events that were given up since the last report."),
}));

/** The batch without its events, which are validated one by one. */
export const batchEnvelopeSchema = lazySchema(() =>
  z.strictObject({
    batchId: identifierSchema.describe("Unique batch identifier (UUID v7), the idempotency key."),
    organizationId: identifierSchema,
    timestamp: timestampSchema.describe("Batch creation time, milliseconds since the Unix epoch."),
    events: z.array(z.unknown()).min(1),
    eventCount: z.int().positive().describe("Number of events."),
    totalSize: z.int().positive().describe("UTF-8 bytes of the serialised `events` array."),
    checksum: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional()
      .describe(
        "`sha256:` and the hex digest of the UTF-8 bytes of the `events` array as serialised.",
      ),
    metadata: batchMetadataSchema.optional(),
  }),
);
/** A batch whose events are not validated. */
export type BatchEnvelope = z.infer<typeof batchEnvelopeSchema>;

export const eventBatchSchema = lazySchema(() =>
  batchEnvelopeSchema.extend({
    events: z.array(detailedEventSchema).min(1),
  }),
);
/** A batch as it is sent to the platform. */
export type EventBatch = z.infer<typeof eventBatchSchema>;

export const encryptionConfigSchema = lazyObject(() => ({
  enabled: z.boolean(),
  algorithm: z.string().optional(),
  keyId: z.string().optional(),
}));
/** Payload encryption. */
export type EncryptionConfig = z.infer<typeof encryptionConfigSchema>;

export const eventBatcherConfigSchema = lazyObject(() => ({
  batchSize: z.int().min(1).max(1000),
  flushInterval: z.number().min(100).describe("ms"),
  onFlush: functionSchema<(events: DetailedEvent[]) => Promise<void>>("(events) => Promise<void>"),
  logger: loggerSchema,
  maxRetries: z.int().min(0).optional(),
  retryDelay: z.number().min(0).optional().describe("ms"),
  compression: z.boolean().optional(),
  encryption: encryptionConfigSchema.optional(),
}));
/**
 * Configuration of a batcher, in the words of the interface.
 *
 * Nothing of the SDK takes one: the monitor's own batches are set by `batchSize`, `flushInterval`, `retryAttempts`,
 * `retryDelay`, `compression` and `encryption` of the configuration. For applications that batch events of their own, for
 * example those of `EventBatch`.
 */
export type EventBatcherConfig = z.infer<typeof eventBatcherConfigSchema>;
