import { SeverityNumber } from "@opentelemetry/api-logs";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../src/events/base-event.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import * as semconv from "../../src/semconv.ts";
import { PARTIAL_FIELD_ATTRIBUTES } from "../../src/telemetry/attribute-mapping.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { example, KINDS } from "../helpers/events.ts";

const CANARY = "canary-4711";

const flag: ComplianceFlag = {
  rule: "bsa-aml-structuring-advice",
  category: "bsa_aml",
  severity: "violation",
  confidence: 0.9,
  timestamp: 1,
  description: CANARY,
  recommendation: CANARY,
  context: {
    detectedContent: CANARY,
    detectedPattern: "stay-under",
    riskFactors: [CANARY],
    relatedViolations: [CANARY],
    regulatoryImpact: CANARY,
    customerImpact: "high",
    spans: [{ source: "agentResponse", start: 0, end: 5 }],
    custom: CANARY,
  },
};

/** Every field of each kind that may hold what somebody said or who somebody is. */
const CONTENT: { [K in EventType]: object } = {
  conversation_start: {
    metadata: { userAgent: CANARY, ipAddress: CANARY, referrer: CANARY, custom: CANARY },
  },
  user_message: {
    content: CANARY,
    contentHash: CANARY,
    metadata: {
      attachments: [{ type: "text/plain", size: 1, name: CANARY, hash: CANARY }],
      custom: { deep: [CANARY] },
    },
  },
  agent_response: {
    content: CANARY,
    contentHash: CANARY,
    complianceFlags: [flag],
    metadata: { custom: CANARY, invalidFields: { cost: CANARY } },
  },
  tool_call: {
    toolParameters: { account: CANARY },
    metadata: {
      executionContext: CANARY,
      approval: { by: CANARY, reason: CANARY, custom: CANARY },
      custom: CANARY,
    },
  },
  tool_result: {
    toolResult: [CANARY],
    toolError: CANARY,
    success: false,
    metadata: { custom: CANARY },
  },
  error: {
    errorMessage: CANARY,
    errorStack: CANARY,
    metadata: {
      originalError: { message: CANARY },
      contextInfo: CANARY,
      cause: CANARY,
      custom: CANARY,
    },
  },
  conversation_end: { metadata: { escalationReason: CANARY, custom: CANARY } },
  compliance_violation: { description: CANARY, metadata: { custom: CANARY } },
};

/** Fields that are ids, names, enums and measures: every policy tells them. */
const LABELS: { [K in EventType]: string } = {
  conversation_start: "metadata.channel metadata.customerType",
  user_message:
    "contentLength metadata.messageId metadata.threadId metadata.sentiment metadata.language",
  agent_response:
    "contentLength riskScore requiresReview llmMetadata.model llmMetadata.provider llmMetadata.latency llmMetadata.tokensUsed llmMetadata.cost llmMetadata.temperature llmMetadata.maxTokens llmMetadata.topP llmMetadata.frequencyPenalty llmMetadata.presencePenalty qualityMetrics.responseQuality qualityMetrics.relevanceScore qualityMetrics.coherenceScore qualityMetrics.helpfulnessScore qualityMetrics.factualAccuracy qualityMetrics.completeness metadata.model metadata.provider metadata.llmLatency metadata.tokensUsed metadata.cost metadata.temperature metadata.maxTokens metadata.topP metadata.frequencyPenalty metadata.presencePenalty metadata.responseQuality metadata.relevanceScore metadata.coherenceScore metadata.helpfulnessScore metadata.factualAccuracy metadata.completeness",
  tool_call:
    "toolName toolCategory riskLevel metadata.toolVersion metadata.timeout metadata.retryAttempts",
  tool_result:
    "toolName executionTime success metadata.cacheHit metadata.dataSource metadata.resultSize metadata.retryCount",
  error:
    "errorType errorCode severity recoverable metadata.userImpact metadata.systemImpact metadata.errorSource",
  conversation_end:
    "duration messageCount userSatisfaction resolutionStatus metadata.endReason metadata.followUpRequired metadata.avgResponseTime metadata.toolCallCount metadata.errorCount",
  compliance_violation: "violationType severity ruleId",
};

const BASE = [
  "eventId",
  "timestamp",
  "sessionId",
  "agentId",
  "userId",
  "conversationId",
  "environment",
  "requestId",
  "version",
  "agentVersion",
  "agentCategory",
  "agentSpecialty",
  "interactionType",
];

function withCanaries(kind: EventType): DetailedEvent {
  return eventSchemas[kind].parse({ ...example(kind), ...CONTENT[kind] });
}

describe("a record of an answer without all measures", () => {
  it.each(PARTIAL_FIELD_ATTRIBUTES)("carries $field under $attribute", ({ field, attribute }) => {
    const [, member = "", part] = field.split(".");
    const isText = member === "model" || member === "provider";
    const value = isText ? "text" : 0;
    const metadata = { [member]: part === undefined ? value : { [part]: value } };
    const event = { ...example("agent_response"), metadata };
    for (const policy of ["none", "full"] as const)
      expect(encodeLogRecord(event, policy).attributes[attribute]).toBe(value);
  });
});

