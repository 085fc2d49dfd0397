/*
 * Names of attributes, events and metrics: OpenTelemetry's from its package, those of other producers in its namespace
 * with their source, and our own. The build inlines the values of these names and nothing else of the package: each is
 * read by itself, since a bundler would keep all of a package that is taken apart.
 */
import * as stable from "@opentelemetry/semantic-conventions";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";

/** Prefix of every attribute and event of our own. */
export const NAMESPACE = "agent_monitor";
/** Instrumentation scope of everything the monitor emits. */
export const SCOPE_NAME = "agent-monitor";
/** Instrumentation scope of model calls observed at `fetch`, which the bridge converts to events. */
export const FETCH_SCOPE_NAME = `${SCOPE_NAME}/fetch`;
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

// Stable names.
export const ATTR_CLIENT_ADDRESS = stable.ATTR_CLIENT_ADDRESS;
export const ATTR_DEPLOYMENT_ENVIRONMENT_NAME = stable.ATTR_DEPLOYMENT_ENVIRONMENT_NAME;
export const ATTR_ERROR_TYPE = stable.ATTR_ERROR_TYPE;
export const ATTR_EXCEPTION_MESSAGE = stable.ATTR_EXCEPTION_MESSAGE;
export const ATTR_EXCEPTION_STACKTRACE = stable.ATTR_EXCEPTION_STACKTRACE;
export const ATTR_EXCEPTION_TYPE = stable.ATTR_EXCEPTION_TYPE;
export const ATTR_HTTP_REQUEST_RESEND_COUNT = stable.ATTR_HTTP_REQUEST_RESEND_COUNT;
export const ATTR_HTTP_RESPONSE_STATUS_CODE = stable.ATTR_HTTP_RESPONSE_STATUS_CODE;
export const ATTR_SERVER_ADDRESS = stable.ATTR_SERVER_ADDRESS;
export const ATTR_SERVER_PORT = stable.ATTR_SERVER_PORT;
export const ATTR_SERVICE_NAME = stable.ATTR_SERVICE_NAME;
export const ATTR_TELEMETRY_SDK_NAME = stable.ATTR_TELEMETRY_SDK_NAME;
export const ATTR_USER_AGENT_ORIGINAL = stable.ATTR_USER_AGENT_ORIGINAL;
export const EVENT_EXCEPTION = stable.EVENT_EXCEPTION;

