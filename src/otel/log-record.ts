import type { HrTime } from "@opentelemetry/api";
import { SeverityNumber, type AnyValue, type AnyValueMap } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ErrorSeverity } from "../events/base-event.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../events/compliance.ts";
import type { DetailedEvent, LLMMetadata } from "../events/detailed-event.ts";
import type { ContentPolicy } from "../config.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import { FIELD_GROUPS, METADATA_MEMBERS, type FieldPath } from "./event-fields.ts";
import {
  ATTR_DEPLOYMENT_ENVIRONMENT_NAME,
  ATTR_EVENT_JSON_ATTRIBUTES,
  ATTR_EVENT_SCHEMA_VERSION,
  ATTR_GEN_AI_AGENT_ID,
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
  ATTR_METADATA,
  ATTR_REQUEST_ID,
  ATTR_SESSION_ID,
  ATTR_USAGE_COST,
  ATTR_USAGE_TOTAL_TOKENS,
  ATTR_USER_ID,
} from "./semconv.ts";

/** What a log record says of an event. */
export interface EncodedEvent {
  readonly eventName: string;
  /** No number: OTel takes one far enough from the start of the process for a `performance.now()`. */
  readonly timestamp: HrTime;
  readonly severityNumber: SeverityNumber;
  readonly attributes: AnyValueMap;
  /** Whether every attribute is a string, a number or a boolean, which spans can hold as well. */
  readonly isFlat: boolean;
}

type Fields = Record<string, unknown>;

const ERROR_SEVERITY_NUMBERS: Readonly<Record<ErrorSeverity | ComplianceSeverity, SeverityNumber>> =
  {
    low: SeverityNumber.WARN,
    medium: SeverityNumber.ERROR,
    high: SeverityNumber.ERROR3,
    critical: SeverityNumber.FATAL,
    info: SeverityNumber.INFO,
    warning: SeverityNumber.WARN,
    violation: SeverityNumber.ERROR,
  };

function toSeverityNumber(event: DetailedEvent): SeverityNumber {
  switch (event.interactionType) {
    case "error":
    case "compliance_violation":
      return ERROR_SEVERITY_NUMBERS[event.severity];
    case "tool_result":
      return event.success ? SeverityNumber.INFO : SeverityNumber.WARN;
    case "agent_response":
      return event.requiresReview ? SeverityNumber.WARN : SeverityNumber.INFO;
    default:
      return SeverityNumber.INFO;
  }
}

/** Findings without any text of the conversation: ids, severity, pattern and spans. */
export function toTextFreeFinding({
  rule,
  category,
  severity,
  confidence,
  context,
}: ComplianceFlag): AnyValueMap {
  return {
    rule,
    category,
    severity,
    ...(confidence !== undefined && { confidence }),
    ...(context?.detectedPattern !== undefined && { detectedPattern: context.detectedPattern }),
    ...(context?.["spans"] !== undefined && { spans: context["spans"] as AnyValue }),
  };
}

function toAttributeValue(value: unknown, { form }: FieldPath, policy: ContentPolicy): AnyValue {
  switch (form) {
    case "user_message":
      return [{ role: "user", parts: [{ type: "text", content: value as string }] }];
    case "assistant_message":
      return [{ role: "assistant", parts: [{ type: "text", content: value as string }] }];
    case "findings":
      return policy === "none"
        ? (value as ComplianceFlag[]).map(toTextFreeFinding)
        : (value as AnyValue);
    default:
      return value as AnyValue;
  }
}

/** Looks an object of the event up; the paths are ours, so no member can be an inherited one. */
function readParent(event: DetailedEvent, path: readonly string[]): Fields | undefined {
  let value: unknown = event;
  for (const key of path) {
    value = (value as Fields)[key];
    if (typeof value !== "object" || value === null) return undefined;
  }
  return value as Fields;
}

/** OTel's SDK refuses values with such keys, or loses them while it copies. */
const UNSAFE_KEYS = new Set(["constructor", "__proto__"]);

function isSafeValue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSafeValue);
  return Object.entries(value).every(
    ([key, member]) => !UNSAFE_KEYS.has(key) && isSafeValue(member),
  );
}

/** Writes a value; one that OTel can't hold is written as JSON and listed in `json_attributes`. */
function setStructured(attributes: AnyValueMap, key: string, value: AnyValue): void {
  if (value !== null && isSafeValue(value)) {
    attributes[key] = value;
    return;
  }
  attributes[key] = JSON.stringify(value);
  const keys = (attributes[ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  attributes[ATTR_EVENT_JSON_ATTRIBUTES] = [...keys, key];
}

function toOtherMetadata(event: DetailedEvent): Fields | undefined {
  const metadata: Fields | undefined = event.metadata;
  if (!metadata) return undefined;
  const known = METADATA_MEMBERS[event.interactionType];
  const keys = Object.keys(metadata);
  const others = keys.filter((key) => !known.has(key) || metadata[key] === null);
  // An empty object is kept, so that an event decodes to what it was.
  if (others.length === 0 && keys.length > 0) return undefined;
  if (others.length === keys.length) return metadata;
  return Object.fromEntries(others.map((key) => [key, metadata[key]]));
}

/**
 * Writes the fields of `BASE_FIELD_ATTRIBUTES`, which is what decoding reads.
 *
 * Name by name, as the next function: in a loop over the table it takes five times as long, and this runs
 * for every event.
 */
function toBaseAttributes(event: DetailedEvent): AnyValueMap {
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
  return attributes;
}

/** Writes the fields of `llmMetadata`, which is what decoding reads. */
function writeLlmMetadata(attributes: AnyValueMap, llm: LLMMetadata): void {
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

/**
 * Writes an event as a log record.
 *
 * Under the policy `none` it holds no content and no personal data but the ids; under `full` it holds
 * everything, so that `decodeLogRecord` gives the event back.
 */
export function encodeLogRecord(event: DetailedEvent, policy: ContentPolicy): EncodedEvent {
  const attributes = toBaseAttributes(event);
  if (event.interactionType === "agent_response" && event.llmMetadata) {
    writeLlmMetadata(attributes, event.llmMetadata);
  }
  let isFlat = true;
  for (const { parent, rows } of FIELD_GROUPS[policy][event.interactionType]) {
    const fields = readParent(event, parent);
    if (!fields) continue;
    for (const row of rows) {
      const value = fields[row.name];
      // A `null` in the metadata travels with the other members.
      if (value === undefined || (value === null && parent.length > 0)) continue;
      if (typeof value !== "object" && row.form === undefined) {
        attributes[row.attribute] = value as AnyValue;
      } else {
        isFlat = false;
        setStructured(attributes, row.attribute, toAttributeValue(value, row, policy));
      }
    }
  }
  const others = policy === "full" ? toOtherMetadata(event) : undefined;
  if (others) {
    isFlat = false;
    setStructured(attributes, ATTR_METADATA, others as AnyValue);
  }
  return {
    eventName: EVENT_NAMES[event.interactionType],
    timestamp: millisToHrTime(event.timestamp),
    severityNumber: toSeverityNumber(event),
    attributes,
    isFlat,
  };
}

