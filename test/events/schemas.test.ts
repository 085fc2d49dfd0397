import { describe, expect, it } from "vitest";
import * as z from "zod";
import { agentInfoSchema } from "../../src/events/agent.ts";
import {
  agentIdSchema,
  identifierSchema,
  isAgentId,
  isIdentifier,
  timestampSchema,
} from "../../src/events/base-event.ts";
import {
  batchEnvelopeSchema,
  eventBatchSchema,
  eventBatcherConfigSchema,
} from "../../src/events/batch.ts";
import {
  complianceResultSchema,
  complianceRuleSchema,
  complianceViolationSchema,
} from "../../src/events/compliance.ts";
import {
  detailedEventSchema,
  eventSchemas,
  llmMetadataSchema,
  qualityMetricsSchema,
} from "../../src/events/detailed-event.ts";
import { interactionEventSchema, monitoringOptionsSchema } from "../../src/events/interaction.ts";
import { eventMetadataSchema, tokenUsageSchema } from "../../src/events/metadata.ts";
import { loggerSchema } from "../../src/events/utility.ts";
import { batchAckSchema, problemSchema } from "../../src/events/wire.ts";
import { agentInfo, example, KINDS } from "../helpers/events.ts";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe("identifiers", () => {
  it.each(["a", "x".repeat(256), "user@bank.example", "Kunde Müller", "🏦", " "])(
    "may be %j",
    (id) => {
      expect(isIdentifier(id)).toBe(true);
      expect(accepts(identifierSchema, id)).toBe(true);
      expect(isAgentId(id)).toBe(true);
    },
  );

  it.each([
    "",
    "x".repeat(257),
    "a\nb",
    "a\u0000",
    "\u007f",
    "\u0085",
    5,
    null,
    undefined,
    {},
    ["a"],
  ])("can't be %j", (id) => {
    expect(isIdentifier(id)).toBe(false);
    expect(accepts(identifierSchema, id)).toBe(false);
    expect(accepts(agentIdSchema, id)).toBe(false);
  });

  it.each([".", ".."])("of an agent can't be %s, which vanishes from a path", (id) => {
    expect(isIdentifier(id)).toBe(true);
    expect(isAgentId(id)).toBe(false);
    expect(accepts(agentIdSchema, id)).toBe(false);
  });
});

describe("timestamps", () => {
  it.each([0, 1, 1_790_000_000_000])("may be %d", (time) =>
    expect(accepts(timestampSchema, time)).toBe(true),
  );
  it.each([-1, 1.5, NaN, Infinity, "1", null, 2 ** 60])("can't be %j", (time) =>
    expect(accepts(timestampSchema, time)).toBe(false),
  );
});

describe("events", () => {
  it.each(KINDS)("%s needs every required field", (kind) => {
    const event = example(kind) as unknown as Record<string, unknown>;
    expect(accepts(detailedEventSchema, event)).toBe(true);
    for (const [field, schema] of Object.entries(eventSchemas[kind].shape)) {
      if (schema instanceof z.ZodOptional) continue;
      const { [field]: _left, ...rest } = event;
      expect(accepts(eventSchemas[kind], rest), field).toBe(false);
    }
  });

  it("are told apart by interactionType", () => {
    expect(
      accepts(detailedEventSchema, { ...example("user_message"), interactionType: "greeting" }),
    ).toBe(false);
    expect(
      accepts(detailedEventSchema, { ...example("user_message"), interactionType: "tool_call" }),
    ).toBe(false);
  });

  it.each([
    ["riskScore", "agent_response", [0, 100], [-1, 101]],
    ["userSatisfaction", "conversation_end", [1, 10], [0, 11]],
    ["duration", "conversation_end", [0, 0.5], [-1, Infinity]],
    ["messageCount", "conversation_end", [0, 3], [-1, 0.5]],
    ["executionTime", "tool_result", [0, 0.5], [-1, NaN]],
    ["contentLength", "user_message", [0, 3], [-1, 0.5]],
  ] as const)("%s of %s has its bounds", (field, kind, inside, outside) => {
    for (const value of inside)
      expect(accepts(eventSchemas[kind], { ...example(kind), [field]: value })).toBe(true);
    for (const value of outside)
      expect(accepts(eventSchemas[kind], { ...example(kind), [field]: value })).toBe(false);
  });

  it.each(KINDS)("%s takes custom keys in its metadata", (kind) => {
    const parsed = eventSchemas[kind].parse({
      ...example(kind),
      metadata: { custom: { any: [1] } },
    });
    expect(parsed.metadata).toEqual({ custom: { any: [1] } });
  });
});

