import type * as z from "zod";
import type { EventType } from "./base-event.ts";
import { eventSchemas } from "./detailed-event.ts";
import { eventMetadataSchema } from "./metadata.ts";

/** The members that have a type for this kind: those of `EventMetadata` and those of the event's own metadata. */
export function toMemberSchemas(kind: EventType): Record<string, z.ZodType> {
  const metadata: z.ZodObject = eventSchemas[kind].shape.metadata.unwrap();
  return { ...eventMetadataSchema.shape, ...metadata.shape };
}
