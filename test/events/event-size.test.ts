import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import { serialiseEvent } from "../../src/events/event-size.ts";
import { eventOf, example, KINDS } from "../helpers/events.ts";

/** Checks everything that holds of any serialised event. */
function serialise(event: DetailedEvent, limit: number): DetailedEvent {
  const serialised = serialiseEvent(event, limit);
  expect(serialised.bytes).toBe(Buffer.byteLength(serialised.json));
  expect(JSON.parse(serialised.json)).toEqual(serialised.event);
  expect(
    eventSchemas[serialised.event.interactionType].safeParse(serialised.event).error,
  ).toBeUndefined();
  for (const field of [
    "eventId",
    "sessionId",
    "agentId",
    "timestamp",
    "environment",
    "requestId",
    "interactionType",
  ] as const) {
    expect(serialised.event[field]).toBe(event[field]);
  }
  expect(serialised.bytes).toBeLessThanOrEqual(limit);
  return serialised.event;
}

const filler = fc.constantFrom("x", "é", "漢", "💶", "\ud83d", "\u0001", '"', "\\");

/** Makes every string that may be long, long. */
function blowUp(value: unknown, text: string, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => blowUp(item, text));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, blowUp(member, text, name)]),
    );
  }
  return typeof value === "string" && !KEPT.has(key) ? value + text : value;
}
const KEPT = new Set(
  `eventId sessionId agentId userId conversationId requestId environment version agentCategory agentSpecialty status interactionType severity riskLevel
  resolutionStatus category userImpact systemImpact errorSource endReason customerImpact businessImpact`.split(
    /\s+/,
  ),
);

describe.each(KINDS)("any %s", (kind) => {
  it("stays within the limit and valid, however long its texts are", () => {
    fc.assert(
      fc.property(
        eventOf(kind),
        filler,
        fc.constantFrom(0, 50, 400, 5000),
        fc.integer({ min: 4096, max: 100_000 }),
        (event, unit, length, limit) => {
          serialise(blowUp(event, unit.repeat(length)) as DetailedEvent, limit);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is left as it is when it fits exactly", () => {
    const event = example(kind, { metadata: { note: "x" } });
    const { bytes } = serialiseEvent(event, Number.MAX_SAFE_INTEGER);
    expect(serialiseEvent(event, bytes).event).toBe(event);
    expect(serialiseEvent(event, bytes - 1).event.metadata).toMatchObject({
      truncated: true,
      originalBytes: bytes,
    });
  });

  it("keeps identifiers of any length whole", () => {
    const id = "漢".repeat(256);
    const event = {
      ...example(kind),
      eventId: id,
      sessionId: id,
      agentId: id,
      userId: id,
      conversationId: id,
      requestId: id,
    };
    serialise({ ...event, metadata: { note: "x".repeat(50_000) } }, 16_384);
    expect(serialiseEvent(event, 4096).event).toMatchObject({
      sessionId: id,
      userId: id,
      conversationId: id,
    });
  });
});

describe("a large event", () => {
  const content = "💶".repeat(200_000);

  it.each([
    ["one unit a byte", "x", 1],
    ["two bytes", "é", 2],
    ["an escape", '"', 2],
    ["a pair", "💶", 2],
  ])("loses no more than the excess: %s", (_name, unit, bytesOfUnit) => {
    const long = unit.repeat(400_000);
    const limit = 262_144;
    const event = serialise(
      example("user_message", { content: long, options: { maxLength: 1_000_000 } }),
      limit,
    ) as { content: string };
    // 1 % and what stands around the content.
    expect(event.content.length * bytesOfUnit).toBeGreaterThan(limit * 0.98);
  });

  it("cuts the longest of several strings, and leaves the others whole", () => {
    const metadata = { note: "n".repeat(30_000), other: "o".repeat(5000) };
    const event = serialise(
      example("user_message", {
        content: "x".repeat(90_000),
        metadata,
        options: { maxLength: 1_000_000 },
      }),
      100_000,
    );
    expect(event.metadata).toMatchObject(metadata);
    expect((event as { content: string }).content.length).toBeGreaterThan(62_000);
  });

  it("keeps the beginning of its content, and says how much there was", () => {
    const event = serialise(
      example("user_message", { content, options: { maxLength: 1_000_000 } }),
      10_000,
    );
    expect(event).toMatchObject({ contentLength: 400_000, metadata: { truncated: true } });
    const kept = (event as { content: string }).content;
    expect(content.startsWith(kept)).toBe(true);
    // Half of the limit at least is used, and no pair is split.
    expect(Buffer.byteLength(kept)).toBeGreaterThan(4000);
    expect(kept.isWellFormed()).toBe(true);
  });

  it("has no hash of what is no longer there", () => {
    const event = {
      ...example("user_message", { content: "x".repeat(20_000) }),
      contentHash: "sha256:1",
    };
    expect(serialise(event, 10_000)).not.toHaveProperty("contentHash");
  });

  it("keeps its other members beside a text of 10 MB", () => {
    const event = example("tool_call", {
      toolParameters: { account: "1", note: "x".repeat(10_000_000) },
      metadata: { toolCallId: "call-1" },
      options: { maxLength: 20_000_000 },
    });
    expect(serialise(event, 262_144)).toMatchObject({
      toolName: "transfer",
      toolParameters: { account: "1" },
      metadata: { toolCallId: "call-1" },
    });
  });

  it("leaves out free values of too many members", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`key-${index}`, index]),
    );
    let deep: unknown = 1;
    for (let level = 0; level < 500; level++) deep = { level, deep, more: "x".repeat(40) };
    for (const toolParameters of [wide, deep, Array.from({ length: 50_000 }, () => null)]) {
      const event = { ...example("tool_call"), toolParameters, metadata: wide } as DetailedEvent;
      expect(serialise(event, 8192)).toMatchObject({
        toolName: "transfer",
        metadata: { truncated: true },
      });
    }
  });

  it("keeps findings without their texts before it gives them up", () => {
    const flag = {
      rule: "bsa-aml-structuring-advice",
      category: "bsa_aml",
      severity: "violation",
      description: "x".repeat(2000),
    } as const;
    const event = {
      ...example("agent_response"),
      complianceFlags: Array.from({ length: 300 }, () => flag),
      riskScore: 90,
      requiresReview: true,
    };
    const cut = serialise(event, 4096);
    expect(cut).toMatchObject({ riskScore: 90, requiresReview: true });
    const { complianceFlags } = cut as typeof event;
    expect(complianceFlags.length).toBeGreaterThan(0);
    expect(complianceFlags[0]).toMatchObject({
      rule: flag.rule,
      category: "bsa_aml",
      severity: "violation",
    });
  });
});
