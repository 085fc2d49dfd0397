import * as semconv from "../../src/semconv.ts";
import { FINDING_FIELD_ATTRIBUTES } from "../../src/telemetry/attribute-mapping.ts";
import { EVALUATOR_ATTRIBUTES } from "../../src/telemetry/log-record.ts";

/** An attribute that OpenTelemetry defines. */
export interface StandardAttribute {
  readonly type: string;
  readonly stability: "Development" | "Stable";
  readonly description: string;
}

function development(type: string, description: string): StandardAttribute {
  return { type, stability: "Development", description };
}

function stable(type: string, description: string): StandardAttribute {
  return { type, stability: "Stable", description };
}

/** Attributes of OpenTelemetry that are used, with their type there. */
export const STANDARD_ATTRIBUTES: Readonly<Record<string, StandardAttribute>> = {
  [semconv.ATTR_CLIENT_ADDRESS]: stable("string", "IP address of the user."),
  [semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: stable(
    "string",
    "Deployment that produced the event.",
  ),
  [semconv.ATTR_ERROR_TYPE]: stable("string", "Classification of the error."),
  [semconv.ATTR_EXCEPTION_MESSAGE]: stable("string", "Message of the error."),
  [semconv.ATTR_EXCEPTION_STACKTRACE]: stable("string", "Stack trace of the error."),
  [semconv.ATTR_EXCEPTION_TYPE]: stable("string", "The same as `error.type`."),
  [semconv.ATTR_GEN_AI_AGENT_ID]: development(
    "string",
    "Agent identifier, unique within the organization.",
  ),
  [semconv.ATTR_GEN_AI_AGENT_NAME]: development("string", "Name of the agent as registered."),
  [semconv.ATTR_GEN_AI_AGENT_VERSION]: development(
    "string",
    "Version of the agent when it happened.",
  ),
  [semconv.ATTR_GEN_AI_CONVERSATION_ID]: development(
    "string",
    "Conversation identifier; only if the caller gave one.",
  ),
  [semconv.ATTR_GEN_AI_DATA_SOURCE_ID]: development("string", "Source of a tool's data."),
  [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: development(
    "string",
    "Ids of the rules that found something; of the judge, the reason that its model gives; of a person, the reason code.",
  ),
  [semconv.ATTR_GEN_AI_EVALUATION_NAME]: development(
    "string",
    "`agent_monitor.compliance` of the rules, `agent_monitor.judge` of the judge, `agent_monitor.review` of a person.",
  ),
  [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: development(
    "string",
    "`requires_review`, `findings` or `no_findings`; of the judge `finding`, `confirmed`, `contradicted` or `no_findings`; of a person `violation`, `false_positive`, `acceptable` or `insufficient_evidence`.",
  ),
  [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: development(
    "double",
    "Risk of the answer, 0 to 100; of the judge how sure it is that there is something, 0 to 1.",
  ),
  [semconv.ATTR_GEN_AI_INPUT_MESSAGES]: development(
    "any",
    "The user's message in the GenAI message format.",
  ),
  [semconv.ATTR_GEN_AI_OPERATION_NAME]: development("string", "`invoke_agent`."),
  [semconv.ATTR_GEN_AI_OUTPUT_MESSAGES]: development(
    "any",
    "The agent's answer in the GenAI message format.",
  ),
  [semconv.ATTR_GEN_AI_PROVIDER_NAME]: development(
    "string",
    "LLM provider as registered, unchanged.",
  ),
  [semconv.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY]: development(
    "double",
    "Frequency penalty of the model call.",
  ),
  [semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS]: development(
    "int",
    "Most tokens the model may answer with.",
  ),
  [semconv.ATTR_GEN_AI_REQUEST_MODEL]: development("string", "Model as registered."),
  [semconv.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY]: development(
    "double",
    "Presence penalty of the model call.",
  ),
  [semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE]: development(
    "double",
    "Temperature of the model call.",
  ),
  [semconv.ATTR_GEN_AI_REQUEST_TOP_P]: development("double", "Top-p setting of the model call."),
  [semconv.ATTR_GEN_AI_RESPONSE_ID]: development(
    "string",
    "Id that the model's provider gave the answer.",
  ),
  [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: development("string", "Model behind the answer."),
  [semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: development("any", "Parameters of the tool call."),
  [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: development("string", "Joins a tool's call and result."),
  [semconv.ATTR_GEN_AI_TOOL_CALL_RESULT]: development("any", "What the tool gave back."),
  [semconv.ATTR_GEN_AI_TOOL_NAME]: development("string", "Name of the tool."),
  [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS]: development("int", "Tokens of the prompt."),
  [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: development("int", "Tokens of the answer."),
  [semconv.ATTR_LOG_RECORD_UID]: development(
    "string",
    "Id of the event; records with one id are duplicates.",
  ),
  [semconv.ATTR_SESSION_ID]: development("string", "Session identifier."),
  [semconv.ATTR_USER_AGENT_ORIGINAL]: stable("string", "User agent of the user's client."),
  [semconv.ATTR_USER_ID]: development("string", "User identifier."),
};

/** Descriptions of own attributes whose field has none in its schema. */
export const OWN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  [semconv.ATTR_CHANNEL]: "Channel of the conversation, `mobile app`.",
  [semconv.ATTR_COMPLIANCE_ANSWER_ID]: "Id of the tracked answer's event.",
  [semconv.ATTR_COMPLIANCE_EVALUATED]:
    "Whether rules have seen the answer; `false` says nothing of its compliance.",
  [semconv.ATTR_COMPLIANCE_FINDING_COUNT]: "Number of findings.",
  [semconv.ATTR_COMPLIANCE_PARTIAL]: "Set when only a part of the content was read.",
  [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: "Area of law of the rule.",
  [semconv.ATTR_COMPLIANCE_RULE_IDS]: "Rules that found something.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_CONFIDENCE]: "Confidence of the finding, 0 to 1.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_DETECTED_CONTENT]: "Masked excerpt of the original text.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_DETECTED_PATTERN]: "Stable id of the pattern that fired.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_ALSO_MATCHED]:
    "Ids of the rule's other patterns that fired on the passage.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_GROUPED_UNDER]:
    "Rule of the most severe finding on the passage, if that is another one: both are one fact.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_SPANS]:
    "Where the finding stands: `source`, `start` and `end` in UTF-16 units of the original message.",
  [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW]: "Whether a person must look at the answer.",
  [semconv.ATTR_COMPLIANCE_RISK_SCORE]: "Risk of the answer, 0 to 100.",
  [semconv.ATTR_COMPLIANCE_RULE_ID]: "Rule that was broken.",
  [semconv.ATTR_COMPLIANCE_RULE_VERSION]: "Version of the rule.",
  [semconv.ATTR_COMPLIANCE_PACK_ID]: "Pack of rules that the rule is of.",
  [semconv.ATTR_COMPLIANCE_PACK_VERSION]: "Version of the pack.",
  [semconv.ATTR_COMPLIANCE_PACK_SHA256]: "SHA-256 of the pack's files, in hex.",
  [semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_ID]:
    "The bank's own pack that has changed the rule, if one has.",
  [semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_VERSION]: "Version of that pack.",
  [semconv.ATTR_COMPLIANCE_OVERRIDE_PACK_SHA256]: "SHA-256 of that pack's file, in hex.",
  [semconv.ATTR_COMPLIANCE_SECOND_LOOK_VERSION]:
    "Version of the model that made or confirmed the finding, if one did.",
  [semconv.ATTR_COMPLIANCE_SECOND_LOOK_SHA256]: "SHA-256 of the model's files, in hex.",
  [semconv.ATTR_COMPLIANCE_VIOLATIONS]:
    "Findings of the rules; without text under the policy `none`.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_DESCRIPTION]: "What happened, in the application's words.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_SEVERITY]: "Weight of the violation.",
  [semconv.ATTR_COMPLIANCE_VIOLATION_TYPE]: "Kind of violation, in the application's words.",
  [semconv.ATTR_CONVERSATION_AVG_RESPONSE_TIME_MS]:
    "Mean time from a user message to its answer, ms.",
  [semconv.ATTR_CONVERSATION_DURATION_MS]: "Duration of the conversation, ms.",
  [semconv.ATTR_CONVERSATION_END_REASON]: "Why the conversation ended.",
  [semconv.ATTR_CONVERSATION_ERROR_COUNT]: "Errors of the conversation.",
  [semconv.ATTR_CONVERSATION_ESCALATION_REASON]: "Reason for escalation.",
  [semconv.ATTR_CONVERSATION_FOLLOW_UP_REQUIRED]: "Whether somebody must follow up.",
  [semconv.ATTR_CONVERSATION_INCOMPLETE]:
    "Set when the span ended without the end of the conversation being tracked.",
  [semconv.ATTR_CONVERSATION_MESSAGE_COUNT]: "Messages exchanged.",
  [semconv.ATTR_CONVERSATION_RESOLUTION_STATUS]: "How the conversation ended.",
  [semconv.ATTR_CONVERSATION_TOOL_CALL_COUNT]: "Tool calls of the conversation.",
  [semconv.ATTR_CONVERSATION_USER_SATISFACTION]: "Satisfaction of the user, 1 to 10.",
  [semconv.ATTR_CUSTOMER_TYPE]: "Type of customer.",
  [semconv.ATTR_ERROR_CODE]: "Error code.",
  [semconv.ATTR_ERROR_CONTEXT]: "What else the caller knows of the error.",
  [semconv.ATTR_ERROR_ORIGINAL]: "The original error object.",
  [semconv.ATTR_ERROR_RECOVERABLE]: "Whether the error is recoverable.",
  [semconv.ATTR_ERROR_SEVERITY]: "Severity of the error.",
  [semconv.ATTR_ERROR_SOURCE]: "Where the error came from.",
  [semconv.ATTR_ERROR_SYSTEM_IMPACT]: "Effect on the system.",
  [semconv.ATTR_ERROR_USER_IMPACT]: "Effect on the user experience.",
  [semconv.ATTR_EVENT_JSON_ATTRIBUTES]:
    "Names of the attributes that hold JSON text: in a log record those with a key that OpenTelemetry can't carry, on a span all that are no plain values.",
  [semconv.ATTR_EVENT_LENGTH]:
    "Members and UTF-16 units of texts of the whole event; absent under `none`. What is read back shorter was cut by a limit.",
  [semconv.ATTR_EVALUATOR_ID]:
    "Who has judged: `agent-monitor.judge`; `agent-monitor.review` where people have decided.",
  [semconv.ATTR_EVALUATOR_MODEL]: "Model that has judged, as its provider names it.",
  [semconv.ATTR_EVALUATOR_PROMPT_HASH]: "Digest of the prompt with its rules, `sha256:` and hex.",
  [semconv.ATTR_EVALUATOR_REASON]:
    "Why the answer was judged: `finding`, `candidate`, `sample` or `everything`.",
  [semconv.ATTR_EVALUATOR_TYPE]: "What has judged: `llm_judge` or `human`.",
  [semconv.ATTR_EVALUATOR_VERSION]: "Version of the prompt.",
  [semconv.ATTR_REVIEW_AUDIT_SEQUENCE]:
    "Number of the record in the platform's audit trail that says who has decided.",
  [semconv.ATTR_FINDING_TIER]: "What the judge makes of a finding: `confirmed` or `contradicted`.",
  [semconv.ATTR_LLM_LATENCY_MS]: "Time the model took, ms.",
  [semconv.ATTR_MESSAGE_ATTACHMENTS]: "Files that came with the message.",
  [semconv.ATTR_MESSAGE_ID]: "Message identifier.",
  [semconv.ATTR_MESSAGE_LANGUAGE]: "Language of the message.",
  [semconv.ATTR_MESSAGE_SENTIMENT]: "Sentiment of the message.",
  [semconv.ATTR_METADATA]: "Members of the metadata that have no attribute of their own.",
  [semconv.ATTR_ORGANIZATION_ID]: "Organization identifier.",
  [semconv.ATTR_QUALITY_COHERENCE]: "Coherence of the answer, 0 to 100.",
  [semconv.ATTR_QUALITY_COMPLETENESS]: "Completeness of the answer, 0 to 100.",
  [semconv.ATTR_QUALITY_FACTUAL_ACCURACY]: "Factual accuracy of the answer, 0 to 100.",
  [semconv.ATTR_QUALITY_HELPFULNESS]: "Helpfulness of the answer, 0 to 100.",
  [semconv.ATTR_QUALITY_RELEVANCE]: "Relevance of the answer, 0 to 100.",
  [semconv.ATTR_QUALITY_RESPONSE]: "Quality of the answer, 0 to 100.",
  [semconv.ATTR_REFERRER]: "Page that led the user here.",
  [semconv.ATTR_THREAD_ID]: "Thread identifier.",
  [semconv.ATTR_TOOL_CACHE_HIT]: "Whether the result came from a cache.",
  [semconv.ATTR_TOOL_CATEGORY]: "Category of the tool as registered.",
  [semconv.ATTR_TOOL_EXECUTION_CONTEXT]: "Where the tool ran.",
  [semconv.ATTR_TOOL_EXECUTION_TIME_MS]: "Time the tool took, ms.",
  [semconv.ATTR_TOOL_RESULT_SIZE]: "Size of the result in bytes.",
  [semconv.ATTR_TOOL_RETRY_ATTEMPTS]: "Retries the call may take.",
  [semconv.ATTR_TOOL_RETRY_COUNT]: "Retries the call took.",
  [semconv.ATTR_TOOL_RISK_LEVEL]: "Risk of using the tool as registered.",
  [semconv.ATTR_TOOL_SUCCESS]: "Whether the tool succeeded.",
  [semconv.ATTR_TOOL_TIMEOUT_MS]: "Deadline of the call, ms.",
  [semconv.ATTR_TOOL_VERSION]: "Version of the tool.",
  [semconv.ATTR_USAGE_COST]: "Cost of the model call.",
  [semconv.ATTR_USAGE_TOTAL_TOKENS]: "Tokens of prompt and answer.",
};

/** Attributes that no event field has: of the resource, of spans, of the record itself. */
export const OTHER_OWN_TYPES: Readonly<Record<string, string>> = {
  [semconv.ATTR_COMPLIANCE_EVALUATED]: "boolean",
  [semconv.ATTR_COMPLIANCE_FINDING_COUNT]: "int",
  [semconv.ATTR_COMPLIANCE_PARTIAL]: "boolean",
  [semconv.ATTR_COMPLIANCE_RULE_IDS]: "string[]",
  [semconv.ATTR_COMPLIANCE_VIOLATION_ALSO_MATCHED]: "string[]",
  [semconv.ATTR_COMPLIANCE_VIOLATION_CONFIDENCE]: "double",
  [semconv.ATTR_COMPLIANCE_VIOLATION_SPANS]: "any",
  [semconv.ATTR_CONVERSATION_INCOMPLETE]: "boolean",
  [semconv.ATTR_EVENT_JSON_ATTRIBUTES]: "string[]",
  [semconv.ATTR_EVENT_LENGTH]: "int",
  [semconv.ATTR_METADATA]: "any",
  [semconv.ATTR_ORGANIZATION_ID]: "string",
  [semconv.ATTR_REVIEW_AUDIT_SEQUENCE]: "int",
};

/** Identity of a conversation, on every span. */
const IDENTITY: readonly AttributeNote[] = [
  [semconv.ATTR_GEN_AI_AGENT_ID, "Required"],
  [semconv.ATTR_SESSION_ID, "Required"],
  [semconv.ATTR_GEN_AI_CONVERSATION_ID, "If the caller gave one"],
  [semconv.ATTR_USER_ID, "If known when the span starts"],
  [semconv.ATTR_GEN_AI_AGENT_NAME, "If the agent is registered"],
  [semconv.ATTR_GEN_AI_AGENT_VERSION, "If known when the span starts"],
  [semconv.ATTR_AGENT_CATEGORY, "If known when the span starts"],
  [semconv.ATTR_AGENT_SPECIALTY, "If known when the span starts"],
  [semconv.ATTR_GEN_AI_PROVIDER_NAME, "If the agent is registered"],
  [semconv.ATTR_GEN_AI_REQUEST_MODEL, "If the agent is registered"],
];

/** An attribute and when it is there. */
export type AttributeNote = readonly [attribute: string, requirement: string];

/** The sum over answers on the span of a conversation or of an agent's run. */
function toRollUp(condition: string): readonly AttributeNote[] {
  return [
    [semconv.ATTR_COMPLIANCE_EVALUATED, condition],
    [semconv.ATTR_COMPLIANCE_RISK_SCORE, `${condition}: the highest`],
    [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW, `${condition}: of any answer`],
    [semconv.ATTR_COMPLIANCE_FINDING_COUNT, `${condition}: of all answers`],
    [semconv.ATTR_COMPLIANCE_RULE_IDS, `${condition}: of all answers`],
  ];
}

/** Attributes of each kind of span. */
export const SPAN_ATTRIBUTES: Readonly<
  Record<
    "conversation" | "invoke-agent" | "foreign-answer" | "foreign-run",
    readonly AttributeNote[]
  >
> = {
  conversation: [
    ...IDENTITY,
    ...toRollUp("If an answer has findings"),
    [
      semconv.ATTR_ERROR_TYPE,
      "If an error of severity `high` or `critical` was tracked outside of a turn",
    ],
    [semconv.ATTR_CONVERSATION_INCOMPLETE, "If the end was not tracked"],
  ],
  "foreign-answer": [
    [semconv.ATTR_COMPLIANCE_EVALUATED, "Required"],
    [semconv.ATTR_COMPLIANCE_RISK_SCORE, "If evaluated"],
    [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW, "If evaluated"],
    [semconv.ATTR_COMPLIANCE_PARTIAL, "If only a part was read"],
    [semconv.ATTR_COMPLIANCE_FINDING_COUNT, "If evaluated"],
    [semconv.ATTR_COMPLIANCE_RULE_IDS, "If there are findings"],
    [semconv.ATTR_COMPLIANCE_VIOLATIONS, "If there are findings"],
  ],
  "foreign-run": toRollUp("If an answer below it was evaluated"),
  "invoke-agent": [
    [semconv.ATTR_GEN_AI_OPERATION_NAME, "Required"],
    ...IDENTITY,
    [semconv.ATTR_GEN_AI_RESPONSE_MODEL, "With the answer, if known"],
    [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS, "With the answer, if known"],
    [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, "With the answer, if known"],
    [semconv.ATTR_COMPLIANCE_EVALUATED, "With the answer, if checks are on"],
    [semconv.ATTR_COMPLIANCE_RISK_SCORE, "With the answer, if evaluated"],
    [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW, "With the answer, if evaluated"],
    [semconv.ATTR_COMPLIANCE_FINDING_COUNT, "With the answer, if evaluated"],
    [semconv.ATTR_COMPLIANCE_RULE_IDS, "If the answer has findings"],
    [semconv.ATTR_COMPLIANCE_VIOLATIONS, "If the answer has findings"],
    [semconv.ATTR_ERROR_TYPE, "If an error of severity `high` or `critical` was tracked"],
    [
      semconv.ATTR_CONVERSATION_INCOMPLETE,
      "If no answer was tracked and the conversation was given up",
    ],
  ],
};

/** Whom findings are about, on their records. */
const FINDING_IDENTITY: readonly AttributeNote[] = [
  [semconv.ATTR_COMPLIANCE_ANSWER_ID, "If the answer was tracked"],
  [semconv.ATTR_GEN_AI_RESPONSE_ID, "If another instrumentation's span says so"],
  [semconv.ATTR_GEN_AI_AGENT_ID, "If known"],
  [semconv.ATTR_GEN_AI_AGENT_NAME, "If another instrumentation's span says so"],
  [semconv.ATTR_GEN_AI_AGENT_VERSION, "If known"],
  [semconv.ATTR_SESSION_ID, "If known"],
  [semconv.ATTR_GEN_AI_CONVERSATION_ID, "If known"],
  [semconv.ATTR_USER_ID, "If known"],
];

/** Who has judged, on the records of what the judge says. */
const JUDGE_NOTES: readonly AttributeNote[] = [
  ...EVALUATOR_ATTRIBUTES.map(([, attribute]): AttributeNote => [
    attribute,
    attribute === semconv.ATTR_EVALUATOR_MODEL
      ? "If the judge says it, and its model's provider its name"
      : "If the judge says it",
  ]),
  [semconv.ATTR_FINDING_TIER, "If the judge says it of a finding"],
];

const FINDING_REQUIREMENTS: Readonly<Record<string, string>> = {
  [semconv.ATTR_COMPLIANCE_RULE_ID]: "Required",
  [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: "Required",
  [semconv.ATTR_COMPLIANCE_VIOLATION_SEVERITY]: "Required",
};

/** Attributes of the log records about findings, and about what people decide. */
export const FINDING_RECORD_ATTRIBUTES: Readonly<
  Record<"finding" | "evaluation" | "decision", readonly AttributeNote[]>
> = {
  decision: [
    [semconv.ATTR_LOG_RECORD_UID, "Required"],
    [semconv.ATTR_GEN_AI_EVALUATION_NAME, "Required"],
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL, "Required"],
    [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION, "If there is a reason code"],
    [semconv.ATTR_COMPLIANCE_RULE_ID, "Of a finding"],
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY, "Of a finding"],
    [semconv.ATTR_EVALUATOR_ID, "Required"],
    [semconv.ATTR_EVALUATOR_TYPE, "Required"],
    [semconv.ATTR_REVIEW_AUDIT_SEQUENCE, "Required"],
    [semconv.ATTR_COMPLIANCE_ANSWER_ID, "Of a finding or a sampled answer"],
    [semconv.ATTR_GEN_AI_RESPONSE_ID, "If the answer's event says so"],
    [semconv.ATTR_GEN_AI_AGENT_ID, "Required"],
    [semconv.ATTR_GEN_AI_AGENT_VERSION, "Of a finding, if known"],
    [
      semconv.ATTR_GEN_AI_CONVERSATION_ID,
      "Required: that of the session where the caller gave none",
    ],
    [semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME, "Of a finding"],
  ],
  finding: [
    ...FINDING_FIELD_ATTRIBUTES.map(({ attribute, isSensitive }): AttributeNote => [
      attribute,
      isSensitive
        ? "Opt-In: policy `redacted` or `full`"
        : (FINDING_REQUIREMENTS[attribute] ?? "If known"),
    ]),
    ...JUDGE_NOTES,
    ...FINDING_IDENTITY,
  ],
  evaluation: [
    [semconv.ATTR_GEN_AI_EVALUATION_NAME, "Required"],
    [
      semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE,
      "Required of the rules; of the judge, if it says how sure it is",
    ],
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL, "Required"],
    [
      semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION,
      "If there are findings; of the judge, Opt-In: policy `redacted` or `full`",
    ],
    [semconv.ATTR_COMPLIANCE_RULE_ID, "If the judge says it of a finding"],
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY, "If the judge says it"],
    ...JUDGE_NOTES,
    ...FINDING_IDENTITY,
  ],
};

/** Attributes of the resource of the monitor's own providers. */
export const RESOURCE_ATTRIBUTES: readonly string[] = [
  semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME,
  semconv.ATTR_ORGANIZATION_ID,
];

/** Requirement of fields about which the schema alone says too little: they depend on the SDK. */
export const FIELD_REQUIREMENTS: Readonly<Record<string, string>> = {
  version: "Required",
  complianceFlags: "If the answer was checked",
  riskScore: "If the answer was checked",
  requiresReview: "If the answer was checked",
};
