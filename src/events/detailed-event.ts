import * as z from "zod";
import {
  baseEventSchema,
  endReasonSchema,
  errorSeveritySchema,
  errorSourceSchema,
  impactLevelSchema,
  resolutionStatusSchema,
  riskLevelSchema,
  type EventType,
} from "./base-event.ts";
import { complianceFlagSchema, complianceSeveritySchema } from "./compliance.ts";
import { approvalSchema, percentSchema, satisfactionSchema, tokenUsageSchema } from "./metadata.ts";
import { lazyObject, lazyPartialObject, lazySchema, partialObject } from "./lazy-schema.ts";

export const attachmentInfoSchema = lazyObject(() => ({
  type: z.string().describe("MIME type."),
  size: z.number().nonnegative().describe("Bytes."),
  name: z.string(),
  hash: z.string().optional(),
}));
/** A file that came with a user message. */
export type AttachmentInfo = z.infer<typeof attachmentInfoSchema>;

/** Metadata of an answer, with any part of `LLMMetadata` and `QualityMetrics`. */
const answerMetadataSchema = lazyPartialObject(() => {
  const { model, provider, latency, tokensUsed: _whole, ...others } = llmMetadataSchema.shape;
  const tokensUsed = partialObject(tokenUsageSchema.shape);
  return {
    model,
    provider,
    llmLatency: latency,
    tokensUsed,
    ...others,
    ...qualityMetricsSchema.shape,
  };
});

export const llmMetadataSchema = lazyObject(() => ({
  model: z.string(),
  provider: z.string(),
  latency: z.number().nonnegative().describe("ms"),
  tokensUsed: tokenUsageSchema,
  cost: z.number().nonnegative().optional(),
  temperature: z.number().optional(),
  maxTokens: z.number().nonnegative().optional(),
  topP: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  presencePenalty: z.number().optional(),
}));
/** The model call behind an answer. */
export type LLMMetadata = z.infer<typeof llmMetadataSchema>;

export const qualityMetricsSchema = lazyObject(() => ({
  responseQuality: percentSchema,
  relevanceScore: percentSchema,
  coherenceScore: percentSchema,
  helpfulnessScore: percentSchema,
  factualAccuracy: percentSchema.optional(),
  completeness: percentSchema.optional(),
}));
/** Quality of an answer, 0 to 100 each. */
export type QualityMetrics = z.infer<typeof qualityMetricsSchema>;

const contentSchema = lazyObject(() => ({
  content: z.string(),
  contentHash: z
    .string()
    .optional()
    .describe("`sha256:` and the hex digest of the whole content (UTF-8)."),
  contentLength: z
    .int()
    .nonnegative()
    .describe("UTF-16 units of the whole content, before any truncation."),
}));
const countSchema = lazySchema(() => z.int().nonnegative());

/** Adds the members of a kind of event to those common to all. */
function eventSchema<Shape extends z.core.$ZodLooseShape>(toShape: () => Shape) {
  return lazySchema(() => baseEventSchema.extend(toShape()));
}

export const conversationStartSchema = eventSchema(() => ({
  interactionType: z.literal("conversation_start"),
  metadata: partialObject({
    userAgent: z.string(),
    ipAddress: z.string(),
    referrer: z.string(),
    channel: z.string(),
    customerType: z.string(),
  }).optional(),
}));
/** A conversation began. */
export type ConversationStartEvent = z.infer<typeof conversationStartSchema>;

export const userMessageSchema = eventSchema(() => ({
  interactionType: z.literal("user_message"),
  ...contentSchema.shape,
  metadata: partialObject({
    messageId: z.string(),
    threadId: z.string(),
    attachments: z.array(attachmentInfoSchema),
    sentiment: z.string(),
    language: z.string(),
  }).optional(),
}));
/** The user said something. */
export type UserMessageEvent = z.infer<typeof userMessageSchema>;

export const agentResponseSchema = eventSchema(() => ({
  interactionType: z.literal("agent_response"),
  ...contentSchema.shape,
  llmMetadata: llmMetadataSchema.optional(),
  qualityMetrics: qualityMetricsSchema.optional(),
  complianceFlags: z.array(complianceFlagSchema).optional().describe("Compliance violations."),
  riskScore: percentSchema.optional(),
  requiresReview: z.boolean().optional(),
  metadata: answerMetadataSchema
    .optional()
    .describe(
      "What has no place above; members of `llmMetadata` and `qualityMetrics` while others that they need are missing (an extension).",
    ),
}));
/** The agent answered. */
export type AgentResponseEvent = z.infer<typeof agentResponseSchema>;

