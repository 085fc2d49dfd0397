import { cutString } from "../util/cut-string.ts";
import { isRecord, type JsonValue } from "../util/values.ts";
import type { AgentInfo } from "./agent.ts";
import {
  errorSeveritySchema,
  EVENT_SCHEMA_VERSION,
  type BaseEvent,
  type EventType,
} from "./base-event.ts";
import { buildError, buildToolCall, buildToolResult } from "./build-tool-event.ts";
import { complianceSeveritySchema } from "./compliance.ts";
import type {
  AgentResponseEvent,
  DetailedEvent,
  LLMMetadata,
  QualityMetrics,
  UserMessageEvent,
} from "./detailed-event.ts";
import type { Build, BuildOptions, Interaction } from "./event-builder.ts";
import type { MetadataReader } from "./metadata-reader.ts";
import type { TokenUsage } from "./metadata.ts";

/** Members of the metadata that measure a model call. */
const LLM_FIELDS = ["llmLatency", "tokensUsed", "cost", "temperature", "maxTokens"];
const OPTIONAL_LLM_FIELDS = new Set([
  "cost",
  "temperature",
  "maxTokens",
  "topP",
  "frequencyPenalty",
  "presencePenalty",
]);
const QUALITY_FIELDS = ["responseQuality", "relevanceScore", "coherenceScore", "helpfulnessScore"];
const OPTIONAL_QUALITY_FIELDS = ["factualAccuracy", "completeness"];

const TOKEN_COUNTS = ["input", "output", "total"];

/** Takes the usage; the caller's own members, such as cached tokens, stay. */
function takeTokens(metadata: MetadataReader): TokenUsage {
  // The reader has checked and copied it.
  const given = metadata.take("tokensUsed") as TokenUsage & Record<string, JsonValue>;
  const names = Object.keys(given);
  if (names.length === TOKEN_COUNTS.length) return given;
  const others = names.filter((name) => !TOKEN_COUNTS.includes(name));
  metadata.add("tokensUsed", Object.fromEntries(others.map((name) => [name, given[name] ?? null])));
  return { input: given.input, output: given.output, total: given.total };
}

/** Returns whether all counts are there; `null` and the like are no counts. */
function hasTokens(metadata: MetadataReader): boolean {
  const given = metadata.peek("tokensUsed");
  if (!isRecord(given)) return false;
  const { input, output, total } = given;
  return typeof input === "number" && typeof output === "number" && typeof total === "number";
}

/** Adds the model and provider to single measures of a call that lacks others. */
function nameModel(metadata: MetadataReader, agent: AgentInfo | undefined): void {
  if (!agent || !LLM_FIELDS.some((name) => metadata.has(name))) return;
  metadata.complete("model", agent.model);
  metadata.complete("provider", agent.llmProvider);
}

function toLlmMetadata(
  metadata: MetadataReader,
  agent: AgentInfo | undefined,
): LLMMetadata | undefined {
  // The call's own metadata wins: an agent may fall back to another model.
  const model = metadata.peek("model") ?? agent?.model;
  const provider = metadata.peek("provider") ?? agent?.llmProvider;
  const isNamed = typeof model === "string" && typeof provider === "string";
  if (!isNamed || !metadata.has("llmLatency") || !hasTokens(metadata)) {
    nameModel(metadata, agent);
    return undefined;
  }
  const latency = metadata.takeNumber("llmLatency") ?? 0;
  const llmMetadata: Record<string, unknown> = {
    model,
    provider,
    latency,
    tokensUsed: takeTokens(metadata),
  };
  metadata.takeNumbers(OPTIONAL_LLM_FIELDS, llmMetadata);
  return llmMetadata as LLMMetadata;
}

function toQualityMetrics(metadata: MetadataReader): QualityMetrics | undefined {
  if (!QUALITY_FIELDS.every((name) => metadata.has(name))) return undefined;
  const metrics: Record<string, JsonValue> = {};
  for (const name of [...QUALITY_FIELDS, ...OPTIONAL_QUALITY_FIELDS]) {
    const value = metadata.take(name);
    if (value !== undefined) metrics[name] = value;
  }
  return metrics as unknown as QualityMetrics;
}

const buildConversationEnd: Build = (base, _interaction, metadata, { now, totals }) => {
  const userSatisfaction = metadata.takeNumber("userSatisfaction");
  const duration = metadata.takeNumber("duration") ?? Math.max(0, now - (totals?.startedAt ?? now));
  const messageCount = metadata.takeNumber("messageCount") ?? totals?.messageCount ?? 0;
  const resolutionStatus = metadata.takeString("resolutionStatus");
  metadata.add("toolCallCount", totals?.toolCallCount);
  metadata.add("errorCount", totals?.errorCount);
  if (totals && totals.responseCount > 0)
    metadata.add("avgResponseTime", totals.responseMillis / totals.responseCount);
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
};

const buildComplianceViolation: Build = (base, interaction, metadata) => {
  const severity = complianceSeveritySchema
    .or(errorSeveritySchema)
    .safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  return Object.assign(base, {
    interactionType: "compliance_violation",
    violationType: metadata.takeString("violationType") ?? "unspecified",
    severity: severity.success ? severity.data : "violation",
    description:
      metadata.takeString("description") ??
      cutString(interaction.content ?? "", metadata.maxLength),
    ruleId: metadata.takeString("ruleId") ?? "unspecified",
    metadata: metadata.rest(),
  } as const);
};

const BUILDERS: Readonly<Record<EventType, Build>> = {
  conversation_start: (base, _interaction, metadata) =>
    Object.assign(base, {
      interactionType: "conversation_start",
      metadata: metadata.rest(),
    } as const),
  user_message: (base, interaction, metadata) => {
    const event = base as UserMessageEvent;
    event.interactionType = "user_message";
    event.content = metadata.toContent(interaction.content ?? "");
    event.contentLength = interaction.content?.length ?? 0;
    event.metadata = metadata.rest();
    return event;
  },
  agent_response: (base, interaction, metadata, { agent }) => {
    const event = base as AgentResponseEvent;
    event.interactionType = "agent_response";
    event.content = metadata.toContent(interaction.content ?? "");
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
 * Returns a tracked interaction the shape of its kind.
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
  const facts = options.agent?.facts;
  const { conversationId } = interaction;
  const base: BaseEvent = {
    eventId: options.eventId,
    timestamp: options.now,
    sessionId: interaction.sessionId,
    agentId: interaction.agentId,
    userId: options.userId,
    conversationId,
    environment: options.environment,
    requestId: options.requestId,
    version: EVENT_SCHEMA_VERSION,
    agentVersion: interaction.agentVersion ?? facts?.version,
    agentCategory: interaction.agentCategory ?? facts?.category,
    agentSpecialty: interaction.agentSpecialty ?? facts?.specialty,
  };
  // It was read already, and is written once.
  if (conversationId !== undefined && metadata.peek("conversationId") === conversationId)
    metadata.take("conversationId");
  if (metadata.isTruncated) metadata.add("truncated", true);
  return BUILDERS[interaction.kind](base, interaction, metadata, options);
}
