import * as z from "zod";
import { identifierSchema } from "./base-event.ts";
import { lazyObject, lazySchema } from "./lazy-schema.ts";

/** Prefixes of a chain's hashes: anybody can compute the first, only holders of the key the second. */
export const PLAIN_HASH_PREFIX = "sha256:";
export const KEYED_HASH_PREFIX = "hmac-sha256:";

const hashSchema = lazySchema(() =>
  z.string().regex(/^(?:hmac-)?sha256:[0-9a-f]{64}$/, {
    error: "expected sha256: or hmac-sha256: and 64 hex digits",
  }),
);

const sequenceSchema = lazySchema(() => z.int().positive());

const replacedBatchSchema = lazyObject(() => ({
  batchId: identifierSchema,
  sequence: sequenceSchema,
  hash: hashSchema,
  previous: hashSchema.nullable(),
}));

export const predecessorSchema = lazyObject(() => ({
  writerId: identifierSchema,
  sequence: sequenceSchema.describe("Of the newest of its batches that the platform has taken."),
  hash: hashSchema.describe("`hash` of that batch."),
}));
/** Last state of a writer that has ended. */
export type Predecessor = z.infer<typeof predecessorSchema>;

export const chainSchema = lazySchema(() =>
  z
    .object({
      writerId: identifierSchema.describe("Whose chain it is (UUID v7)."),
      sequence: sequenceSchema.describe("Position among the batches of the writer, from 1."),
      previous: hashSchema
        .nullable()
        .describe("`hash` of the batch planned before; `null` for the first."),
      firstEvent: sequenceSchema.describe("Sequence of the first event that the batch covers."),
      lastEvent: sequenceSchema.describe("Sequence of the last one."),
      hash: hashSchema.describe("Digest of the batch and of everything above."),
      keyId: identifierSchema.optional().describe("Key of the digest, if it has one."),
      replaces: replacedBatchSchema
        .optional()
        .describe("The batch that was refused and whose events are sent again in this one."),
      predecessors: z
        .array(predecessorSchema)
        .min(1)
        .optional()
        .describe("Writers of the same spool directory that have ended, and how far each got."),
    })
    .refine(({ firstEvent, lastEvent }) => firstEvent <= lastEvent, {
      error: "expected firstEvent to be at most lastEvent",
      path: ["lastEvent"],
    }),
);
/** Place of a batch in the chain of its writer. */
export type Chain = z.infer<typeof chainSchema>;

export const droppedReportSchema = lazyObject(() => ({
  reason: identifierSchema.describe("Why, for example `dead`, `expired` or `queue_full`."),
  count: z.int().positive().describe("Number of events."),
  firstSequence: sequenceSchema
    .optional()
    .describe("Sequence of the first of them, if they had got any."),
  lastSequence: sequenceSchema
    .optional()
    .describe("Sequence of the last; events between the two are among them if `count` says so."),
  writerId: identifierSchema
    .optional()
    .describe("Whose events they were, when not the writer of this batch."),
}));
/** Events that were given up. */
export type DroppedReport = z.infer<typeof droppedReportSchema>;
