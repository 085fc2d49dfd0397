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
import type {
  AgentResponseEvent,
  DetailedEvent,
  LLMMetadata,
  QualityMetrics,
  UserMessageEvent,
} from "./detailed-event.ts";
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
  readonly userId?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly environment: Environment;
  readonly agent?: AgentInfo | undefined;
  /** Needed for the end of a conversation alone. */
  readonly totals?: ConversationTotals | undefined;
  /** Bound of content and of every free value, in UTF-16 units. */
  readonly maxLength: number;
}

type Build = (
  base: BaseEvent,
  interaction: Interaction,
  metadata: MetadataReader,
  options: BuildOptions,
) => DetailedEvent;

/** Content within the bound; what is cut is marked. */
function toContent(content: string, maxLength: number, metadata: MetadataReader): string {
  const cut = cutString(content, maxLength);
  if (cut.length < content.length) metadata.add("truncated", true);
  metadata.size += cut.length;
  return cut;
}

function toFreeValue(value: unknown, maxLength: number, metadata: MetadataReader): JsonValue {
  const copy = toJsonValue(value, maxLength);
  if (copy.truncated) metadata.add("truncated", true);
  metadata.size += copy.length;
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

const OPTIONAL_LLM_FIELDS = [
  "cost",
  "temperature",
  "maxTokens",
  "topP",
  "frequencyPenalty",
  "presencePenalty",
];
const QUALITY_FIELDS = ["responseQuality", "relevanceScore", "coherenceScore", "helpfulnessScore"];
const OPTIONAL_QUALITY_FIELDS = ["factualAccuracy", "completeness"];

const TOKEN_COUNTS = ["input", "output", "total"];

/** Takes the usage; members of the caller's own, such as cached tokens, stay. */
function takeTokens(metadata: MetadataReader): TokenUsage {
  // The reader has checked and copied it.
  const given = metadata.take("tokensUsed") as TokenUsage & Record<string, JsonValue>;
  const names = Object.keys(given);
  if (names.length === TOKEN_COUNTS.length) return given;
  const others = names.filter((name) => !TOKEN_COUNTS.includes(name));
  metadata.add("tokensUsed", Object.fromEntries(others.map((name) => [name, given[name] ?? null])));
  return { input: given.input, output: given.output, total: given.total };
}

function toLlmMetadata(
  metadata: MetadataReader,
  agent: AgentInfo | undefined,
): LLMMetadata | undefined {
  const model = agent?.model ?? metadata.peek("model");
  const provider = agent?.llmProvider ?? metadata.peek("provider");
  const isKnown = metadata.has("llmLatency") && metadata.has("tokensUsed");
  if (!isKnown || typeof model !== "string" || typeof provider !== "string") return undefined;
  const latency = metadata.takeNumber("llmLatency") ?? 0;
  const llmMetadata: Record<string, unknown> = {
    model,
    provider,
    latency,
    tokensUsed: takeTokens(metadata),
  };
  for (const name of OPTIONAL_LLM_FIELDS) {
    const value = metadata.takeNumber(name);
    if (value !== undefined) llmMetadata[name] = value;
  }
  return llmMetadata as LLMMetadata;
}

function toQualityMetrics(metadata: MetadataReader): QualityMetrics | undefined {
  if (!QUALITY_FIELDS.every((name) => metadata.has(name))) return undefined;
  const inRange = (name: string): boolean => {
    const value = metadata.peek(name);
    return typeof value === "number" && value >= 0 && value <= 100;
  };
  const names = [...QUALITY_FIELDS, ...OPTIONAL_QUALITY_FIELDS.filter(inRange)];
  return takeAll(metadata, names) as unknown as QualityMetrics;
}

function buildToolCall(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const toolName = cutString(interaction.toolName ?? "", options.maxLength);
  const tool = options.agent?.availableTools?.find(({ name }) => name === toolName);
  return Object.assign(base, {
    interactionType: "tool_call",
    toolName,
    toolParameters: toFreeValue(interaction.toolParameters, options.maxLength, metadata),
    toolCategory: tool?.category,
    riskLevel: tool?.riskLevel,
    metadata: metadata.rest(),
  } as const);
}

function buildToolResult(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const { toolResult } = interaction;
  const success = !isFailedResult(toolResult);
  const executionTime = interaction.executionTime ?? metadata.takeNumber("toolExecutionTime");
  if (executionTime === undefined) metadata.add("executionTimeKnown", false);
  return Object.assign(base, {
    interactionType: "tool_result",
    toolName: cutString(interaction.toolName ?? "", options.maxLength),
    toolResult: toFreeValue(toolResult, options.maxLength, metadata),
    toolError: success
      ? undefined
      : cutString(describeError(toolResult).message, options.maxLength),
    executionTime: executionTime ?? 0,
    success,
    metadata: metadata.rest(),
  } as const);
}

function toErrorCode(described: DescribedError, metadata: MetadataReader): string | undefined {
  const given = metadata.peek("errorCode");
  if (typeof given !== "string" && typeof given !== "number") return described.code;
  metadata.take("errorCode");
  return String(given);
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
  return Object.assign(base, {
    interactionType: "error",
    errorType: cutString(errorType, options.maxLength),
    errorMessage: toContent(described.message, options.maxLength, metadata),
    errorStack:
      errorStack === undefined ? undefined : toContent(errorStack, options.maxLength, metadata),
    errorCode: errorCode === undefined ? undefined : cutString(errorCode, options.maxLength),
    severity: severity.success ? severity.data : "medium",
    recoverable: typeof recoverable === "boolean" ? recoverable : true,
    metadata: metadata.rest(),
  } as const);
}

function buildConversationEnd(
  ...[base, , metadata, { now, totals }]: Parameters<Build>
): DetailedEvent {
  const userSatisfaction = metadata.takeNumber("userSatisfaction");
  const duration = metadata.takeNumber("duration") ?? Math.max(0, now - (totals?.startedAt ?? now));
  const messageCount = metadata.takeNumber("messageCount") ?? totals?.messageCount ?? 0;
  const resolutionStatus = metadata.takeString("resolutionStatus");
  metadata.add("toolCallCount", totals?.toolCallCount);
  metadata.add("errorCount", totals?.errorCount);
  metadata.add("avgResponseTime", totals?.averageResponseMillis);
  // Another process may have seen more of the conversation than this one.
  metadata.add("totalsScope", "process");
  return Object.assign(base, {
    interactionType: "conversation_end",
    duration,
    messageCount,
    userSatisfaction,
    // The reader has checked the member.
    resolutionStatus: (resolutionStatus ?? "unresolved") as "unresolved",
    metadata: metadata.rest(),
  } as const);
}

function buildComplianceViolation(
  ...[base, interaction, metadata, { maxLength }]: Parameters<Build>
): DetailedEvent {
  const severity = complianceSeveritySchema
    .or(errorSeveritySchema)
    .safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  return Object.assign(base, {
    interactionType: "compliance_violation",
    violationType: metadata.takeString("violationType") ?? "unspecified",
    severity: severity.success ? severity.data : "violation",
    description:
      metadata.takeString("description") ?? cutString(interaction.content ?? "", maxLength),
    ruleId: metadata.takeString("ruleId") ?? "unspecified",
    metadata: metadata.rest(),
  } as const);
}

const BUILDERS: Readonly<Record<EventType, Build>> = {
  conversation_start: (base, _interaction, metadata) =>
    Object.assign(base, {
      interactionType: "conversation_start",
      metadata: metadata.rest(),
    } as const),
  user_message: (base, interaction, metadata, { maxLength }) => {
    const event = base as UserMessageEvent;
    event.interactionType = "user_message";
    event.content = toContent(interaction.content ?? "", maxLength, metadata);
    event.contentLength = interaction.content?.length ?? 0;
    event.metadata = metadata.rest();
    return event;
  },
  agent_response: (base, interaction, metadata, { agent, maxLength }) => {
    const event = base as AgentResponseEvent;
    event.interactionType = "agent_response";
    event.content = toContent(interaction.content ?? "", maxLength, metadata);
    event.contentLength = interaction.content?.length ?? 0;
    event.llmMetadata = toLlmMetadata(metadata, agent);
    event.qualityMetrics = toQualityMetrics(metadata);
    event.metadata = metadata.rest();
    return event;
  },
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
 * caller passed is lost. Absent fields are `undefined`, and the fields are assigned rather than spread: this
 * runs for every event, and spreading costs more than all the rest.
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
    userId: options.userId,
    conversationId: interaction.conversationId,
    environment: options.environment,
    requestId: options.requestId,
    version: EVENT_SCHEMA_VERSION,
  };
  if (metadata.isTruncated) metadata.add("truncated", true);
  return BUILDERS[interaction.kind](base, interaction, metadata, options);
}