describe("measures", () => {
  const usage = { input: 1, output: 2, total: 3 };
  const scores = {
    responseQuality: 0,
    relevanceScore: 100,
    coherenceScore: 50,
    helpfulnessScore: 50,
  };

  it("need all three counts of tokens", () => {
    expect(accepts(tokenUsageSchema, usage)).toBe(true);
    for (const name of ["input", "output", "total"])
      expect(accepts(tokenUsageSchema, { ...usage, [name]: undefined })).toBe(false);
    expect(accepts(tokenUsageSchema, { ...usage, input: -1 })).toBe(false);
  });

  it("need model, provider, latency and tokens of an answer", () => {
    const llm = { model: "m", provider: "p", latency: 0, tokensUsed: usage };
    expect(accepts(llmMetadataSchema, llm)).toBe(true);
    for (const name of Object.keys(llm))
      expect(accepts(llmMetadataSchema, { ...llm, [name]: undefined })).toBe(false);
  });

  it("need all four scores, 0 to 100", () => {
    expect(accepts(qualityMetricsSchema, scores)).toBe(true);
    for (const name of Object.keys(scores)) {
      expect(accepts(qualityMetricsSchema, { ...scores, [name]: undefined })).toBe(false);
      expect(accepts(qualityMetricsSchema, { ...scores, [name]: 101 })).toBe(false);
    }
  });
});

describe("batches", () => {
  const batch = {
    batchId: "b1",
    organizationId: "bank",
    timestamp: 1,
    events: [example("user_message")],
    eventCount: 1,
    totalSize: 2,
    checksum: `sha256:${"0".repeat(64)}`,
    metadata: { batchVersion: "1.0", compressionType: "gzip", encryptionInfo: "none", custom: 1 },
  };

  it("are accepted as they are", () => {
    expect(eventBatchSchema.parse(batch)).toEqual(batch);
    const { checksum: _checksum, metadata: _metadata, ...required } = batch;
    expect(accepts(eventBatchSchema, required)).toBe(true);
  });

  it("have no members of other names", () => {
    expect(accepts(eventBatchSchema, { ...batch, extra: 1 })).toBe(false);
    expect(accepts(batchEnvelopeSchema, { ...batch, extra: 1 })).toBe(false);
  });

  it.each([
    ["batchId", ""],
    ["organizationId", "a\nb"],
    ["timestamp", -1],
    ["events", []],
    ["events", {}],
    ["eventCount", 0],
    ["totalSize", 0],
    ["checksum", "0".repeat(64)],
    ["checksum", `sha256:${"G".repeat(64)}`],
    ["checksum", `sha256:${"0".repeat(63)}`],
    ["metadata", { batchVersion: 1 }],
  ])("can't have %s %j", (field, value) => {
    expect(accepts(batchEnvelopeSchema, { ...batch, [field]: value })).toBe(false);
    expect(accepts(eventBatchSchema, { ...batch, [field]: value })).toBe(false);
  });

  it("are opened without a look at the events, which are checked one by one", () => {
    expect(accepts(batchEnvelopeSchema, { ...batch, events: [{ bad: true }] })).toBe(true);
    expect(accepts(eventBatchSchema, { ...batch, events: [{ bad: true }] })).toBe(false);
  });

  it("are made by a batcher with bounded settings", () => {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const config = {
      batchSize: 1,
      flushInterval: 100,
      onFlush: () => Promise.resolve(),
      logger,
      encryption: { enabled: false },
    };
    expect(accepts(eventBatcherConfigSchema, config)).toBe(true);
    for (const wrong of [
      { batchSize: 0 },
      { batchSize: 1001 },
      { flushInterval: 99 },
      { onFlush: 1 },
      { logger: {} },
      { encryption: {} },
    ]) {
      expect(
        accepts(eventBatcherConfigSchema, { ...config, ...wrong }),
        JSON.stringify(wrong),
      ).toBe(false);
    }
  });
});

