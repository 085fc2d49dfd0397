import * as z from "zod";
import { identifierSchema } from "./base-event.ts";
import { lazySchema } from "./lazy-schema.ts";

export const purgedEventSchema = lazySchema(() =>
  z.strictObject({
    purged: z.strictObject({
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/)
        .describe("Of its bytes as they stood in the batch."),
      length: z.int().nonnegative().describe("Number of these bytes."),
      writerId: identifierSchema.optional(),
      sequence: z.int().positive().optional().describe("Its place among the events of the writer."),
    }),
  }),
);
/** Stands in a batch in the place of an event that was purged. */
export type PurgedEvent = z.infer<typeof purgedEventSchema>;

export const purgeDetailSchema = lazySchema(() =>
  z.object({
    batches: z.array(
      z.object({
        batchId: z.string(),
        seal: z.string(),
        places: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
        isIntact: z.boolean().optional(),
      }),
    ),
  }),
);
/** What the record of a purge says of batches. */
export type PurgeDetail = z.infer<typeof purgeDetailSchema>;
