import { hash } from "node:crypto";
import { cutString, toJsonValue, type JsonValue } from "../util/safe-json.ts";
import type { AgentInfo } from "./agent.ts";
import {
  EVENT_SCHEMA_VERSION,
  errorSeveritySchema,
  type BaseEvent,
  type Environment,
  type EventType,
} from "./base-event.ts";
import { complianceSeveritySchema } from "./compliance.ts";
import type { DetailedEvent, LLMMetadata, QualityMetrics } from "./detailed-event.ts";
import { describeError, isFailedResult, type DescribedError } from "./error-description.ts";
import type { MetadataReader } from "./metadata-reader.ts";
import type { TokenUsage } from "./metadata.ts";

/** Something that was tracked, identified and checked, before it has the shape of its kind. */
export interface Interaction {
  readonly kind: EventType;
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly content?: string | undefined;
  readonly toolName?: string | undefined;
  readonly toolParameters?: unknown;
  readonly toolResult?: unknown;
  readonly executionTime?: number | undefined;
  readonly error?: unknown;
}

/** What this process has seen of a conversation. */
export interface ConversationTotals {
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly errorCount: number;
  /** Mean time in ms from a user message to the answer. */
  readonly averageResponseMillis?: number | undefined;
}

export interface BuildOptions {
  readonly eventId: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly environment: Environment;
  readonly agent?: AgentInfo | undefined;
  readonly totals: ConversationTotals;
  /** Bound of content and of every free value, in UTF-16 units. */
  readonly maxLength: number;
}

type Build = (
  base: BaseEvent,
  interaction: Interaction,
  metadata: MetadataReader,
  options: BuildOptions,
) => DetailedEvent;

interface ContentFields {
  content: string;
  contentHash?: string;
  contentLength: number;
}

function toContentFields(content: string, maxLength: number, metadata: MetadataReader): ContentFields {
  const cut = cutString(content, maxLength);
  if (cut.length === content.length) {
    return {
      content,
      contentHash: `sha256:${hash("sha256", content)}`,
      contentLength: content.length,
    };
  }
  // A hash of a part would pass for a hash of the whole, and hashing the whole could take seconds.
  metadata.add("truncated", true);
  return { content: cut, contentLength: content.length };
}

function toFreeValue(value: unknown, maxLength: number, metadata: MetadataReader): JsonValue {
  const copy = toJsonValue(value, maxLength);
  if (copy.truncated) metadata.add("truncated", true);
  return copy.value;
}

/** Takes members out of the metadata by name, under the same name. */
function takeAll(metadata: MetadataReader, names: readonly string[]): Record<string, JsonValue> {
  const taken: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = metadata.take(name);
    if (value !== undefined) taken[name] = value;
  }
  return taken;
}

const OPTIONAL_LLM_FIELDS = ["cost", "temperature", "maxTokens", "topP", "frequencyPenalty", "presencePenalty"];
const QUALITY_FIELDS = ["responseQuality", "relevanceScore", "coherenceScore", "helpfulnessScore"];
const OPTIONAL_QUALITY_FIELDS = ["factualAccuracy", "completeness"];

function toLlmMetadata(metadata: MetadataReader, agent: AgentInfo | undefined): { llmMetadata?: LLMMetadata } {
  const model = agent?.model ?? metadata.peek("model");
  const provider = agent?.llmProvider ?? metadata.peek("provider");
  const isKnown = metadata.has("llmLatency") && metadata.has("tokensUsed");
  if (!isKnown || typeof model !== "string" || typeof provider !== "string") return {};
  const latency = metadata.takeNumber("llmLatency") ?? 0;
  // The reader has checked both members.
  const tokensUsed = metadata.take("tokensUsed") as TokenUsage;
  const numbers = OPTIONAL_LLM_FIELDS.filter((name) => typeof metadata.peek(name) === "number");
  return { llmMetadata: { model, provider, latency, tokensUsed, ...takeAll(metadata, numbers) } };
}

function toQualityMetrics(metadata: MetadataReader): { qualityMetrics?: QualityMetrics } {
  if (!QUALITY_FIELDS.every((name) => metadata.has(name))) return {};
  const inRange = (name: string): boolean => {
    const value = metadata.peek(name);
    return typeof value === "number" && value >= 0 && value <= 100;
  };
  const names = [...QUALITY_FIELDS, ...OPTIONAL_QUALITY_FIELDS.filter(inRange)];
  return { qualityMetrics: takeAll(metadata, names) as unknown as QualityMetrics };
}

function buildToolCall(...[base, interaction, metadata, options]: Parameters<Build>): DetailedEvent {
  const toolName = interaction.toolName ?? "";
  const tool = options.agent?.availableTools?.find(({ name }) => name === toolName);
  return {
    ...base,
    interactionType: "tool_call",
    toolName,
    toolParameters: toFreeValue(interaction.toolParameters, options.maxLength, metadata),
    ...(tool && { toolCategory: tool.category, riskLevel: tool.riskLevel }),
    ...metadata.rest(),
  };
}

