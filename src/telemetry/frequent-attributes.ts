import type { Attributes } from "@opentelemetry/api";
import type { AnyValueMap } from "@opentelemetry/api-logs";
import type { AgentResponseEvent, DetailedEvent, LLMMetadata } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";
import { readMember } from "../util/untrusted-values.ts";
import type { Subject } from "./conversations.ts";

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
 * Written name by name, as `writeLlm`: a loop over the table takes five times as long, a function that sets one name half
 * as long again, and this runs for every event.
 */
export function toBaseAttributes(event: DetailedEvent): AnyValueMap {
  const { version, userId, conversationId, agentVersion, agentCategory, agentSpecialty } = event;
  const attributes: AnyValueMap = {
    [semconv.ATTR_LOG_RECORD_UID]: event.eventId,
    [semconv.ATTR_SESSION_ID]: event.sessionId,
    [semconv.ATTR_GEN_AI_AGENT_ID]: event.agentId,
    [semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: event.environment,
    [semconv.ATTR_REQUEST_ID]: event.requestId,
  };
  if (version !== undefined) attributes[semconv.ATTR_EVENT_SCHEMA_VERSION] = version;
  if (userId !== undefined) attributes[semconv.ATTR_USER_ID] = userId;
  if (conversationId !== undefined)
    attributes[semconv.ATTR_GEN_AI_CONVERSATION_ID] = conversationId;
  if (agentVersion !== undefined) attributes[semconv.ATTR_GEN_AI_AGENT_VERSION] = agentVersion;
  if (agentCategory !== undefined) attributes[semconv.ATTR_AGENT_CATEGORY] = agentCategory;
  if (agentSpecialty !== undefined) attributes[semconv.ATTR_AGENT_SPECIALTY] = agentSpecialty;
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

type GivenTokens = NonNullable<AnswerMetadata["tokensUsed"]>;

function writeTokens(attributes: AnyValueMap, { input, output, total }: GivenTokens): void {
  if (input !== undefined) attributes[semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS] = input;
  if (output !== undefined) attributes[semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS] = output;
  if (total !== undefined) attributes[semconv.ATTR_USAGE_TOTAL_TOKENS] = total;
}

function writeLlm(
  attributes: AnyValueMap,
  llm: AnswerMetadata | LLMMetadata,
  latency: number | undefined,
): void {
  const { model, provider, tokensUsed, cost, temperature, maxTokens, topP } = llm;
  const { frequencyPenalty, presencePenalty } = llm;
  if (model !== undefined) attributes[semconv.ATTR_GEN_AI_RESPONSE_MODEL] = model;
  if (provider !== undefined) attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME] = provider;
  if (latency !== undefined) attributes[semconv.ATTR_LLM_LATENCY_MS] = latency;
  if (tokensUsed) writeTokens(attributes, tokensUsed);
  if (cost !== undefined) attributes[semconv.ATTR_USAGE_COST] = cost;
  if (temperature !== undefined) attributes[semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE] = temperature;
  if (maxTokens !== undefined) attributes[semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS] = maxTokens;
  if (topP !== undefined) attributes[semconv.ATTR_GEN_AI_REQUEST_TOP_P] = topP;
  if (frequencyPenalty !== undefined)
    attributes[semconv.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY] = frequencyPenalty;
  if (presencePenalty !== undefined)
    attributes[semconv.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY] = presencePenalty;
}

const QUALITY_ATTRIBUTES = [
  ["responseQuality", semconv.ATTR_QUALITY_RESPONSE],
  ["relevanceScore", semconv.ATTR_QUALITY_RELEVANCE],
  ["coherenceScore", semconv.ATTR_QUALITY_COHERENCE],
  ["helpfulnessScore", semconv.ATTR_QUALITY_HELPFULNESS],
] as const;
const OPTIONAL_QUALITY_ATTRIBUTES = [
  ["factualAccuracy", semconv.ATTR_QUALITY_FACTUAL_ACCURACY],
  ["completeness", semconv.ATTR_QUALITY_COMPLETENESS],
] as const;

/** Writes single scores of the metadata where `qualityMetrics` is absent because other scores are missing. */
function writePartialQuality(attributes: AnyValueMap, quality: AnswerMetadata): void {
  if (QUALITY_ATTRIBUTES.every(([name]) => quality[name] !== undefined)) return;
  for (const [name, key] of [...QUALITY_ATTRIBUTES, ...OPTIONAL_QUALITY_ATTRIBUTES]) {
    const score = quality[name];
    if (score !== undefined) attributes[key] = score;
  }
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

/**
 * Writes the other fields of an answer without scores and findings under the policy `none`, as the table of attributes
 * would: most answers are such.
 *
 * @returns Whether the answer is one.
 */
export function writePlainAnswer(attributes: AnyValueMap, answer: AgentResponseEvent): boolean {
  const { contentLength, qualityMetrics, complianceFlags, riskScore, requiresReview } = answer;
  if (qualityMetrics !== undefined || complianceFlags !== undefined) return false;
  attributes[semconv.ATTR_CONTENT_LENGTH] = contentLength;
  if (riskScore !== undefined) attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE] = riskScore;
  if (requiresReview !== undefined) {
    attributes[semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW] = requiresReview;
  }
  return true;
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
