import type { Attributes } from "@opentelemetry/api";
import type { AnyValueMap } from "@opentelemetry/api-logs";
import type { AgentInfo } from "../events/agent.ts";
import type { DetailedEvent, LLMMetadata } from "../events/detailed-event.ts";
import type { PartialLlm, PartialQuality } from "../events/metadata.ts";
import * as semconv from "../semconv.ts";
import {
  ATTR_AGENT_CATEGORY,
  ATTR_AGENT_SPECIALTY,
  ATTR_DEPLOYMENT_ENVIRONMENT_NAME,
  ATTR_EVENT_SCHEMA_VERSION,
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_VERSION,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_P,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_LLM_LATENCY_MS,
  ATTR_LOG_RECORD_UID,
  ATTR_QUALITY_COHERENCE,
  ATTR_QUALITY_COMPLETENESS,
  ATTR_QUALITY_FACTUAL_ACCURACY,
  ATTR_QUALITY_HELPFULNESS,
  ATTR_QUALITY_RELEVANCE,
  ATTR_QUALITY_RESPONSE,
  ATTR_REQUEST_ID,
  ATTR_SESSION_ID,
  ATTR_USAGE_COST,
  ATTR_USAGE_TOTAL_TOKENS,
  ATTR_USER_ID,
} from "../semconv.ts";
import type { Conversation } from "./conversations.ts";

/**
 * Returns the fields of `BASE_FIELD_ATTRIBUTES`, in the form that decoding reads.
 *
 * Written name by name, as `writeLlmMetadata`: a loop over the table takes five times as long, and this runs for every
 * event.
 */
export function toBaseAttributes(event: DetailedEvent): AnyValueMap {
  const attributes: AnyValueMap = {
    [ATTR_LOG_RECORD_UID]: event.eventId,
    [ATTR_SESSION_ID]: event.sessionId,
    [ATTR_GEN_AI_AGENT_ID]: event.agentId,
    [ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: event.environment,
    [ATTR_REQUEST_ID]: event.requestId,
  };
  if (event.version !== undefined) attributes[ATTR_EVENT_SCHEMA_VERSION] = event.version;
  if (event.userId !== undefined) attributes[ATTR_USER_ID] = event.userId;
  if (event.conversationId !== undefined)
    attributes[ATTR_GEN_AI_CONVERSATION_ID] = event.conversationId;
  if (event.agentVersion !== undefined) attributes[ATTR_GEN_AI_AGENT_VERSION] = event.agentVersion;
  if (event.agentCategory !== undefined) attributes[ATTR_AGENT_CATEGORY] = event.agentCategory;
  if (event.agentSpecialty !== undefined) attributes[ATTR_AGENT_SPECIALTY] = event.agentSpecialty;
  return attributes;
}

const isComplete = ({ model, provider, llmLatency, tokensUsed }: PartialLlm): boolean =>
  model !== undefined &&
  provider !== undefined &&
  llmLatency !== undefined &&
  tokensUsed?.input !== undefined &&
  tokensUsed.output !== undefined &&
  tokensUsed.total !== undefined;

/**
 * Writes the metadata of a model call where `llmMetadata` is absent because some of its fields are missing.
 *
 * If none is missing, other code has created the event: decoding would take the attributes for `llmMetadata`.
 */
export function writePartialLlm(attributes: AnyValueMap, llm: PartialLlm): void {
  if (isComplete(llm)) return;
  const set = (key: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== null) attributes[key] = value;
  };
  set(ATTR_GEN_AI_RESPONSE_MODEL, llm.model);
  set(ATTR_GEN_AI_PROVIDER_NAME, llm.provider);
  set(ATTR_LLM_LATENCY_MS, llm.llmLatency);
  set(ATTR_GEN_AI_USAGE_INPUT_TOKENS, llm.tokensUsed?.input);
  set(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, llm.tokensUsed?.output);
  set(ATTR_USAGE_TOTAL_TOKENS, llm.tokensUsed?.total);
  set(ATTR_USAGE_COST, llm.cost);
  set(ATTR_GEN_AI_REQUEST_TEMPERATURE, llm.temperature);
  set(ATTR_GEN_AI_REQUEST_MAX_TOKENS, llm.maxTokens);
  set(ATTR_GEN_AI_REQUEST_TOP_P, llm.topP);
  set(ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY, llm.frequencyPenalty);
  set(ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY, llm.presencePenalty);
}

const QUALITY_ATTRIBUTES = [
  ["responseQuality", ATTR_QUALITY_RESPONSE],
  ["relevanceScore", ATTR_QUALITY_RELEVANCE],
  ["coherenceScore", ATTR_QUALITY_COHERENCE],
  ["helpfulnessScore", ATTR_QUALITY_HELPFULNESS],
] as const;

/** Writes single scores of the metadata where `qualityMetrics` is absent because other scores are missing. */
export function writePartialQuality(attributes: AnyValueMap, quality: PartialQuality): void {
  if (QUALITY_ATTRIBUTES.every(([name]) => quality[name] !== undefined)) return;
  for (const [name, key] of QUALITY_ATTRIBUTES) {
    const score = quality[name];
    if (score !== undefined) attributes[key] = score;
  }
  if (quality.factualAccuracy !== undefined)
    attributes[ATTR_QUALITY_FACTUAL_ACCURACY] = quality.factualAccuracy;
  if (quality.completeness !== undefined)
    attributes[ATTR_QUALITY_COMPLETENESS] = quality.completeness;
}

/** Writes the fields of `llmMetadata`, in the form that decoding reads. */
export function writeLlmMetadata(attributes: AnyValueMap, llm: LLMMetadata): void {
  attributes[ATTR_GEN_AI_RESPONSE_MODEL] = llm.model;
  attributes[ATTR_GEN_AI_PROVIDER_NAME] = llm.provider;
  attributes[ATTR_LLM_LATENCY_MS] = llm.latency;
  attributes[ATTR_GEN_AI_USAGE_INPUT_TOKENS] = llm.tokensUsed.input;
  attributes[ATTR_GEN_AI_USAGE_OUTPUT_TOKENS] = llm.tokensUsed.output;
  attributes[ATTR_USAGE_TOTAL_TOKENS] = llm.tokensUsed.total;
  if (llm.cost !== undefined) attributes[ATTR_USAGE_COST] = llm.cost;
  if (llm.temperature !== undefined) {
    attributes[ATTR_GEN_AI_REQUEST_TEMPERATURE] = llm.temperature;
  }
  if (llm.maxTokens !== undefined) attributes[ATTR_GEN_AI_REQUEST_MAX_TOKENS] = llm.maxTokens;
  if (llm.topP !== undefined) attributes[ATTR_GEN_AI_REQUEST_TOP_P] = llm.topP;
  if (llm.frequencyPenalty !== undefined) {
    attributes[ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY] = llm.frequencyPenalty;
  }
  if (llm.presencePenalty !== undefined) {
    attributes[ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY] = llm.presencePenalty;
  }
}

/** Facts of an agent at the time of an event. */
export interface AgentOfTheMoment {
  readonly agentVersion?: DetailedEvent["agentVersion"];
  readonly agentCategory?: DetailedEvent["agentCategory"];
  readonly agentSpecialty?: DetailedEvent["agentSpecialty"];
}

/** Returns the attributes of a span's agent, session and user. */
export function toIdentityAttributes(
  { identity, userId }: Conversation,
  agent: AgentInfo | undefined,
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