/* oxlint-disable typescript/no-deprecated -- the package marks all GenAI names so, since they moved to conventions of their own */
// Names in development, and deprecated names of older producers.
export const ATTR_AWS_REQUEST_ID = incubating.ATTR_AWS_REQUEST_ID;
export const ATTR_ENDUSER_ID = incubating.ATTR_ENDUSER_ID;
export const ATTR_ERROR_MESSAGE = incubating.ATTR_ERROR_MESSAGE;
export const ATTR_EVENT_NAME = incubating.ATTR_EVENT_NAME;
export const ATTR_GEN_AI_AGENT_ID = incubating.ATTR_GEN_AI_AGENT_ID;
export const ATTR_GEN_AI_AGENT_NAME = incubating.ATTR_GEN_AI_AGENT_NAME;
export const ATTR_GEN_AI_AGENT_VERSION = incubating.ATTR_GEN_AI_AGENT_VERSION;
export const ATTR_GEN_AI_COMPLETION = incubating.ATTR_GEN_AI_COMPLETION;
export const ATTR_GEN_AI_CONVERSATION_ID = incubating.ATTR_GEN_AI_CONVERSATION_ID;
export const ATTR_GEN_AI_DATA_SOURCE_ID = incubating.ATTR_GEN_AI_DATA_SOURCE_ID;
export const ATTR_GEN_AI_EVALUATION_EXPLANATION = incubating.ATTR_GEN_AI_EVALUATION_EXPLANATION;
export const ATTR_GEN_AI_EVALUATION_NAME = incubating.ATTR_GEN_AI_EVALUATION_NAME;
export const ATTR_GEN_AI_EVALUATION_SCORE_LABEL = incubating.ATTR_GEN_AI_EVALUATION_SCORE_LABEL;
export const ATTR_GEN_AI_EVALUATION_SCORE_VALUE = incubating.ATTR_GEN_AI_EVALUATION_SCORE_VALUE;
export const ATTR_GEN_AI_INPUT_MESSAGES = incubating.ATTR_GEN_AI_INPUT_MESSAGES;
export const ATTR_GEN_AI_OPERATION_NAME = incubating.ATTR_GEN_AI_OPERATION_NAME;
export const ATTR_GEN_AI_OUTPUT_MESSAGES = incubating.ATTR_GEN_AI_OUTPUT_MESSAGES;
export const ATTR_GEN_AI_PROMPT = incubating.ATTR_GEN_AI_PROMPT;
export const ATTR_GEN_AI_PROVIDER_NAME = incubating.ATTR_GEN_AI_PROVIDER_NAME;
export const ATTR_GEN_AI_REQUEST_CHOICE_COUNT = incubating.ATTR_GEN_AI_REQUEST_CHOICE_COUNT;
export const ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY =
  incubating.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY;
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = incubating.ATTR_GEN_AI_REQUEST_MAX_TOKENS;
export const ATTR_GEN_AI_REQUEST_MODEL = incubating.ATTR_GEN_AI_REQUEST_MODEL;
export const ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY = incubating.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY;
export const ATTR_GEN_AI_REQUEST_SEED = incubating.ATTR_GEN_AI_REQUEST_SEED;
export const ATTR_GEN_AI_REQUEST_STOP_SEQUENCES = incubating.ATTR_GEN_AI_REQUEST_STOP_SEQUENCES;
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = incubating.ATTR_GEN_AI_REQUEST_TEMPERATURE;
export const ATTR_GEN_AI_REQUEST_TOP_K = incubating.ATTR_GEN_AI_REQUEST_TOP_K;
export const ATTR_GEN_AI_REQUEST_TOP_P = incubating.ATTR_GEN_AI_REQUEST_TOP_P;
export const ATTR_GEN_AI_RESPONSE_FINISH_REASONS = incubating.ATTR_GEN_AI_RESPONSE_FINISH_REASONS;
export const ATTR_GEN_AI_RESPONSE_ID = incubating.ATTR_GEN_AI_RESPONSE_ID;
export const ATTR_GEN_AI_RESPONSE_MODEL = incubating.ATTR_GEN_AI_RESPONSE_MODEL;
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK =
  incubating.ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK;
export const ATTR_GEN_AI_RETRIEVAL_DOCUMENTS = incubating.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS;
export const ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT = incubating.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT;
export const ATTR_GEN_AI_SYSTEM = incubating.ATTR_GEN_AI_SYSTEM;
export const ATTR_GEN_AI_SYSTEM_INSTRUCTIONS = incubating.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS;
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = incubating.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS;
export const ATTR_GEN_AI_TOOL_CALL_ID = incubating.ATTR_GEN_AI_TOOL_CALL_ID;
export const ATTR_GEN_AI_TOOL_CALL_RESULT = incubating.ATTR_GEN_AI_TOOL_CALL_RESULT;
export const ATTR_GEN_AI_TOOL_DEFINITIONS = incubating.ATTR_GEN_AI_TOOL_DEFINITIONS;
export const ATTR_GEN_AI_TOOL_NAME = incubating.ATTR_GEN_AI_TOOL_NAME;
export const ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS =
  incubating.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS;
export const ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS =
  incubating.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS;
export const ATTR_GEN_AI_USAGE_COMPLETION_TOKENS = incubating.ATTR_GEN_AI_USAGE_COMPLETION_TOKENS;
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = incubating.ATTR_GEN_AI_USAGE_INPUT_TOKENS;
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = incubating.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS;
export const ATTR_GEN_AI_USAGE_PROMPT_TOKENS = incubating.ATTR_GEN_AI_USAGE_PROMPT_TOKENS;
export const ATTR_HTTP_STATUS_CODE = incubating.ATTR_HTTP_STATUS_CODE;
export const ATTR_LOG_RECORD_UID = incubating.ATTR_LOG_RECORD_UID;
export const ATTR_MCP_METHOD_NAME = incubating.ATTR_MCP_METHOD_NAME;
export const ATTR_SESSION_ID = incubating.ATTR_SESSION_ID;
export const ATTR_USER_ID = incubating.ATTR_USER_ID;
export const EVENT_GEN_AI_CHOICE = incubating.EVENT_GEN_AI_CHOICE;
export const EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS =
  incubating.EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS;