export const toolCallSchema = eventSchema(() => ({
  interactionType: z.literal("tool_call"),
  toolName: z.string(),
  toolParameters: z.unknown(),
  toolCategory: z.string().optional(),
  riskLevel: riskLevelSchema.optional(),
  metadata: partialObject({
    toolVersion: z.string(),
    executionContext: z.string(),
    timeout: z.number().nonnegative(),
    retryAttempts: z.number().nonnegative(),
    approval: approvalSchema,
  }).optional(),
}));
/** The agent called a tool. */
export type ToolCallEvent = z.infer<typeof toolCallSchema>;

export const toolResultSchema = eventSchema(() => ({
  interactionType: z.literal("tool_result"),
  toolName: z.string(),
  toolResult: z.unknown(),
  toolError: z.string().optional(),
  executionTime: z.number().nonnegative().describe("ms"),
  success: z.boolean(),
  metadata: partialObject({
    cacheHit: z.boolean(),
    dataSource: z.string(),
    resultSize: z.number().nonnegative().describe("Bytes."),
    retryCount: z.number().nonnegative(),
  }).optional(),
}));
/** A tool returned a result. */
export type ToolResultEvent = z.infer<typeof toolResultSchema>;

export const errorEventSchema = eventSchema(() => ({
  interactionType: z.literal("error"),
  errorType: z.string(),
  errorMessage: z.string(),
  errorStack: z.string().optional(),
  errorCode: z.string().optional(),
  severity: errorSeveritySchema,
  recoverable: z.boolean(),
  metadata: partialObject({
    userImpact: impactLevelSchema,
    systemImpact: impactLevelSchema,
    errorSource: errorSourceSchema,
    originalError: z.unknown(),
    contextInfo: z.unknown(),
  }).optional(),
}));
/** Something failed. */
export type ErrorEvent = z.infer<typeof errorEventSchema>;

export const conversationEndSchema = eventSchema(() => ({
  interactionType: z.literal("conversation_end"),
  duration: z.number().nonnegative().describe("ms"),
  messageCount: countSchema,
  userSatisfaction: satisfactionSchema.optional(),
  resolutionStatus: resolutionStatusSchema,
  metadata: partialObject({
    endReason: endReasonSchema,
    followUpRequired: z.boolean(),
    escalationReason: z.string(),
    avgResponseTime: z.number().nonnegative().describe("ms"),
    toolCallCount: countSchema,
    errorCount: countSchema,
  }).optional(),
}));
/** A conversation ended. */
export type ConversationEndEvent = z.infer<typeof conversationEndSchema>;

export const complianceViolationEventSchema = eventSchema(() => ({
  interactionType: z.literal("compliance_violation"),
  violationType: z.string(),
  severity: complianceSeveritySchema.or(errorSeveritySchema),
  description: z.string(),
  ruleId: z.string(),
  metadata: z.looseObject({}).optional(),
}));
/** The application itself reports a violation through `track` (an extension kind). */
export type ComplianceViolationEvent = z.infer<typeof complianceViolationEventSchema>;

/** Schema of each kind of event, by its `interactionType`. */
export const eventSchemas = {
  conversation_start: conversationStartSchema,
  user_message: userMessageSchema,
  agent_response: agentResponseSchema,
  tool_call: toolCallSchema,
  tool_result: toolResultSchema,
  error: errorEventSchema,
  conversation_end: conversationEndSchema,
  compliance_violation: complianceViolationEventSchema,
} as const satisfies Record<EventType, z.ZodType>;

export const detailedEventSchema = lazySchema(() =>
  z.discriminatedUnion("interactionType", [
    conversationStartSchema,
    userMessageSchema,
    agentResponseSchema,
    toolCallSchema,
    toolResultSchema,
    errorEventSchema,
    conversationEndSchema,
    complianceViolationEventSchema,
  ]),
);
/** An event as it is delivered. */
export type DetailedEvent = z.infer<typeof detailedEventSchema>;
