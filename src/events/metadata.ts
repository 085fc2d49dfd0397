import * as z from "zod";
import {
  endReasonSchema,
  errorSourceSchema,
  identifierSchema,
  impactLevelSchema,
  resolutionStatusSchema,
  timestampSchema,
} from "./base-event.ts";
import { lazyObject, lazyPartialObject, lazySchema } from "./lazy-schema.ts";

export const tokenUsageSchema = lazyObject(() => ({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  total: z.number().nonnegative(),
}));
/** Tokens used by a model call. */
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** Accepts 0 to 100. */
export const percentSchema = lazySchema(() => z.number().min(0).max(100));
/** Accepts 1 to 10. */
export const satisfactionSchema = lazySchema(() => z.number().min(1).max(10));
const millisSchema = lazySchema(() => z.number().nonnegative());

/** Approval of an agent's use of a tool: whether it was asked for and granted, by whom and why. */
export const approvalSchema = lazyPartialObject(() => ({
  status: z.enum(["asked", "approved", "refused"]).describe("Where the approval stands."),
  askedAt: timestampSchema.describe("When it was asked for, ms since the Unix epoch."),
  decidedAt: timestampSchema.describe("When it was decided, ms since the Unix epoch."),
  by: z.string().describe("Who decided."),
  reason: z.string().describe("Why it was decided so."),
}));
/** Approval of a tool call. */
export type Approval = z.infer<typeof approvalSchema>;

export const eventMetadataSchema = lazyPartialObject(() => ({
  llmLatency: millisSchema.describe("LLM response time, ms."),
  tokensUsed: tokenUsageSchema.describe("Token statistics."),
  cost: z.number().nonnegative().describe("Calculated cost of the call."),
  temperature: z.number().describe("Temperature used."),
  maxTokens: z.number().nonnegative().describe("Max tokens setting."),
  responseQuality: percentSchema.describe("0 to 100."),
  relevanceScore: percentSchema.describe("0 to 100."),
  coherenceScore: percentSchema.describe("0 to 100."),
  helpfulnessScore: percentSchema.describe("0 to 100."),
  toolExecutionTime: millisSchema.describe("Tool execution time, ms."),
  toolVersion: z.string().describe("Tool version."),
  cacheHit: z.boolean().describe("Result came from a cache."),
  errorStack: z.string().describe("Stack trace."),
  recoverable: z.boolean().describe("Whether the error is recoverable."),
  userImpact: impactLevelSchema.describe("Effect on the user experience."),
  systemImpact: impactLevelSchema.describe("Effect on the system."),
  errorSource: errorSourceSchema.describe("Where the error came from."),
  originalError: z.unknown().describe("Original error object."),
  duration: millisSchema.describe("Conversation duration, ms."),
  messageCount: z.int().nonnegative().describe("Messages exchanged."),
  userSatisfaction: satisfactionSchema.describe("1 to 10."),
  resolutionStatus: resolutionStatusSchema.describe("How the conversation ended."),
  endReason: endReasonSchema.describe("Why the conversation ended."),
  followUpRequired: z.boolean().describe("Follow-up needed."),
  escalationReason: z.string().describe("Reason for escalation."),
  customerTier: z.string().describe("Customer tier or segment."),
  channel: z.string().describe("Communication channel."),
  deviceFingerprint: z.string().describe("Device identification."),
  geolocation: z.string().describe("Geographic location."),
  approval: approvalSchema.describe("Approval of a tool call (an extension)."),
  conversationId: identifierSchema.describe(
    "Names the conversation, for the methods that have no argument for it (an extension).",
  ),
}));
/** Metadata of a tracked event: known members, and any custom key of any type. */
export type EventMetadata = z.infer<typeof eventMetadataSchema>;