function buildToolResult(...[base, interaction, metadata, options]: Parameters<Build>): DetailedEvent {
  const { toolResult } = interaction;
  const success = !isFailedResult(toolResult);
  const executionTime = interaction.executionTime ?? metadata.takeNumber("toolExecutionTime");
  if (executionTime === undefined) metadata.add("executionTimeKnown", false);
  return {
    ...base,
    interactionType: "tool_result",
    toolName: interaction.toolName ?? "",
    toolResult: toFreeValue(toolResult, options.maxLength, metadata),
    ...(!success && { toolError: cutString(describeError(toolResult).message, options.maxLength) }),
    executionTime: executionTime ?? 0,
    success,
    ...metadata.rest(),
  };
}

function toErrorCode(described: DescribedError, metadata: MetadataReader): string | undefined {
  const given = metadata.peek("errorCode");
  if (typeof given === "string" || typeof given === "number") return String(metadata.take("errorCode"));
  return described.code;
}

function buildError(...[base, interaction, metadata, options]: Parameters<Build>): DetailedEvent {
  const described = describeError(interaction.error);
  const severity = errorSeveritySchema.safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  const recoverable = metadata.take("recoverable");
  const errorType = metadata.takeString("errorType") ?? described.type;
  const errorStack = metadata.takeString("errorStack") ?? described.stack;
  const errorCode = toErrorCode(described, metadata);
  if (described.cause !== undefined) {
    metadata.add("cause", toFreeValue(described.cause, options.maxLength, metadata));
  }
  if (described.original !== undefined) {
    metadata.add("originalError", toFreeValue(described.original, options.maxLength, metadata));
  }
  return {
    ...base,
    interactionType: "error",
    errorType,
    errorMessage: cutString(described.message, options.maxLength),
    ...(errorStack !== undefined && { errorStack: cutString(errorStack, options.maxLength) }),
    ...(errorCode !== undefined && { errorCode }),
    severity: severity.success ? severity.data : "medium",
    recoverable: typeof recoverable === "boolean" ? recoverable : true,
    ...metadata.rest(),
  };
}

function buildConversationEnd(...[base, , metadata, { now, totals }]: Parameters<Build>): DetailedEvent {
  const userSatisfaction = metadata.takeNumber("userSatisfaction");
  const duration = metadata.takeNumber("duration") ?? Math.max(0, now - totals.startedAt);
  const messageCount = metadata.takeNumber("messageCount") ?? totals.messageCount;
  const resolutionStatus = metadata.takeString("resolutionStatus");
  metadata.add("toolCallCount", totals.toolCallCount);
  metadata.add("errorCount", totals.errorCount);
  metadata.add("avgResponseTime", totals.averageResponseMillis);
  // Another process may have seen more of the conversation than this one.
  metadata.add("totalsScope", "process");
  return {
    ...base,
    interactionType: "conversation_end",
    duration,
    messageCount,
    ...(userSatisfaction !== undefined && { userSatisfaction }),
    // The reader has checked the member.
    resolutionStatus: (resolutionStatus ?? "unresolved") as "unresolved",
    ...metadata.rest(),
  };
}

function buildComplianceViolation(...[base, interaction, metadata]: Parameters<Build>): DetailedEvent {
  const severity = complianceSeveritySchema.or(errorSeveritySchema).safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  return {
    ...base,
    interactionType: "compliance_violation",
    violationType: metadata.takeString("violationType") ?? "unspecified",
    severity: severity.success ? severity.data : "violation",
    description: metadata.takeString("description") ?? interaction.content ?? "",
    ruleId: metadata.takeString("ruleId") ?? "unspecified",
    ...metadata.rest(),
  };
}

const BUILDERS: Readonly<Record<EventType, Build>> = {
  conversation_start: (base, _interaction, metadata) => ({
    ...base,
    interactionType: "conversation_start",
    ...metadata.rest(),
  }),
  user_message: (base, interaction, metadata, { maxLength }) => ({
    ...base,
    interactionType: "user_message",
    ...toContentFields(interaction.content ?? "", maxLength, metadata),
    ...metadata.rest(),
  }),
  agent_response: (base, interaction, metadata, { agent, maxLength }) => ({
    ...base,
    interactionType: "agent_response",
    ...toContentFields(interaction.content ?? "", maxLength, metadata),
    ...toLlmMetadata(metadata, agent),
    ...toQualityMetrics(metadata),
    ...metadata.rest(),
  }),
  tool_call: buildToolCall,
  tool_result: buildToolResult,
  error: buildError,
  conversation_end: buildConversationEnd,
  compliance_violation: buildComplianceViolation,
};

/**
 * Gives a tracked interaction the shape of its kind.
 *
 * Metadata members with a typed place move there; every other one stays in `metadata`, so nothing that the
 * caller passed is lost.
 */
export function buildEvent(
  interaction: Interaction,
  metadata: MetadataReader,
  options: BuildOptions,
): DetailedEvent {
  const base: BaseEvent = {
    eventId: options.eventId,
    timestamp: options.now,
    sessionId: interaction.sessionId,
    agentId: interaction.agentId,
    ...(interaction.userId !== undefined && { userId: interaction.userId }),
    ...(interaction.conversationId !== undefined && { conversationId: interaction.conversationId }),
    environment: options.environment,
    requestId: options.requestId,
    version: EVENT_SCHEMA_VERSION,
  };
  if (metadata.isTruncated) metadata.add("truncated", true);
  return BUILDERS[interaction.kind](base, interaction, metadata, options);
}
