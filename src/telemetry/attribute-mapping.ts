import type { EventType } from "../events/base-event.ts";
import * as semconv from "../semconv.ts";

/** A field of an event and its attribute. */
export interface FieldAttribute {
  /** Name of the field, or `parent.name` one level down. */
  readonly field: string;
  readonly attribute: string;
  /** Whether it may hold content or personal data, so that the policy `none` leaves it out. */
  readonly isSensitive?: boolean;
  /** Form of the value if it differs from the field's own; for both directions. */
  readonly form?: "user_message" | "assistant_message" | "findings";
}

type Row = readonly [
  field: string,
  attribute: string,
  sensitivity?: "sensitive" | undefined,
  form?: FieldAttribute["form"],
];

function toFieldAttributes(...rows: Row[]): readonly FieldAttribute[] {
  return rows.map(([field, attribute, sensitivity, form]) => ({
    field,
    attribute,
    ...(sensitivity && { isSensitive: true }),
    ...(form && { form }),
  }));
}

/** Fields of all events; `timestamp` and `interactionType` are members of the record itself. */
export const BASE_FIELD_ATTRIBUTES = toFieldAttributes(
  ["eventId", semconv.ATTR_LOG_RECORD_UID],
  ["sessionId", semconv.ATTR_SESSION_ID],
  ["agentId", semconv.ATTR_GEN_AI_AGENT_ID],
  ["userId", semconv.ATTR_USER_ID],
  ["conversationId", semconv.ATTR_GEN_AI_CONVERSATION_ID],
  ["environment", semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME],
  ["requestId", semconv.ATTR_REQUEST_ID],
  ["version", semconv.ATTR_EVENT_SCHEMA_VERSION],
  ["agentVersion", semconv.ATTR_GEN_AI_AGENT_VERSION],
  ["agentCategory", semconv.ATTR_AGENT_CATEGORY],
  ["agentSpecialty", semconv.ATTR_AGENT_SPECIALTY],
);

/**
 * Fields of each kind of event.
 *
 * Metadata members without a row are written together to `agent_monitor.metadata`, which is sensitive.
 */
