import * as z from "zod";
import {
  agentCategorySchema,
  bankingSpecialtySchema,
  errorSeveritySchema,
  eventTypeSchema,
  identifierSchema,
} from "./base-event.ts";
import { lazyObject, lazySchema } from "./lazy-schema.ts";
import { eventMetadataSchema } from "./metadata.ts";

export const interactionEventSchema = lazyObject(() => ({
  sessionId: identifierSchema,
  conversationId: identifierSchema.optional(),
  userId: identifierSchema.optional(),
  interactionType: eventTypeSchema,
  content: z.string().optional().describe("Content of message and error events."),
  toolName: z.string().optional(),
  toolParameters: z.unknown().optional(),
  toolResult: z.unknown().optional(),
  metadata: eventMetadataSchema.optional(),
  errorType: z.string().optional(),
  errorCode: z.string().optional(),
  severity: errorSeveritySchema.optional(),
}));
/** Input of `track`. */
export type InteractionEvent = z.infer<typeof interactionEventSchema>;

export const monitoringOptionsSchema = lazySchema(() =>
  z
    .object({
      requestId: identifierSchema.describe("Request identifier of the event."),
      userId: identifierSchema.describe("User identifier of the event."),
      sessionId: identifierSchema.describe("Overrides the session id."),
      agentCategory: agentCategorySchema.describe(
        "What the event and the rules say of the agent, in place of its registered category.",
      ),
      agentSpecialty: bankingSpecialtySchema.describe(
        "What the event and the rules say of the agent, in place of its registered specialty.",
      ),
      trackConversationStart: z
        .boolean()
        .describe(
          "`true` tracks a start event before the first event of a conversation that is new here; `false` is the default, and drops no start event that is tracked by itself.",
        ),
      complianceChecks: z.boolean().describe("Overrides the global compliance setting."),
    })
    .partial(),
);
/** Options of one interaction. */
export type MonitoringOptions = z.infer<typeof monitoringOptionsSchema>;
