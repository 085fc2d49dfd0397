import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import { redactAgent, redactEvent } from "../../src/redaction/redact-event.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { example, KINDS } from "../helpers/events.ts";
import { agentInfo } from "../helpers/monitor.ts";
import { EVERYTHING, VALUES } from "./values.ts";
import { expectNoCanary } from "./wire.ts";

const redactor = createRedactor();
const DIGITS = VALUES.card.value.replaceAll(" ", "");

const withText = (kind: DetailedEvent["interactionType"], more: object = {}): DetailedEvent => ({
  ...example(kind, {
    content: EVERYTHING,
    error: EVERYTHING,
    toolParameters: { text: EVERYTHING },
    toolResult: { error: EVERYTHING },
    metadata: { note: EVERYTHING },
  }),
  ...more,
});

describe("a redacted event", () => {
  it.each(KINDS)("of the kind %s is a valid copy without sensitive values", (kind) => {
    const event = withText(kind);
    const before = JSON.stringify(event);
    const redacted = redactEvent(event, redactor);
    expectNoCanary(JSON.stringify(redacted));
    expect(() => eventSchemas[kind].parse(redacted)).not.toThrow();
    expect(JSON.stringify(event)).toBe(before);
    expect(redacted).toMatchObject({ eventId: event.eventId, timestamp: event.timestamp });
  });

  it.each(KINDS)("of the kind %s is the event itself when nothing is found", (kind) => {
    const event = example(kind, { content: "What is my balance?", metadata: { note: "none" } });
    expect(redactEvent(event, redactor)).toBe(event);
  });

  it("has the hash of the redacted text and the length of the original", () => {
    const redacted = redactEvent(withText("user_message"), redactor);
    if (redacted.interactionType !== "user_message") throw new Error("another kind");
    expect(redacted.contentLength).toBe(EVERYTHING.length);
    expect(redacted.contentHash).toBe(`sha256:${hash("sha256", redacted.content)}`);
  });

  it("has no hash when a limit had cut its text", () => {
    const contentLength = EVERYTHING.length + 1000;
    const redacted = redactEvent(withText("user_message", { contentLength }), redactor);
    expect(redacted).toMatchObject({ contentLength });
    expect(redacted).not.toHaveProperty("contentHash");
  });

  it("keeps identifiers comparable, and drops those that are a value", () => {
    const userId = VALUES.email.value;
    const [first, second] = [
      redactEvent(withText("user_message", { userId, conversationId: "c-1" }), redactor),
      redactEvent(withText("tool_call", { userId, requestId: DIGITS }), redactor),
    ];
    expect(first).toMatchObject({ sessionId: "s1", conversationId: "c-1" });
    expect(first.userId).toMatch(/^\[EMAIL:/);
    expect(first.userId).toBe(second.userId);
    expect(second.requestId).toMatch(/^\[CARD:/);
  });

  it("sets aside what no longer fits its field", () => {
    const event = withText("tool_result", { metadata: { resultSize: Number(DIGITS), other: 1 } });
    const redacted = redactEvent(event, redactor);
    expect(redacted.metadata).toEqual({
      other: 1,
      invalidFields: { resultSize: expect.stringMatching(/^\[CARD:/) as string },
    });
    expect(() => eventSchemas.tool_result.parse(redacted)).not.toThrow();
  });

  it("stays confidential", () => {
    const context = { confidential: true, detectedContent: EVERYTHING };
    const flag = {
      rule: "bsa-aml-tipping-off",
      category: "bsa_aml",
      severity: "violation",
      description: EVERYTHING,
      context,
    } as const;
    const event = withText("agent_response", { complianceFlags: [flag] });
    const violation = withText("compliance_violation", { metadata: { ...context } });
    for (const custom of [undefined, () => "gone"]) {
      const made = createRedactor({ custom });
      expect(redactEvent(event, made)).toHaveProperty(
        ["complianceFlags", 0, "context", "confidential"],
        true,
      );
      expect(redactEvent(violation, made)).toHaveProperty(["metadata", "confidential"], true);
    }
  });

  it("keeps rule, severity and positions of findings, not what they quote", () => {
    const flag = {
      rule: "privacy-card-number",
      category: "privacy",
      severity: "violation",
      description: EVERYTHING,
      recommendation: "Mask it.",
      context: {
        detectedContent: EVERYTHING,
        detectedPattern: "checksum",
        spans: [{ source: "agentResponse", start: 11, end: 30 }],
      },
    } as const;
    const redacted = redactEvent(withText("agent_response", { complianceFlags: [flag] }), redactor);
    expectNoCanary(JSON.stringify(redacted));
    expect(redacted).toMatchObject({
      complianceFlags: [
        {
          rule: flag.rule,
          severity: "violation",
          recommendation: "Mask it.",
          context: { detectedPattern: "checksum", spans: flag.context.spans },
        },
      ],
    });
  });

  it.each([
    ["a word", () => "gone"],
    ["nothing", () => ""],
    ["what no identifier may be", () => "\n"],
  ])("stays valid when the caller's own function gives %s", (_name, custom) => {
    const all = createRedactor({ custom });
    for (const kind of KINDS) {
      const event = withText(kind);
      const redacted = redactEvent(event, all);
      expect(() => eventSchemas[kind].parse(redacted)).not.toThrow();
      expect(redacted.interactionType).toBe(kind);
    }
  });
});

describe("a redacted profile", () => {
  it("has its texts and tools without sensitive values, and its id", () => {
    const agent = {
      ...agentInfo,
      systemPrompt: EVERYTHING,
      description: EVERYTHING,
      availableTools: [
        {
          name: "verify",
          description: EVERYTHING,
          category: "identity",
          riskLevel: "high" as const,
          parameters: {
            type: "object" as const,
            properties: { ssn: { type: "string", description: "Nine digits.", default: DIGITS } },
          },
        },
      ],
    };
    const redacted = redactAgent({ ...agent, owner: { note: EVERYTHING } }, redactor);
    expectNoCanary(JSON.stringify(redacted));
    expect(redacted).toMatchObject({ id: agent.id, name: agent.name, category: agent.category });
    expect(redacted.availableTools?.[0]?.parameters?.properties["ssn"]).toMatchObject({
      type: "string",
      description: "Nine digits.",
    });
  });
});