export const EVENT_GEN_AI_EVALUATION_RESULT = incubating.EVENT_GEN_AI_EVALUATION_RESULT;
export const EVENT_GEN_AI_TOOL_MESSAGE = incubating.EVENT_GEN_AI_TOOL_MESSAGE;
export const GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT =
  incubating.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT;
export const METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK =
  incubating.METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK;
export const METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN =
  incubating.METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN;

// Names of the GenAI conventions, newer than the package: https://github.com/open-telemetry/semantic-conventions-genai
export const ATTR_GEN_AI_INVOCATION_NAME = "gen_ai.invocation.name";
export const ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS = "gen_ai.usage.cache_write.input_tokens";
// Proposed there, and written by evaluation libraries: https://github.com/open-telemetry/semantic-conventions-genai/pull/359
export const ATTR_GEN_AI_EVALUATION_EVALUATOR_ID = "gen_ai.evaluation.evaluator.id";
export const ATTR_GEN_AI_EVALUATION_EVALUATOR_TYPE = "gen_ai.evaluation.evaluator.type";
export const ATTR_GEN_AI_EVALUATION_EVALUATOR_VERSION = "gen_ai.evaluation.evaluator.version";

// Azure's AI SDKs, and Microsoft Agent 365: all of an event as JSON.
export const ATTR_GEN_AI_EVENT_CONTENT = "gen_ai.event.content";
// OpenLLMetry (Traceloop), which numbers messages: its newer instrumentations and others write the first one alone.
export const ATTR_GEN_AI_PROMPT_0_ROLE = "gen_ai.prompt.0.role";
export const ATTR_GEN_AI_PROMPT_0_CONTENT = "gen_ai.prompt.0.content";
export const ATTR_GEN_AI_COMPLETION_0_ROLE = "gen_ai.completion.0.role";
export const ATTR_GEN_AI_COMPLETION_0_CONTENT = "gen_ai.completion.0.content";
export const ATTR_GEN_AI_COMPLETION_0_FINISH_REASON = "gen_ai.completion.0.finish_reason";
// OpenLLMetry's Deepgram instrumentation.
export const ATTR_GEN_AI_RESPONSE_REQUEST_ID = "gen_ai.response.request_id";
// OpenLLMetry and Strands Agents, before the conventions had names for cached tokens; the last one Strands alone.
export const ATTR_LLM_USAGE_CACHE_READ_INPUT_TOKENS = "gen_ai.usage.cache_read_input_tokens";
export const ATTR_LLM_USAGE_CACHE_CREATION_INPUT_TOKENS =
  "gen_ai.usage.cache_creation_input_tokens";
export const ATTR_LLM_USAGE_CACHE_WRITE_INPUT_TOKENS = "gen_ai.usage.cache_write_input_tokens";
// Mastra.
export const ATTR_GEN_AI_USAGE_CACHED_INPUT_TOKENS = "gen_ai.usage.cached_input_tokens";
// Sentry: https://github.com/getsentry/sentry-conventions
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS_CACHED = "gen_ai.usage.input_tokens.cached";
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS_CACHE_WRITE = "gen_ai.usage.input_tokens.cache_write";
export const ATTR_GEN_AI_RESPONSE_STOP_REASON = "gen_ai.response.stop_reason";
export const ATTR_GEN_AI_RESPONSE_TEXT = "gen_ai.response.text";
export const ATTR_GEN_AI_TOOL_INPUT = "gen_ai.tool.input";
export const ATTR_GEN_AI_TOOL_OUTPUT = "gen_ai.tool.output";
// OpenLIT; the result GitHub Copilot Chat as well.
export const ATTR_GEN_AI_TOOL_ARGS = "gen_ai.tool.args";
export const ATTR_GEN_AI_TOOL_RESULT = "gen_ai.tool.result";
// Alibaba Cloud and Volcengine (veADK).
export const ATTR_GEN_AI_USER_ID = "gen_ai.user.id";

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
/** Number of the platform's audit record about a decision. */
export const ATTR_REVIEW_AUDIT_SEQUENCE = "agent_monitor.review.audit_sequence";
export const ATTR_FINDING_TIER = "agent_monitor.finding.tier";
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
