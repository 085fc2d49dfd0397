import type { Attributes } from "@opentelemetry/api";
import type { AnyValue, AnyValueMap } from "@opentelemetry/api-logs";
import type { AgentResponseEvent, DetailedEvent, LLMMetadata } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";
import { readMember } from "../util/untrusted-values.ts";
import type { Subject } from "./conversations.ts";

/** Writes an attribute that an event may lack. */
function setKnown(attributes: AnyValueMap, key: string, value: AnyValue): void {
  if (value !== undefined && value !== null) attributes[key] = value;
}

/** Returns the attributes of the members of an object that are texts. */
export function toTextAttributes(
  source: unknown,
  rows: readonly (readonly [member: string, attribute: string])[],
  toText = (text: string): string => text,
): AnyValueMap {
  const attributes: AnyValueMap = {};
  for (const [member, attribute] of rows) {
    const value = readMember(source, member);
    if (typeof value === "string") attributes[attribute] = toText(value);
  }
  return attributes;
}

/**
 * Returns the fields of `BASE_FIELD_ATTRIBUTES`, in the form that decoding reads.
 *
 * Written name by name, as `writeLlm`: a loop over the table takes five times as long, and this runs for every event.
 */
export function toBaseAttributes(event: DetailedEvent): AnyValueMap {
  const attributes: AnyValueMap = {
    [semconv.ATTR_LOG_RECORD_UID]: event.eventId,
    [semconv.ATTR_SESSION_ID]: event.sessionId,
    [semconv.ATTR_GEN_AI_AGENT_ID]: event.agentId,
    [semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: event.environment,
    [semconv.ATTR_REQUEST_ID]: event.requestId,
  };
  setKnown(attributes, semconv.ATTR_EVENT_SCHEMA_VERSION, event.version);
  setKnown(attributes, semconv.ATTR_USER_ID, event.userId);
  setKnown(attributes, semconv.ATTR_GEN_AI_CONVERSATION_ID, event.conversationId);
  setKnown(attributes, semconv.ATTR_GEN_AI_AGENT_VERSION, event.agentVersion);
  setKnown(attributes, semconv.ATTR_AGENT_CATEGORY, event.agentCategory);
  setKnown(attributes, semconv.ATTR_AGENT_SPECIALTY, event.agentSpecialty);
  return attributes;
}

type AnswerMetadata = NonNullable<AgentResponseEvent["metadata"]>;

const isComplete = ({ model, provider, llmLatency, tokensUsed }: AnswerMetadata): boolean =>
  model !== undefined &&
  provider !== undefined &&
  llmLatency !== undefined &&
  tokensUsed?.input !== undefined &&
  tokensUsed.output !== undefined &&
  tokensUsed.total !== undefined;

function writeLlm(
  attributes: AnyValueMap,
  llm: AnswerMetadata | LLMMetadata,
  latency: number | undefined,
): void {
  setKnown(attributes, semconv.ATTR_GEN_AI_RESPONSE_MODEL, llm.model);
  setKnown(attributes, semconv.ATTR_GEN_AI_PROVIDER_NAME, llm.provider);
  setKnown(attributes, semconv.ATTR_LLM_LATENCY_MS, latency);
  setKnown(attributes, semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS, llm.tokensUsed?.input);
  setKnown(attributes, semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, llm.tokensUsed?.output);
  setKnown(attributes, semconv.ATTR_USAGE_TOTAL_TOKENS, llm.tokensUsed?.total);
  setKnown(attributes, semconv.ATTR_USAGE_COST, llm.cost);
  setKnown(attributes, semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE, llm.temperature);
  setKnown(attributes, semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS, llm.maxTokens);
  setKnown(attributes, semconv.ATTR_GEN_AI_REQUEST_TOP_P, llm.topP);
  setKnown(attributes, semconv.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY, llm.frequencyPenalty);
  setKnown(attributes, semconv.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY, llm.presencePenalty);
}

const QUALITY_ATTRIBUTES = [
  ["responseQuality", semconv.ATTR_QUALITY_RESPONSE],
  ["relevanceScore", semconv.ATTR_QUALITY_RELEVANCE],
  ["coherenceScore", semconv.ATTR_QUALITY_COHERENCE],
  ["helpfulnessScore", semconv.ATTR_QUALITY_HELPFULNESS],
] as const;

/** Writes single scores of the metadata where `qualityMetrics` is absent because other scores are missing. */
function writePartialQuality(attributes: AnyValueMap, quality: AnswerMetadata): void {
  if (QUALITY_ATTRIBUTES.every(([name]) => quality[name] !== undefined)) return;
  for (const [name, key] of QUALITY_ATTRIBUTES) setKnown(attributes, key, quality[name]);
  setKnown(attributes, semconv.ATTR_QUALITY_FACTUAL_ACCURACY, quality.factualAccuracy);
  setKnown(attributes, semconv.ATTR_QUALITY_COMPLETENESS, quality.completeness);
}

/**
 * Writes the fields of `llmMetadata`, in the form that decoding reads, and single measures of the metadata where others
 * are missing.
 *
 * Metadata that lacks none was written by other code: decoding would take its measures for `llmMetadata`.
 */
export function writeMeasures(
  attributes: AnyValueMap,
  { llmMetadata, qualityMetrics, metadata }: AgentResponseEvent,
): void {
  if (llmMetadata) writeLlm(attributes, llmMetadata, llmMetadata.latency);
  else if (metadata && !isComplete(metadata)) writeLlm(attributes, metadata, metadata.llmLatency);
  if (metadata && !qualityMetrics) writePartialQuality(attributes, metadata);
}

/** Facts of an agent at the time of an event. */
export type AgentOfTheMoment = Pick<
  DetailedEvent,
  "agentVersion" | "agentCategory" | "agentSpecialty"
>;

/** Returns the attributes of a span's agent, session and user. */
export function toIdentityAttributes(
  { conversation: { identity, userId }, agent }: Subject,
  { agentVersion, agentCategory, agentSpecialty }: AgentOfTheMoment,
): Attributes {
  const { agentId, sessionId, conversationId } = identity;
  return {
    [semconv.ATTR_GEN_AI_AGENT_ID]: agentId,
    [semconv.ATTR_SESSION_ID]: sessionId,
    ...(conversationId !== undefined && { [semconv.ATTR_GEN_AI_CONVERSATION_ID]: conversationId }),
    ...(userId !== undefined && { [semconv.ATTR_USER_ID]: userId }),
    ...(agent && {
      [semconv.ATTR_GEN_AI_AGENT_NAME]: agent.name,
      [semconv.ATTR_GEN_AI_PROVIDER_NAME]: agent.llmProvider,
      [semconv.ATTR_GEN_AI_REQUEST_MODEL]: agent.model,
    }),
    ...(agentVersion !== undefined && { [semconv.ATTR_GEN_AI_AGENT_VERSION]: agentVersion }),
    ...(agentCategory !== undefined && { [semconv.ATTR_AGENT_CATEGORY]: agentCategory }),
    ...(agentSpecialty !== undefined && { [semconv.ATTR_AGENT_SPECIALTY]: agentSpecialty }),
  };
}