describe("a record of an answer without scores and findings", () => {
  it.each([
    { riskScore: 0, requiresReview: true },
    { riskScore: 0.7, requiresReview: false },
    { riskScore: undefined, requiresReview: undefined },
  ])("carries what the table of attributes says: %o", (verdict) => {
    const event = example("agent_response");
    const plain = { ...event, ...verdict, qualityMetrics: undefined, complianceFlags: undefined };
    // An answer with a list of findings takes the way of the table.
    const { attributes } = encodeLogRecord({ ...plain, complianceFlags: [] }, "none");
    const { [semconv.ATTR_COMPLIANCE_VIOLATIONS]: violations, ...others } = attributes;
    expect(violations).toEqual([]);
    expect(Object.entries(encodeLogRecord(plain, "none").attributes)).toEqual(
      Object.entries(others),
    );
  });
});

describe.each(KINDS)("a record of %s", (kind) => {
  it("holds no content under the policy none, all of it under full", () => {
    const event = withCanaries(kind);
    expect(JSON.stringify(encodeLogRecord(event, "none"))).not.toContain(CANARY);
    const planted = JSON.stringify(event).split(CANARY).length;
    expect(JSON.stringify(encodeLogRecord(event, "full")).split(CANARY).length).toBe(planted);
  });

  it("is tested with every field of the schema", () => {
    const { shape } = eventSchemas[kind];
    const inside = (name: string): string[] => {
      const schema = (shape as unknown as Record<string, { unwrap?: () => { shape: object } }>)[
        name
      ];
      return Object.keys(schema?.unwrap?.().shape ?? {}).map((member) => `${name}.${member}`);
    };
    const nested = ["metadata", "llmMetadata", "qualityMetrics"];
    const fields = Object.keys(shape).flatMap((name) =>
      nested.includes(name) ? inside(name) : [name],
    );
    const content = CONTENT[kind] as Record<string, object>;
    const planted = Object.keys(content).flatMap((name) =>
      name === "metadata"
        ? Object.keys(content[name] ?? {}).map((member) => `metadata.${member}`)
        : [name],
    );
    const covered = new Set([...BASE, ...planted, ...LABELS[kind].split(" ")]);
    expect(fields.filter((field) => !covered.has(field))).toEqual([]);
  });

  it("has a name and the time of the event", () => {
    const { eventName, timestamp } = encodeLogRecord(
      { ...example(kind), timestamp: 1_790_000_000_123 },
      "none",
    );
    expect(eventName).toMatch(/^agent_monitor\.[a-z.]+$/);
    expect(timestamp).toEqual([1_790_000_000, 123_000_000]);
  });

  it("has no conversation id that the caller did not give", () => {
    expect(encodeLogRecord(example(kind), "full").attributes).not.toHaveProperty([
      "gen_ai.conversation.id",
    ]);
    expect(
      encodeLogRecord(example(kind, { conversationId: "c1" }), "none").attributes,
    ).toHaveProperty(["gen_ai.conversation.id"], "c1");
  });
});

describe("findings", () => {
  it("without content are ids, severity, pattern and spans", () => {
    const { attributes } = encodeLogRecord(withCanaries("agent_response"), "none");
    expect(attributes["agent_monitor.compliance.violations"]).toEqual([
      {
        rule: "bsa-aml-structuring-advice",
        category: "bsa_aml",
        severity: "violation",
        confidence: 0.9,
        detectedPattern: "stay-under",
        spans: [{ source: "agentResponse", start: 0, end: 5 }],
      },
    ]);
  });
});

describe("severity", () => {
  it.each([
    ["conversation_start", {}, SeverityNumber.INFO],
    ["user_message", {}, SeverityNumber.INFO],
    ["agent_response", {}, SeverityNumber.INFO],
    ["agent_response", { requiresReview: false }, SeverityNumber.INFO],
    ["agent_response", { requiresReview: true }, SeverityNumber.WARN],
    ["tool_call", {}, SeverityNumber.INFO],
    ["tool_result", { success: true }, SeverityNumber.INFO],
    ["tool_result", { success: false }, SeverityNumber.WARN],
    ["error", { severity: "low" }, SeverityNumber.WARN],
    ["error", { severity: "medium" }, SeverityNumber.ERROR],
    ["error", { severity: "high" }, SeverityNumber.ERROR3],
    ["error", { severity: "critical" }, SeverityNumber.FATAL],
    ["conversation_end", {}, SeverityNumber.INFO],
    ["compliance_violation", { severity: "info" }, SeverityNumber.INFO],
    ["compliance_violation", { severity: "warning" }, SeverityNumber.WARN],
    ["compliance_violation", { severity: "violation" }, SeverityNumber.ERROR],
    ["compliance_violation", { severity: "critical" }, SeverityNumber.FATAL],
  ] as const)("of %s %j is %d", (kind, fields, expected) => {
    expect(
      encodeLogRecord({ ...example(kind), ...fields } as DetailedEvent, "none").severityNumber,
    ).toBe(expected);
  });
});
