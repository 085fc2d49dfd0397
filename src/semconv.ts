/*
 * Names of attributes and events.
 *
 * Those of OpenTelemetry's GenAI conventions (v1.41.1) are copied: the package marks them all as
 * deprecated since they moved, and they are not part of its stable entry point.
 */

/** Prefix of every attribute and event of our own. */
export const NAMESPACE = "agent_monitor";
/** Instrumentation scope of everything the monitor emits. */
export const SCOPE_NAME = "agent-monitor";
/** Instrumentation scope of the model calls that were seen at `fetch`, which the bridge makes events of. */
export const FETCH_SCOPE_NAME = `${SCOPE_NAME}/fetch`;
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

export const ATTR_GEN_AI_OPERATION_NAME = "gen_ai.operation.name";
export const GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT = "invoke_agent";
export const ATTR_GEN_AI_PROVIDER_NAME = "gen_ai.provider.name";
export const ATTR_GEN_AI_REQUEST_MODEL = "gen_ai.request.model";
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = "gen_ai.request.temperature";
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens";
export const ATTR_GEN_AI_REQUEST_TOP_P = "gen_ai.request.top_p";
export const ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY = "gen_ai.request.frequency_penalty";
export const ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY = "gen_ai.request.presence_penalty";
export const ATTR_GEN_AI_RESPONSE_MODEL = "gen_ai.response.model";
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = "gen_ai.usage.input_tokens";
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
export const ATTR_GEN_AI_AGENT_ID = "gen_ai.agent.id";
export const ATTR_GEN_AI_AGENT_NAME = "gen_ai.agent.name";
export const ATTR_GEN_AI_AGENT_VERSION = "gen_ai.agent.version";
export const ATTR_GEN_AI_CONVERSATION_ID = "gen_ai.conversation.id";
export const ATTR_GEN_AI_DATA_SOURCE_ID = "gen_ai.data_source.id";
export const ATTR_GEN_AI_INPUT_MESSAGES = "gen_ai.input.messages";
export const ATTR_GEN_AI_OUTPUT_MESSAGES = "gen_ai.output.messages";
export const ATTR_GEN_AI_TOOL_NAME = "gen_ai.tool.name";
export const ATTR_GEN_AI_TOOL_CALL_ID = "gen_ai.tool.call.id";
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments";
export const ATTR_GEN_AI_TOOL_CALL_RESULT = "gen_ai.tool.call.result";
export const ATTR_GEN_AI_RESPONSE_ID = "gen_ai.response.id";
export const ATTR_GEN_AI_EVALUATION_NAME = "gen_ai.evaluation.name";
export const ATTR_GEN_AI_EVALUATION_SCORE_VALUE = "gen_ai.evaluation.score.value";
export const ATTR_GEN_AI_EVALUATION_SCORE_LABEL = "gen_ai.evaluation.score.label";
export const ATTR_GEN_AI_EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation";
export const EVENT_GEN_AI_EVALUATION_RESULT = "gen_ai.evaluation.result";
export const ATTR_SESSION_ID = "session.id";
export const ATTR_USER_ID = "user.id";
export const ATTR_LOG_RECORD_UID = "log.record.uid";
export const ATTR_DEPLOYMENT_ENVIRONMENT_NAME = "deployment.environment.name";
export const ATTR_ERROR_TYPE = "error.type";
export const ATTR_EXCEPTION_TYPE = "exception.type";
export const ATTR_EXCEPTION_MESSAGE = "exception.message";
export const ATTR_EXCEPTION_STACKTRACE = "exception.stacktrace";
export const ATTR_USER_AGENT_ORIGINAL = "user_agent.original";
export const ATTR_CLIENT_ADDRESS = "client.address";