describe("answers of the platform", () => {
  it("list what was accepted and rejected, and may say more", () => {
    const ack = {
      batchId: "b",
      status: "partial",
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 0, code: "invalid", detail: "d", more: 1 }],
      more: 2,
    };
    expect(batchAckSchema.parse(ack)).toEqual(ack);
    for (const wrong of [{ status: "done" }, { accepted: -1 }, { rejected: [{}] }])
      expect(accepts(batchAckSchema, { ...ack, ...wrong })).toBe(false);
  });

  it("name a problem", () => {
    const problem = {
      type: "about:blank",
      title: "t",
      status: 400,
      code: "malformed_body",
      errors: [{ pointer: "/events/0", code: "c", detail: "d" }],
      more: 1,
    };
    expect(problemSchema.parse(problem)).toEqual(problem);
    expect(accepts(problemSchema, { ...problem, code: undefined })).toBe(false);
  });
});

describe("input of the caller", () => {
  it("is an interaction with a session and a kind", () => {
    expect(
      accepts(interactionEventSchema, { sessionId: "s", interactionType: "user_message" }),
    ).toBe(true);
    expect(accepts(interactionEventSchema, { sessionId: "s" })).toBe(false);
    expect(accepts(interactionEventSchema, { interactionType: "user_message" })).toBe(false);
    expect(
      accepts(interactionEventSchema, {
        sessionId: "s",
        interactionType: "error",
        severity: "fatal",
      }),
    ).toBe(false);
  });

  it("has options that are all optional", () => {
    expect(accepts(monitoringOptionsSchema, {})).toBe(true);
    expect(accepts(monitoringOptionsSchema, { complianceChecks: "yes" })).toBe(false);
  });

  it("has metadata of known members and any others", () => {
    expect(eventMetadataSchema.parse({ custom: [1], duration: 5 })).toEqual({
      custom: [1],
      duration: 5,
    });
    expect(accepts(eventMetadataSchema, { userSatisfaction: 0 })).toBe(false);
  });

  it("is an agent whose id a path keeps", () => {
    expect(agentInfoSchema.parse(agentInfo)).toEqual(agentInfo);
    for (const wrong of [
      { id: ".." },
      { name: "" },
      { version: "" },
      { llmProvider: "" },
      { model: "" },
      { category: "robot" },
    ]) {
      expect(accepts(agentInfoSchema, { ...agentInfo, ...wrong }), JSON.stringify(wrong)).toBe(
        false,
      );
    }
    const settings = { sr11_7_enabled: true, fair_lending_monitoring: true, bsa_aml_checks: true };
    for (const risk_threshold of [0, 100])
      expect(
        accepts(agentInfoSchema, {
          ...agentInfo,
          complianceSettings: { ...settings, risk_threshold },
        }),
      ).toBe(true);
    for (const risk_threshold of [-1, 101])
      expect(
        accepts(agentInfoSchema, {
          ...agentInfo,
          complianceSettings: { ...settings, risk_threshold },
        }),
      ).toBe(false);
  });

  it("is a logger that stays the caller's own object", () => {
    class ClassLogger {
      readonly lines: string[] = [];
      debug(): void {}
      info(): void {}
      warn(): void {}
      error(message: string): void {
        this.lines.push(message);
      }
    }
    const logger = new ClassLogger();
    expect(loggerSchema.parse(logger)).toBe(logger);
    expect(accepts(loggerSchema, { debug() {}, info() {}, warn() {} })).toBe(false);
    expect(accepts(loggerSchema, null)).toBe(false);
  });
});

describe("rules and their results", () => {
  it("have their bounds", () => {
    const result = { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    expect(accepts(complianceResultSchema, result)).toBe(true);
    expect(accepts(complianceResultSchema, { ...result, riskScore: 101 })).toBe(false);
    expect(accepts(complianceResultSchema, { ...result, metadata: { confidence: 2 } })).toBe(false);
    const violation = { rule: "r", severity: "info", description: "d" };
    expect(
      accepts(complianceViolationSchema, { ...violation, confidence: 1, context: { custom: 1 } }),
    ).toBe(true);
    expect(accepts(complianceViolationSchema, { ...violation, confidence: 1.1 })).toBe(false);
    expect(accepts(complianceViolationSchema, { ...violation, severity: "high" })).toBe(false);
  });

  it("need a function", () => {
    const rule = {
      id: "r",
      name: "n",
      description: "",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: () => undefined,
    };
    expect(accepts(complianceRuleSchema, rule)).toBe(true);
    expect(accepts(complianceRuleSchema, { ...rule, ruleFunction: "return" })).toBe(false);
  });
});
