import { describe, expect, it } from "vitest";
import * as z from "zod";
import { agentMonitoringConfigSchema } from "../../src/config/config.ts";
import * as agent from "../../src/events/agent.ts";
import * as agentKind from "../../src/events/base-event.ts";
import * as base from "../../src/events/base-event.ts";
import * as batch from "../../src/events/batch.ts";
import * as compliance from "../../src/events/compliance.ts";
import * as events from "../../src/events/detailed-event.ts";
import * as interaction from "../../src/events/interaction.ts";
import * as metadata from "../../src/events/metadata.ts";
import * as utility from "../../src/events/utility.ts";

// The interface as the specification has it, written down by hand: `?` marks an optional field.
// What we have beyond it is in EXTENSIONS.
const BASE =
  "eventId timestamp sessionId agentId userId? conversationId? environment requestId version? interactionType";
const EXPECTED: readonly [name: string, schema: z.ZodType, fields: string][] = [
  [
    "MonitoringOptions",
    interaction.monitoringOptionsSchema,
    "requestId? userId? sessionId? agentCategory? agentSpecialty? trackConversationStart? complianceChecks?",
  ],
  [
    "AgentInfo",
    agent.agentInfoSchema,
    "id name category specialty? version llmProvider model description systemPrompt? availableTools? complianceSettings?",
  ],
  ["ToolInfo", agent.toolInfoSchema, "name description category riskLevel version? parameters?"],
  ["ToolParameters", agent.toolParametersSchema, "type properties required?"],
  [
    "ToolParameters.properties",
    agent.toolParametersSchema.shape.properties.valueType,
    "type description required? default?",
  ],
  [
    "ComplianceSettings",
    agent.complianceSettingsSchema,
    "sr11_7_enabled fair_lending_monitoring bsa_aml_checks custom_rules? risk_threshold?",
  ],
  [
    "InteractionEvent",
    interaction.interactionEventSchema,
    "sessionId conversationId? userId? interactionType content? toolName? toolParameters? toolResult? metadata? errorType? errorCode? severity?",
  ],
  [
    "EventMetadata",
    metadata.eventMetadataSchema,
    "llmLatency? tokensUsed? cost? temperature? maxTokens? responseQuality? relevanceScore? coherenceScore? helpfulnessScore? toolExecutionTime? toolVersion? cacheHit? errorStack? recoverable? userImpact? systemImpact? errorSource? originalError? duration? messageCount? userSatisfaction? resolutionStatus? endReason? followUpRequired? escalationReason? customerTier? channel? deviceFingerprint? geolocation?",
  ],
  ["TokenUsage", metadata.tokenUsageSchema, "input output total"],
  ["conversation_start", events.conversationStartSchema, `${BASE} metadata?`],
  [
    "conversation_start.metadata",
    events.conversationStartSchema.shape.metadata,
    "userAgent? ipAddress? referrer? channel? customerType?",
  ],
  [
    "user_message",
    events.userMessageSchema,
    `${BASE} content contentHash? contentLength metadata?`,
  ],
  [
    "user_message.metadata",
    events.userMessageSchema.shape.metadata,
    "messageId? threadId? attachments? sentiment? language?",
  ],
  [
    "agent_response",
    events.agentResponseSchema,
    `${BASE} content contentHash? contentLength llmMetadata? qualityMetrics? complianceFlags? riskScore? requiresReview?`,
  ],
  [
    "tool_call",
    events.toolCallSchema,
    `${BASE} toolName toolParameters toolCategory? riskLevel? metadata?`,
  ],
  [
    "tool_call.metadata",
    events.toolCallSchema.shape.metadata,
    "toolVersion? executionContext? timeout? retryAttempts?",
  ],
  [
    "tool_result",
    events.toolResultSchema,
    `${BASE} toolName toolResult toolError? executionTime success metadata?`,
  ],
  [
    "tool_result.metadata",
    events.toolResultSchema.shape.metadata,
    "cacheHit? dataSource? resultSize? retryCount?",
  ],
  [
    "error",
    events.errorEventSchema,
    `${BASE} errorType errorMessage errorStack? errorCode? severity recoverable metadata?`,
  ],
  // Members without `?` in the specification are optional here: a caller may not know them.
  [
    "error.metadata",
    events.errorEventSchema.shape.metadata,
    "userImpact? systemImpact? errorSource? originalError? contextInfo?",
  ],
  [
    "conversation_end",
    events.conversationEndSchema,
    `${BASE} duration messageCount userSatisfaction? resolutionStatus metadata?`,
  ],
  [
    "conversation_end.metadata",
    events.conversationEndSchema.shape.metadata,
    "endReason? followUpRequired? escalationReason? avgResponseTime? toolCallCount? errorCount?",
  ],
  ["AttachmentInfo", events.attachmentInfoSchema, "type size name hash?"],
  [
    "LLMMetadata",
    events.llmMetadataSchema,
    "model provider latency tokensUsed cost? temperature? maxTokens? topP? frequencyPenalty? presencePenalty?",
  ],
  [
    "QualityMetrics",
    events.qualityMetricsSchema,
    "responseQuality relevanceScore coherenceScore helpfulnessScore factualAccuracy? completeness?",
  ],
  [
    "EventBatch",
    batch.eventBatchSchema,
    "batchId organizationId timestamp events eventCount totalSize checksum? metadata?",
  ],
  [
    "EventBatch.metadata",
    batch.batchMetadataSchema,
    "batchVersion? compressionType? encryptionInfo? chain? dropped?",
  ],
  [
    "EventBatcherConfig",
    batch.eventBatcherConfigSchema,
    "batchSize flushInterval onFlush logger maxRetries? retryDelay? compression? encryption?",
  ],
  ["EncryptionConfig", batch.encryptionConfigSchema, "enabled algorithm? keyId?"],
  [
    "ComplianceRule",
    compliance.complianceRuleSchema,
    "id name description category severity isActive ruleFunction version? createdAt? updatedAt? tags?",
  ],
  [
    "InteractionContext",
    compliance.interactionContextSchema,
    "agentId agentCategory sessionId timestamp agentSpecialty? userMessage? agentResponse? toolsUsed? userId? metadata? customerProfile? transactionContext? riskFactors?",
  ],
  [
    "ToolUsageInfo",
    compliance.toolUsageInfoSchema,
    "name parameters result success executionTime?",
  ],
  [
    "CustomerProfile",
    compliance.customerProfileSchema,
    "customerId customerTier? riskRating? accountTypes? relationshipLength? previousViolations?",
  ],
  [
    "TransactionContext",
    compliance.transactionContextSchema,
    "transactionId? transactionType? frequency? location? merchantCategory? amount?",
  ],
  [
    "ComplianceResult",
    compliance.complianceResultSchema,
    "isCompliant violations riskScore requiresReview metadata?",
  ],
  [
    "ComplianceResult.metadata",
    compliance.complianceResultSchema.shape.metadata.unwrap(),
    "evaluationTime? rulesEvaluated? confidence?",
  ],
  [
    "ComplianceViolation",
    compliance.complianceViolationSchema,
    "rule severity description context? recommendation? confidence? timestamp?",
  ],
  [
    "ViolationContext",
    compliance.violationContextSchema,
    "detectedContent? detectedPattern? riskFactors? relatedViolations? customerImpact? businessImpact? regulatoryImpact?",
  ],
  ["HttpOptions", utility.httpOptionsSchema, "method headers? body? timeout? retries? retryDelay?"],
];