export const KIND_FIELD_ATTRIBUTES: Readonly<Record<EventType, readonly FieldAttribute[]>> = {
  conversation_start: toFieldAttributes(
    ["metadata.userAgent", semconv.ATTR_USER_AGENT_ORIGINAL, "sensitive"],
    ["metadata.ipAddress", semconv.ATTR_CLIENT_ADDRESS, "sensitive"],
    ["metadata.referrer", semconv.ATTR_REFERRER, "sensitive"],
    ["metadata.channel", semconv.ATTR_CHANNEL],
    ["metadata.customerType", semconv.ATTR_CUSTOMER_TYPE],
  ),
  user_message: toFieldAttributes(
    ["content", semconv.ATTR_GEN_AI_INPUT_MESSAGES, "sensitive", "user_message"],
    // The hash of a short message (a PIN, a yes) is easily guessed.
    ["contentHash", semconv.ATTR_CONTENT_HASH, "sensitive"],
    ["contentLength", semconv.ATTR_CONTENT_LENGTH],
    ["metadata.messageId", semconv.ATTR_MESSAGE_ID],
    ["metadata.threadId", semconv.ATTR_THREAD_ID],
    ["metadata.attachments", semconv.ATTR_MESSAGE_ATTACHMENTS, "sensitive"],
    ["metadata.sentiment", semconv.ATTR_MESSAGE_SENTIMENT],
    ["metadata.language", semconv.ATTR_MESSAGE_LANGUAGE],
  ),
  agent_response: toFieldAttributes(
    ["content", semconv.ATTR_GEN_AI_OUTPUT_MESSAGES, "sensitive", "assistant_message"],
    ["contentHash", semconv.ATTR_CONTENT_HASH, "sensitive"],
    ["contentLength", semconv.ATTR_CONTENT_LENGTH],
    ["llmMetadata.model", semconv.ATTR_GEN_AI_RESPONSE_MODEL],
    ["llmMetadata.provider", semconv.ATTR_GEN_AI_PROVIDER_NAME],
    ["llmMetadata.latency", semconv.ATTR_LLM_LATENCY_MS],
    ["llmMetadata.tokensUsed.input", semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS],
    ["llmMetadata.tokensUsed.output", semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
    ["llmMetadata.tokensUsed.total", semconv.ATTR_USAGE_TOTAL_TOKENS],
    ["llmMetadata.cost", semconv.ATTR_USAGE_COST],
    ["llmMetadata.temperature", semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE],
    ["llmMetadata.maxTokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
    ["llmMetadata.topP", semconv.ATTR_GEN_AI_REQUEST_TOP_P],
    ["llmMetadata.frequencyPenalty", semconv.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY],
    ["llmMetadata.presencePenalty", semconv.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY],
    ["qualityMetrics.responseQuality", semconv.ATTR_QUALITY_RESPONSE],
    ["qualityMetrics.relevanceScore", semconv.ATTR_QUALITY_RELEVANCE],
    ["qualityMetrics.coherenceScore", semconv.ATTR_QUALITY_COHERENCE],
    ["qualityMetrics.helpfulnessScore", semconv.ATTR_QUALITY_HELPFULNESS],
    ["qualityMetrics.factualAccuracy", semconv.ATTR_QUALITY_FACTUAL_ACCURACY],
    ["qualityMetrics.completeness", semconv.ATTR_QUALITY_COMPLETENESS],
    ["complianceFlags", semconv.ATTR_COMPLIANCE_VIOLATIONS, undefined, "findings"],
    ["riskScore", semconv.ATTR_COMPLIANCE_RISK_SCORE],
    ["requiresReview", semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW],
  ),
  tool_call: toFieldAttributes(
    ["toolName", semconv.ATTR_GEN_AI_TOOL_NAME],
    ["toolParameters", semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, "sensitive"],
    ["toolCategory", semconv.ATTR_TOOL_CATEGORY],
    ["riskLevel", semconv.ATTR_TOOL_RISK_LEVEL],
    ["metadata.toolCallId", semconv.ATTR_GEN_AI_TOOL_CALL_ID],
    ["metadata.toolVersion", semconv.ATTR_TOOL_VERSION],
    ["metadata.executionContext", semconv.ATTR_TOOL_EXECUTION_CONTEXT, "sensitive"],
    ["metadata.timeout", semconv.ATTR_TOOL_TIMEOUT_MS],
    ["metadata.retryAttempts", semconv.ATTR_TOOL_RETRY_ATTEMPTS],
    ["metadata.approval.status", semconv.ATTR_TOOL_APPROVAL_STATUS],
    ["metadata.approval.askedAt", semconv.ATTR_TOOL_APPROVAL_ASKED_AT],
    ["metadata.approval.decidedAt", semconv.ATTR_TOOL_APPROVAL_DECIDED_AT],
    // Names of people, and their texts.
    ["metadata.approval.by", semconv.ATTR_TOOL_APPROVAL_BY, "sensitive"],
    ["metadata.approval.reason", semconv.ATTR_TOOL_APPROVAL_REASON, "sensitive"],
  ),
  tool_result: toFieldAttributes(
    ["toolName", semconv.ATTR_GEN_AI_TOOL_NAME],
    ["toolResult", semconv.ATTR_GEN_AI_TOOL_CALL_RESULT, "sensitive"],
    ["toolError", semconv.ATTR_EXCEPTION_MESSAGE, "sensitive"],
    ["executionTime", semconv.ATTR_TOOL_EXECUTION_TIME_MS],
    ["success", semconv.ATTR_TOOL_SUCCESS],
    ["metadata.toolCallId", semconv.ATTR_GEN_AI_TOOL_CALL_ID],
    ["metadata.cacheHit", semconv.ATTR_TOOL_CACHE_HIT],
    ["metadata.dataSource", semconv.ATTR_GEN_AI_DATA_SOURCE_ID],
    ["metadata.resultSize", semconv.ATTR_TOOL_RESULT_SIZE],
    ["metadata.retryCount", semconv.ATTR_TOOL_RETRY_COUNT],
  ),
  error: toFieldAttributes(
    ["errorType", semconv.ATTR_ERROR_TYPE],
    ["errorMessage", semconv.ATTR_EXCEPTION_MESSAGE, "sensitive"],
    ["errorStack", semconv.ATTR_EXCEPTION_STACKTRACE, "sensitive"],
    ["errorCode", semconv.ATTR_ERROR_CODE],
    ["severity", semconv.ATTR_ERROR_SEVERITY],
    ["recoverable", semconv.ATTR_ERROR_RECOVERABLE],
    ["metadata.userImpact", semconv.ATTR_ERROR_USER_IMPACT],
    ["metadata.systemImpact", semconv.ATTR_ERROR_SYSTEM_IMPACT],
    ["metadata.errorSource", semconv.ATTR_ERROR_SOURCE],
    ["metadata.originalError", semconv.ATTR_ERROR_ORIGINAL, "sensitive"],
    ["metadata.contextInfo", semconv.ATTR_ERROR_CONTEXT, "sensitive"],
  ),
  conversation_end: toFieldAttributes(
    ["duration", semconv.ATTR_CONVERSATION_DURATION_MS],
    ["messageCount", semconv.ATTR_CONVERSATION_MESSAGE_COUNT],
    ["userSatisfaction", semconv.ATTR_CONVERSATION_USER_SATISFACTION],
    ["resolutionStatus", semconv.ATTR_CONVERSATION_RESOLUTION_STATUS],
    ["metadata.endReason", semconv.ATTR_CONVERSATION_END_REASON],
    ["metadata.followUpRequired", semconv.ATTR_CONVERSATION_FOLLOW_UP_REQUIRED],
    ["metadata.escalationReason", semconv.ATTR_CONVERSATION_ESCALATION_REASON, "sensitive"],
    ["metadata.avgResponseTime", semconv.ATTR_CONVERSATION_AVG_RESPONSE_TIME_MS],
    ["metadata.toolCallCount", semconv.ATTR_CONVERSATION_TOOL_CALL_COUNT],
    ["metadata.errorCount", semconv.ATTR_CONVERSATION_ERROR_COUNT],
  ),
  compliance_violation: toFieldAttributes(
    ["violationType", semconv.ATTR_COMPLIANCE_VIOLATION_TYPE],
    ["severity", semconv.ATTR_COMPLIANCE_VIOLATION_SEVERITY],
    ["description", semconv.ATTR_COMPLIANCE_VIOLATION_DESCRIPTION, "sensitive"],
    ["ruleId", semconv.ATTR_COMPLIANCE_RULE_ID],
  ),
};

/**
 * Members of an answer's metadata that would be fields of `llmMetadata` or `qualityMetrics` if no other field of these
 * were missing. They share the attributes, and are also written with the other members of the metadata.
 */
export const PARTIAL_FIELD_ATTRIBUTES: readonly FieldAttribute[] =
  KIND_FIELD_ATTRIBUTES.agent_response
    .filter(({ field }) => /^(?:llmMetadata|qualityMetrics)\./.test(field))
    .map((row) => {
      const member = row.field.replace(/^\w+\./, "");
      return { ...row, field: `metadata.${member === "latency" ? "llmLatency" : member}` };
    });

/** Fields of a finding on its own log record. */
export const FINDING_FIELD_ATTRIBUTES = toFieldAttributes(
  ["rule", semconv.ATTR_COMPLIANCE_RULE_ID],
  ["category", semconv.ATTR_COMPLIANCE_RULE_CATEGORY],
  ["context.ruleVersion", semconv.ATTR_COMPLIANCE_RULE_VERSION],
  ["context.packId", semconv.ATTR_COMPLIANCE_PACK_ID],
  ["context.packVersion", semconv.ATTR_COMPLIANCE_PACK_VERSION],
  ["context.packSha256", semconv.ATTR_COMPLIANCE_PACK_SHA256],
  ["context.overridePackId", semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_ID],
  ["context.overridePackVersion", semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_VERSION],
  ["context.overridePackSha256", semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_SHA256],
  ["context.secondLookVersion", semconv.ATTR_COMPLIANCE_SECOND_LOOK_VERSION],
  ["context.secondLookSha256", semconv.ATTR_COMPLIANCE_SECOND_LOOK_SHA256],
  ["severity", semconv.ATTR_COMPLIANCE_VIOLATION_SEVERITY],
  ["confidence", semconv.ATTR_COMPLIANCE_VIOLATION_CONFIDENCE],
  ["context.detectedPattern", semconv.ATTR_COMPLIANCE_VIOLATION_DETECTED_PATTERN],
  ["context.alsoMatched", semconv.ATTR_COMPLIANCE_VIOLATION_ALSO_MATCHED],
  ["context.groupedUnder", semconv.ATTR_COMPLIANCE_VIOLATION_GROUPED_UNDER],
  ["context.spans", semconv.ATTR_COMPLIANCE_VIOLATION_SPANS],
  ["description", semconv.ATTR_COMPLIANCE_VIOLATION_DESCRIPTION, "sensitive"],
  ["context.detectedContent", semconv.ATTR_COMPLIANCE_VIOLATION_DETECTED_CONTENT, "sensitive"],
);

/** Name of each kind's log record and span event. */
export const EVENT_NAMES: Readonly<Record<EventType, string>> = {
  conversation_start: "agent_monitor.conversation.start",
  user_message: "agent_monitor.user.message",
  agent_response: "agent_monitor.agent.response",
  tool_call: "agent_monitor.tool.call",
  tool_result: "agent_monitor.tool.result",
  error: "agent_monitor.error",
  conversation_end: "agent_monitor.conversation.end",
  compliance_violation: "agent_monitor.compliance.violation",
};