export const ATTR_ORGANIZATION_ID = "agent_monitor.organization.id";
export const ATTR_REQUEST_ID = "agent_monitor.request.id";
export const ATTR_EVENT_SCHEMA_VERSION = "agent_monitor.event.schema_version";
export const ATTR_EVENT_LENGTH = "agent_monitor.event.length";
export const ATTR_EVENT_JSON_ATTRIBUTES = "agent_monitor.event.json_attributes";
export const ATTR_METADATA = "agent_monitor.metadata";
export const ATTR_AGENT_CATEGORY = "agent_monitor.agent.category";
export const ATTR_AGENT_SPECIALTY = "agent_monitor.agent.specialty";
export const ATTR_CONTENT_HASH = "agent_monitor.content.hash";
export const ATTR_CONTENT_LENGTH = "agent_monitor.content.length";
export const ATTR_CHANNEL = "agent_monitor.channel";
export const ATTR_REFERRER = "agent_monitor.referrer";
export const ATTR_CUSTOMER_TYPE = "agent_monitor.customer.type";
export const ATTR_MESSAGE_ID = "agent_monitor.message.id";
export const ATTR_MESSAGE_ATTACHMENTS = "agent_monitor.message.attachments";
export const ATTR_MESSAGE_SENTIMENT = "agent_monitor.message.sentiment";
export const ATTR_MESSAGE_LANGUAGE = "agent_monitor.message.language";
export const ATTR_THREAD_ID = "agent_monitor.thread.id";
export const ATTR_LLM_LATENCY_MS = "agent_monitor.llm.latency_ms";
export const ATTR_USAGE_TOTAL_TOKENS = "agent_monitor.usage.total_tokens";
export const ATTR_USAGE_COST = "agent_monitor.usage.cost";
export const ATTR_QUALITY_RESPONSE = "agent_monitor.quality.response";
export const ATTR_QUALITY_RELEVANCE = "agent_monitor.quality.relevance";
export const ATTR_QUALITY_COHERENCE = "agent_monitor.quality.coherence";
export const ATTR_QUALITY_HELPFULNESS = "agent_monitor.quality.helpfulness";
export const ATTR_QUALITY_FACTUAL_ACCURACY = "agent_monitor.quality.factual_accuracy";
export const ATTR_QUALITY_COMPLETENESS = "agent_monitor.quality.completeness";
export const ATTR_COMPLIANCE_VIOLATIONS = "agent_monitor.compliance.violations";
export const ATTR_COMPLIANCE_RISK_SCORE = "agent_monitor.compliance.risk_score";
export const ATTR_COMPLIANCE_REQUIRES_REVIEW = "agent_monitor.compliance.requires_review";
export const ATTR_COMPLIANCE_EVALUATED = "agent_monitor.compliance.evaluated";
export const ATTR_COMPLIANCE_PARTIAL = "agent_monitor.compliance.partial";
export const ATTR_COMPLIANCE_FINDING_COUNT = "agent_monitor.compliance.finding_count";
export const ATTR_COMPLIANCE_RULE_IDS = "agent_monitor.compliance.rule_ids";
export const ATTR_COMPLIANCE_RULE_CATEGORY = "agent_monitor.compliance.rule.category";
export const ATTR_COMPLIANCE_RULE_ID = "agent_monitor.compliance.rule.id";
export const ATTR_COMPLIANCE_RULE_VERSION = "agent_monitor.compliance.rule.version";
export const ATTR_COMPLIANCE_PACK_ID = "agent_monitor.compliance.pack.id";
export const ATTR_COMPLIANCE_PACK_VERSION = "agent_monitor.compliance.pack.version";
export const ATTR_COMPLIANCE_PACK_SHA256 = "agent_monitor.compliance.pack.sha256";
export const ATTR_COMPLIANCE_OVERRIDE_PACK_ID = "agent_monitor.compliance.override.pack.id";
export const ATTR_COMPLIANCE_OVERRIDE_PACK_VERSION =
  "agent_monitor.compliance.override.pack.version";
export const ATTR_COMPLIANCE_OVERRIDE_PACK_SHA256 = "agent_monitor.compliance.override.pack.sha256";
export const ATTR_COMPLIANCE_SECOND_LOOK_VERSION = "agent_monitor.compliance.second_look.version";
export const ATTR_COMPLIANCE_SECOND_LOOK_SHA256 = "agent_monitor.compliance.second_look.sha256";
export const ATTR_COMPLIANCE_VIOLATION_TYPE = "agent_monitor.compliance.violation.type";
export const ATTR_COMPLIANCE_VIOLATION_SEVERITY = "agent_monitor.compliance.violation.severity";
export const ATTR_COMPLIANCE_VIOLATION_DESCRIPTION =
  "agent_monitor.compliance.violation.description";
export const ATTR_COMPLIANCE_VIOLATION_CONFIDENCE = "agent_monitor.compliance.violation.confidence";
export const ATTR_COMPLIANCE_VIOLATION_DETECTED_PATTERN =
  "agent_monitor.compliance.violation.detected_pattern";
export const ATTR_COMPLIANCE_VIOLATION_DETECTED_CONTENT =
  "agent_monitor.compliance.violation.detected_content";
export const ATTR_COMPLIANCE_VIOLATION_ALSO_MATCHED =
  "agent_monitor.compliance.violation.also_matched";
export const ATTR_COMPLIANCE_VIOLATION_GROUPED_UNDER =
  "agent_monitor.compliance.violation.grouped_under";