const AGENT_FACTS = "agentVersion? agentCategory? agentSpecialty?";
const EXTENSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(events.eventSchemas).map((kind) => [kind, AGENT_FACTS])),
  agent_response: `${AGENT_FACTS} metadata?`,
  EventMetadata: "approval? conversationId?",
  "tool_call.metadata": "approval?",
  ComplianceResult: "candidates?",
  ViolationContext:
    "alsoMatched? groupedUnder? overridePackId? overridePackSha256? overridePackVersion? packId? packSha256? packVersion? ruleVersion? secondLookSha256? secondLookVersion?",
  ToolUsageInfo: "approval? category? riskLevel? version?",
};

const ENUMS: readonly [name: string, schema: z.ZodEnum, values: string][] = [
  ["Environment", base.environmentSchema, "production staging development"],
  ["AgentCategory", agentKind.agentCategorySchema, "persona tool_calling workflow autonomous"],
  [
    "BankingSpecialty",
    agentKind.bankingSpecialtySchema,
    "generalist personal_banking business_banking wealth_management mortgage_lending investment_services fraud_detection customer_service compliance",
  ],
  // compliance_violation is an extension.
  [
    "EventType",
    base.eventTypeSchema,
    "conversation_start user_message agent_response tool_call tool_result error conversation_end compliance_violation",
  ],
  ["ErrorSeverity", base.errorSeveritySchema, "low medium high critical"],
  ["RiskLevel", base.riskLevelSchema, "low medium high"],
  ["ImpactLevel", base.impactLevelSchema, "none minimal moderate high"],
  ["ErrorSource", base.errorSourceSchema, "client server external unknown"],
  ["ResolutionStatus", base.resolutionStatusSchema, "resolved unresolved escalated abandoned"],
  ["EndReason", base.endReasonSchema, "user_initiated timeout error system_initiated"],
  [
    "ComplianceCategory",
    compliance.complianceCategorySchema,
    "sr_11_7 fair_lending bsa_aml privacy consumer_protection custom",
  ],
  ["ComplianceSeverity", compliance.complianceSeveritySchema, "info warning violation"],
];

function fieldsOf(schema: z.ZodType): string[] {
  const object = (schema instanceof z.ZodOptional ? schema.unwrap() : schema) as z.ZodObject;
  return Object.entries(object.shape).map(([name, field]) =>
    field instanceof z.ZodOptional ? `${name}?` : name,
  );
}

describe("the vocabulary of the specification", () => {
  it.each(EXPECTED)("%s has its fields, required and optional ones", (name, schema, fields) => {
    const expected = `${fields} ${EXTENSIONS[name] ?? ""}`.trim().split(" ");
    expect(fieldsOf(schema).toSorted()).toEqual(expected.toSorted());
  });

  it.each(ENUMS)("%s has its values", (_name, schema, values) => {
    expect(schema.options.map(String).toSorted()).toEqual(values.split(" ").toSorted());
  });

  it("has the configuration with its defaults", () => {
    const expected = {
      apiKey: undefined,
      organizationId: undefined,
      environment: "production",
      batchSize: 100,
      flushInterval: 5000,
      enableComplianceChecks: true,
      enableLogging: true,
      logLevel: "info",
      retryAttempts: 3,
      retryDelay: 1000,
    };
    expect(agentMonitoringConfigSchema.shape).toHaveProperty("endpoint");
    for (const [name, value] of Object.entries(expected)) {
      const schema: z.ZodType | undefined = (
        agentMonitoringConfigSchema.shape as Record<string, z.ZodType>
      )[name];
      expect(schema?.safeParse(undefined).data, name).toBe(value);
    }
  });
});