export const ATTR_COMPLIANCE_VIOLATION_SPANS = "agent_monitor.compliance.violation.spans";
export const ATTR_COMPLIANCE_ANSWER_ID = "agent_monitor.compliance.answer.id";
export const ATTR_EVALUATOR_ID = "agent_monitor.evaluator.id";
export const ATTR_EVALUATOR_TYPE = "agent_monitor.evaluator.type";
export const ATTR_EVALUATOR_VERSION = "agent_monitor.evaluator.version";
export const ATTR_EVALUATOR_MODEL = "agent_monitor.evaluator.model";
export const ATTR_EVALUATOR_PROMPT_HASH = "agent_monitor.evaluator.prompt_hash";
export const ATTR_EVALUATOR_REASON = "agent_monitor.evaluator.reason";
export const ATTR_FINDING_TIER = "agent_monitor.finding.tier";
/** Span event of an error, beside the one of ours. */
export const EVENT_EXCEPTION = "exception";
/** Log record of one finding. */
export const EVENT_COMPLIANCE_FINDING = "agent_monitor.compliance.finding";
export const ATTR_TOOL_CATEGORY = "agent_monitor.tool.category";
export const ATTR_TOOL_RISK_LEVEL = "agent_monitor.tool.risk_level";
export const ATTR_TOOL_VERSION = "agent_monitor.tool.version";
export const ATTR_TOOL_APPROVAL_STATUS = "agent_monitor.tool.approval.status";
export const ATTR_TOOL_APPROVAL_ASKED_AT = "agent_monitor.tool.approval.asked_at";
export const ATTR_TOOL_APPROVAL_DECIDED_AT = "agent_monitor.tool.approval.decided_at";
export const ATTR_TOOL_APPROVAL_BY = "agent_monitor.tool.approval.by";
export const ATTR_TOOL_APPROVAL_REASON = "agent_monitor.tool.approval.reason";
export const ATTR_TOOL_EXECUTION_CONTEXT = "agent_monitor.tool.execution_context";
export const ATTR_TOOL_TIMEOUT_MS = "agent_monitor.tool.timeout_ms";
export const ATTR_TOOL_RETRY_ATTEMPTS = "agent_monitor.tool.retry_attempts";
export const ATTR_TOOL_EXECUTION_TIME_MS = "agent_monitor.tool.execution_time_ms";
export const ATTR_TOOL_SUCCESS = "agent_monitor.tool.success";
export const ATTR_TOOL_CACHE_HIT = "agent_monitor.tool.cache_hit";
export const ATTR_TOOL_RESULT_SIZE = "agent_monitor.tool.result_size";
export const ATTR_TOOL_RETRY_COUNT = "agent_monitor.tool.retry_count";
export const ATTR_ERROR_CODE = "agent_monitor.error.code";
export const ATTR_ERROR_SEVERITY = "agent_monitor.error.severity";
export const ATTR_ERROR_RECOVERABLE = "agent_monitor.error.recoverable";
export const ATTR_ERROR_USER_IMPACT = "agent_monitor.error.user_impact";
export const ATTR_ERROR_SYSTEM_IMPACT = "agent_monitor.error.system_impact";
export const ATTR_ERROR_SOURCE = "agent_monitor.error.source";
export const ATTR_ERROR_ORIGINAL = "agent_monitor.error.original";
export const ATTR_ERROR_CONTEXT = "agent_monitor.error.context";
export const ATTR_CONVERSATION_DURATION_MS = "agent_monitor.conversation.duration_ms";
export const ATTR_CONVERSATION_MESSAGE_COUNT = "agent_monitor.conversation.message_count";
export const ATTR_CONVERSATION_TOOL_CALL_COUNT = "agent_monitor.conversation.tool_call_count";
export const ATTR_CONVERSATION_ERROR_COUNT = "agent_monitor.conversation.error_count";
export const ATTR_CONVERSATION_AVG_RESPONSE_TIME_MS =
  "agent_monitor.conversation.avg_response_time_ms";
export const ATTR_CONVERSATION_USER_SATISFACTION = "agent_monitor.conversation.user_satisfaction";
export const ATTR_CONVERSATION_RESOLUTION_STATUS = "agent_monitor.conversation.resolution_status";
export const ATTR_CONVERSATION_END_REASON = "agent_monitor.conversation.end_reason";
export const ATTR_CONVERSATION_FOLLOW_UP_REQUIRED = "agent_monitor.conversation.follow_up_required";
export const ATTR_CONVERSATION_ESCALATION_REASON = "agent_monitor.conversation.escalation_reason";
export const ATTR_CONVERSATION_INCOMPLETE = "agent_monitor.conversation.incomplete";
