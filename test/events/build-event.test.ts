import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventSchemas } from "../../src/events/detailed-event.ts";
import { agentInfo, build, example, json, jsonObject, KINDS, NOW } from "../helpers/events.ts";

describe("every event", () => {
  it.each(KINDS)("%s says who, when and where", (kind) => {
    const event = example(kind, {
      userId: "u1",
      conversationId: "c1",
      options: { environment: "staging" },
    });
    expect(event).toMatchObject({
      eventId: "event-1",
      timestamp: NOW,
      sessionId: "s1",
      agentId: "assistant",
      userId: "u1",
      conversationId: "c1",
      environment: "staging",
      requestId: "request-1",
      version: "1.0",
      interactionType: kind,
    });
  });

  it.each(KINDS)("%s leaves out what is not known", (kind) => {
    const event = example(kind);
    expect(event).not.toHaveProperty("userId");
    expect(event).not.toHaveProperty("conversationId");
  });

  it.each(KINDS)("%s is valid, whatever the metadata holds", (kind) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything({
            withBigInt: true,
            withDate: true,
            withMap: true,
            withSet: true,
            withTypedArray: true,
            withSparseArray: true,
            withNullPrototype: true,
          }),
          hostileMetadata,
        ),
        (metadata) => {
          expect(eventSchemas[kind].safeParse(example(kind, { metadata })).error).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(KINDS)("%s loses no member of the metadata", (kind) => {
    fc.assert(
      fc.property(hostileMetadata, (metadata) => {
        const event = example(kind, { metadata });
        for (const [key, value] of Object.entries(metadata))
          expect(holds(event, key, value), key).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each(KINDS)("%s does not change when the caller's metadata changes", (kind) => {
    const metadata = { custom: { list: [1] } };
    const event = example(kind, { metadata });
    metadata.custom.list.push(2);
    expect(event.metadata).toMatchObject({ custom: { list: [1] } });
  });

  it.each(KINDS)("%s keeps metadata that is no object", (kind) => {
    expect(example(kind, { metadata: "text" }).metadata).toMatchObject({ value: "text" });
    expect(example(kind, { metadata: [1, 2] }).metadata).toMatchObject({ value: [1, 2] });
  });

  it.each(KINDS)("%s says that its metadata was truncated", (kind) => {
    const event = example(kind, {
      metadata: { note: "x".repeat(5000) },
      options: { maxLength: 1000 },
    });
    expect(event.metadata).toMatchObject({ truncated: true });
    expect(JSON.stringify(event.metadata).length).toBeLessThan(1500);
  });
});

/** Members with a type somewhere, with values of the right and of the wrong type, among hostile ones. */
const typedValue = fc.oneof(
  json,
  fc.constantFrom<unknown>(-1, 0, 5, 50, 101, "resolved", "high", "medium", true),
);
const typedNames = `
  llmLatency tokensUsed cost temperature maxTokens topP model provider responseQuality
  relevanceScore coherenceScore helpfulnessScore factualAccuracy completeness toolExecutionTime
  toolVersion cacheHit retryCount resultSize timeout attachments channel errorType errorCode
  errorStack severity recoverable originalError cause userImpact duration messageCount
  toolCallCount userSatisfaction resolutionStatus endReason violationType ruleId description
  invalidFields truncated totalsScope executionTimeKnown
`
  .trim()
  .split(/\s+/);
const tokens = fc.record(
  {
    input: fc.nat(),
    output: fc.nat(),
    total: fc.option(fc.nat(), { nil: undefined }),
    cached: json,
  },
  { requiredKeys: ["input", "output"] },
);
const hostileMetadata: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    jsonObject,
    fc.array(fc.tuple(fc.constantFrom(...typedNames), typedValue), { maxLength: 12 }),
    fc.option(tokens, { nil: undefined }),
  )
  .map(([custom, typed, tokensUsed]) => ({
    ...custom,
    ...(Object.fromEntries(typed) as Record<string, unknown>),
    ...(tokensUsed && { tokensUsed, llmLatency: 1 }),
  }));

/** Members that have another name where they are typed. */
const RENAMED: Record<string, string> = {
  llmLatency: "latency",
  toolExecutionTime: "executionTime",
};

/** Tells whether an event holds a member somewhere; one with members of its own may be spread over places. */
function holds(node: unknown, key: string, value: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const name = RENAMED[key] ?? key;
  const here = Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined;
  if (Object.hasOwn(node, name) && isSame(here, value)) return true;
  if (Object.hasOwn(node, key) && isSame((node as Record<string, unknown>)[key], value))
    return true;
  if (
    key === "tokensUsed" &&
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value)
  ) {
    return Object.entries(value).every(
      ([part, member]) => member === undefined || holds(node, part, member),
    );
  }
  return Object.values(node).some((member) => holds(member, key, value));
}

function isSame(here: unknown, value: unknown): boolean {
  const given = JSON.stringify(value);
  // An error code is always text.
  return JSON.stringify(here) === given || here === given;
}

describe("a message", () => {
  it.each(["user_message", "agent_response"] as const)(
    "%s carries its content and its length",
    (kind) => {
      expect(build(kind, { content: "Grüße 💶" })).toMatchObject({
        content: "Grüße 💶",
        contentLength: 8,
      });
      expect(build(kind, { content: "" })).toMatchObject({ content: "", contentLength: 0 });
    },
  );

  it.each(["user_message", "agent_response"] as const)(
    "%s tells the whole length of content that was cut",
    (kind) => {
      const event = build(kind, {
        content: `${"x".repeat(999)}💶${"y".repeat(1_000_000)}`,
        options: { maxLength: 1000 },
      });
      // A surrogate pair is not split.
      expect(event.content).toBe("x".repeat(999));
      expect(event.contentLength).toBe(1_001_001);
      expect(event.contentHash).toBeUndefined();
      expect(event.metadata).toMatchObject({ truncated: true });
    },
  );
});

describe("agent_response", () => {
  const usage = { llmLatency: 800, tokensUsed: { input: 20, output: 6, total: 26 } };

  it("takes model and provider from the agent, the rest from the metadata", () => {
    const event = build("agent_response", {
      content: "x",
      metadata: {
        ...usage,
        cost: 0.1,
        temperature: 0.2,
        maxTokens: 100,
        topP: 0.9,
        frequencyPenalty: -1,
        presencePenalty: 1,
        note: "kept",
      },
      options: { agent: agentInfo },
    });
    expect(event.llmMetadata).toEqual({
      model: "gpt-5",
      provider: "openai",
      latency: 800,
      tokensUsed: { input: 20, output: 6, total: 26 },
      cost: 0.1,
      temperature: 0.2,
      maxTokens: 100,
      topP: 0.9,
      frequencyPenalty: -1,
      presencePenalty: 1,
    });
    expect(event.metadata).toEqual({ note: "kept" });
  });

  it("takes model and provider of an unknown agent from the metadata, where they stay", () => {
    const event = build("agent_response", {
      content: "x",
      metadata: { ...usage, model: "m", provider: "p" },
    });
    expect(event.llmMetadata).toMatchObject({ model: "m", provider: "p" });
    expect(event.metadata).toEqual({ model: "m", provider: "p" });
  });

  it("takes the model that the call names, where it is another than the agent's", () => {
    const event = build("agent_response", {
      content: "x",
      metadata: { ...usage, model: "gpt-5-mini" },
      options: { agent: agentInfo },
    });
    expect(event.llmMetadata).toMatchObject({ model: "gpt-5-mini", provider: "openai" });
  });

  it.each([
    ["a cost", { cost: 0 }],
    ["a temperature", { temperature: 0 }],
    ["a latency", { llmLatency: 0 }],
    ["tokens", { tokensUsed: { input: 20, output: 0, total: 20 } }],
    ["a single count of tokens", { tokensUsed: { input: 0 } }],
  ])("says whose %s it is that comes without the rest", (_name, metadata) => {
    const options = { agent: agentInfo };
    const event = build("agent_response", { content: "x", metadata, options });
    expect(event).not.toHaveProperty("llmMetadata");
    expect(event.metadata).toEqual({ ...metadata, model: "gpt-5", provider: "openai" });
    expect(build("agent_response", { content: "x", metadata: { topP: 1 }, options })).toMatchObject(
      {
        metadata: { topP: 1 },
      },
    );
  });

  it.each([
    ["latency", { tokensUsed: usage.tokensUsed }],
    ["tokens", { llmLatency: 800 }],
    ["a valid latency", { ...usage, llmLatency: -1 }],
    ["valid tokens", { ...usage, tokensUsed: { input: 1 } }],
  ])("has no llmMetadata without %s, and keeps the rest", (_missing, metadata) => {
    const event = build("agent_response", {
      content: "x",
      metadata,
      options: { agent: agentInfo },
    });
    expect(event).not.toHaveProperty("llmMetadata");
    expect(event.metadata).toBeDefined();
  });

  it("has no llmMetadata without model and provider", () => {
    expect(build("agent_response", { content: "x", metadata: usage })).not.toHaveProperty(
      "llmMetadata",
    );
  });

  it("sums tokens up where no total is given", () => {
    const metadata = { llmLatency: 1, tokensUsed: { input: 20, output: 6 } };
    const event = build("agent_response", {
      content: "x",
      metadata,
      options: { agent: agentInfo },
    });
    expect(event.llmMetadata?.tokensUsed).toEqual({ input: 20, output: 6, total: 26 });
  });

  it("does not invent a total that is no number", () => {
    const metadata = { llmLatency: 1, tokensUsed: { input: 1e308, output: 1e308 } };
    const event = build("agent_response", { content: "x", metadata });
    expect(event).not.toHaveProperty("llmMetadata");
    expect(event.metadata).toEqual(metadata);
  });

  it("keeps members of the usage that have no typed place", () => {
    const metadata = {
      llmLatency: 1,
      tokensUsed: { input: 20, output: 6, total: 26, cachedInput: 12 },
    };
    const event = build("agent_response", {
      content: "x",
      metadata,
      options: { agent: agentInfo },
    });
    expect(event.llmMetadata?.tokensUsed).toEqual({ input: 20, output: 6, total: 26 });
    expect(event.metadata).toEqual({ tokensUsed: { cachedInput: 12 } });
  });

  const scores = {
    responseQuality: 90,
    relevanceScore: 80,
    coherenceScore: 70,
    helpfulnessScore: 0,
  };

  it("has qualityMetrics when all four scores are known", () => {
    const event = build("agent_response", {
      content: "x",
      metadata: { ...scores, factualAccuracy: 100, completeness: 55 },
    });
    expect(event.qualityMetrics).toEqual({ ...scores, factualAccuracy: 100, completeness: 55 });
    expect(event).not.toHaveProperty("metadata");
  });

  it("leaves a single score in the metadata", () => {
    const event = build("agent_response", { content: "x", metadata: { responseQuality: 90 } });
    expect(event).not.toHaveProperty("qualityMetrics");
    expect(event.metadata).toEqual({ responseQuality: 90 });
  });

  it("takes no score out of range", () => {
    const event = build("agent_response", {
      content: "x",
      metadata: { ...scores, completeness: 101 },
    });
    expect(event.qualityMetrics).toEqual(scores);
    expect(event.metadata).toEqual({ invalidFields: { completeness: 101 } });
  });
});

describe("tool_call", () => {
  it("says who let the tool be used, and when", () => {
    const approval = {
      status: "approved",
      askedAt: 1_790_000_000_000,
      decidedAt: 1_790_000_060_000,
      by: "j.doe",
      reason: "known payee",
      ticket: 7,
    };
    const event = build("tool_call", { toolName: "transfer", metadata: { approval } });
    expect(event.metadata).toEqual({ approval });
    const wrong = { approval: { ...approval, status: "perhaps" } };
    expect(build("tool_call", { toolName: "transfer", metadata: wrong }).metadata).toEqual({
      invalidFields: wrong,
    });
  });

  it("takes category and risk from the agent's tools", () => {
    const event = build("tool_call", {
      toolName: "transfer",
      toolParameters: { amount: 1 },
      options: { agent: agentInfo },
    });
    expect(event).toMatchObject({
      toolParameters: { amount: 1 },
      toolCategory: "payments",
      riskLevel: "high",
    });
  });

  it("has neither for a tool that the agent does not list", () => {
    const event = build("tool_call", { toolName: "other", options: { agent: agentInfo } });
    expect(event).not.toHaveProperty("toolCategory");
    expect(event).not.toHaveProperty("riskLevel");
    expect(event.toolParameters).toBeNull();
  });

  it("cuts parameters, and a name without end, and says so", () => {
    const event = build("tool_call", {
      toolName: "t".repeat(5000),
      toolParameters: { text: "x".repeat(5000) },
      options: { maxLength: 1000 },
    });
    expect(event.toolName.length).toBe(1024);
    expect(JSON.stringify(event.toolParameters).length).toBeLessThan(1100);
    expect(event.metadata).toMatchObject({ truncated: true });
  });
});

describe("tool_result", () => {
  it("is null where nothing came back", () => {
    expect(build("tool_result", { toolName: "t", executionTime: 5 })).toMatchObject({
      toolResult: null,
      success: true,
      executionTime: 5,
    });
  });

  it("takes the time from the argument, else from the metadata, else says that it is not known", () => {
    const metadata = { toolExecutionTime: 7 };
    expect(build("tool_result", { toolName: "t", executionTime: 5, metadata })).toMatchObject({
      executionTime: 5,
      metadata,
    });
    const measured = build("tool_result", { toolName: "t", metadata });
    expect(measured.executionTime).toBe(7);
    expect(measured).not.toHaveProperty("metadata");
    expect(build("tool_result", { toolName: "t" })).toMatchObject({
      executionTime: 0,
      metadata: { executionTimeKnown: false },
    });
  });

  it.each([
    ["an Error", new RangeError("limit"), "limit"],
    ["an Error of another realm", runInNewContext("new Error('limit')"), "limit"],
    ["{ error }", { error: "limit" }, "limit"],
    ["{ error: Error }", { error: new Error("limit") }, "limit"],
    ["{ isError }", { isError: true, message: "limit" }, "limit"],
    ["{ isError } without a message", { isError: true, content: [] }, ""],
  ])("failed when the result is %s", (_name, toolResult, toolError) => {
    expect(build("tool_result", { toolName: "t", toolResult })).toMatchObject({
      success: false,
      toolError,
    });
  });

  it.each([
    ["null", null],
    ["false", false],
    ["a text", "error"],
    ["{ error: null }", { error: null }],
    ["{ error: false }", { error: false }],
    ["{ isError: false }", { isError: false }],
  ])("succeeded when the result is %s", (_name, toolResult) => {
    const event = build("tool_result", { toolName: "t", toolResult });
    expect(event.success).toBe(true);
    expect(event).not.toHaveProperty("toolError");
    expect(event.toolResult).toEqual(toolResult);
  });

  it("keeps what an Error says", () => {
    const event = build("tool_result", {
      toolName: "t",
      toolResult: Object.assign(new Error("limit"), { code: "E1" }),
    });
    expect(event.toolResult).toMatchObject({ name: "Error", message: "limit", code: "E1" });
  });
});

describe("error", () => {
  it("is of medium severity and recoverable unless the caller says otherwise", () => {
    expect(build("error", { error: "limit" })).toMatchObject({
      errorType: "Error",
      errorMessage: "limit",
      severity: "medium",
      recoverable: true,
    });
    const metadata = {
      severity: "critical",
      recoverable: false,
      errorType: "Quota",
      errorCode: 7,
      errorStack: "at x",
    };
    const event = build("error", { error: "limit", metadata });
    expect(event).toMatchObject({
      severity: "critical",
      recoverable: false,
      errorType: "Quota",
      errorCode: "7",
      errorStack: "at x",
    });
    expect(event).not.toHaveProperty("metadata");
  });

  it("keeps a severity that is none in the metadata", () => {
    expect(build("error", { error: "x", metadata: { severity: "fatal" } })).toMatchObject({
      severity: "medium",
      metadata: { severity: "fatal" },
    });
  });

  it("reads type, message, stack, code and cause from an Error", () => {
    const error = Object.assign(new RangeError("limit", { cause: new Error("quota") }), {
      code: "E1",
    });
    const event = build("error", { error });
    expect(event).toMatchObject({
      errorType: "RangeError",
      errorMessage: "limit",
      errorCode: "E1",
      errorStack: error.stack,
    });
    expect(event.metadata).toMatchObject({ cause: { message: "quota" } });
    expect(event.metadata).not.toHaveProperty("originalError");
  });

  it("reads an Error of another realm", () => {
    const event = build("error", { error: runInNewContext("new TypeError('limit')") });
    expect(event).toMatchObject({ errorType: "TypeError", errorMessage: "limit" });
    expect(event.metadata).toBeUndefined();
  });

  it("keeps what is neither an Error nor a string", () => {
    const error = { status: 500, message: "limit" };
    expect(build("error", { error })).toMatchObject({
      errorMessage: "limit",
      metadata: { originalError: error },
    });
    const nested = { error: { message: "limit" }, requestId: "r" };
    expect(build("error", { error: nested })).toMatchObject({
      errorMessage: "limit",
      metadata: { originalError: nested },
    });
    expect(build("error", { error: 42 })).toMatchObject({
      errorMessage: "42",
      metadata: { originalError: 42 },
    });
    expect(build("error", { error: null })).toMatchObject({ errorMessage: "" });
  });

  it("leaves what the caller named cause and originalError as it is", () => {
    const metadata = { cause: "mine", originalError: "mine" };
    expect(build("error", { error: new Error("x", { cause: 1 }), metadata }).metadata).toEqual(
      metadata,
    );
    expect(build("error", { error: {}, metadata }).metadata).toEqual(metadata);
  });

  it("survives errors that refuse to be read", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["error"] = cyclic;
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        getPrototypeOf: () => {
          throw new Error("no");
        },
      },
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const infinite: object = new Proxy(
      {},
      { get: (_target, name) => (name === "error" ? infinite : undefined) },
    );
    for (const error of [
      cyclic,
      throwing,
      proxy,
      infinite,
      Object.create(null),
      Symbol("x"),
      () => 1,
    ]) {
      expect(eventSchemas.error.safeParse(build("error", { error })).success).toBe(true);
      expect(
        eventSchemas.tool_result.safeParse(
          build("tool_result", { toolName: "t", toolResult: error }),
        ).success,
      ).toBe(true);
    }
  });

  it("bounds every text of an Error", () => {
    const long = "x".repeat(100_000);
    const error = Object.assign(new Error(long, { cause: long }), {
      name: long,
      code: long,
      stack: long,
    });
    expect(
      JSON.stringify(build("error", { error, options: { maxLength: 1000 } })).length,
    ).toBeLessThan(6000);
  });
});

describe("conversation_end", () => {
  it("computes what the caller left open from what this process has seen", () => {
    expect(build("conversation_end")).toMatchObject({
      duration: 5000,
      messageCount: 3,
      resolutionStatus: "unresolved",
      metadata: { toolCallCount: 2, errorCount: 1, avgResponseTime: 700, totalsScope: "process" },
    });
  });

  it("has no mean answer time without an answer, and no negative duration", () => {
    const none = { messageCount: 0, toolCallCount: 0, errorCount: 0, responseCount: 0 };
    const totals = { startedAt: NOW + 60_000, ...none, responseMillis: 0 };
    const event = build("conversation_end", { options: { totals } });
    expect(event.duration).toBe(0);
    expect(event.metadata).not.toHaveProperty("avgResponseTime");
  });

  it("prefers what the caller says", () => {
    const metadata = {
      duration: 1,
      messageCount: 9,
      userSatisfaction: 10,
      resolutionStatus: "escalated",
      endReason: "timeout",
      toolCallCount: 7,
      escalationReason: "fraud",
    };
    expect(build("conversation_end", { metadata })).toMatchObject({
      duration: 1,
      messageCount: 9,
      userSatisfaction: 10,
      resolutionStatus: "escalated",
      metadata: {
        endReason: "timeout",
        toolCallCount: 7,
        escalationReason: "fraud",
        errorCount: 1,
      },
    });
  });

  it("computes what the caller got wrong, and keeps it aside", () => {
    const event = build("conversation_end", {
      metadata: { duration: -1, messageCount: 1.5, resolutionStatus: "done", userSatisfaction: 11 },
    });
    expect(event).toMatchObject({
      duration: 5000,
      messageCount: 3,
      resolutionStatus: "unresolved",
    });
    expect(event).not.toHaveProperty("userSatisfaction");
    expect(event.metadata).toMatchObject({
      invalidFields: {
        duration: -1,
        messageCount: 1.5,
        resolutionStatus: "done",
        userSatisfaction: 11,
      },
    });
  });
});

describe("compliance_violation", () => {
  it("takes its fields from the metadata, the description else from the content", () => {
    const metadata = {
      violationType: "mis-selling",
      severity: "warning",
      ruleId: "r1",
      description: "d",
      officer: "o",
    };
    expect(build("compliance_violation", { content: "c", metadata })).toMatchObject({
      violationType: "mis-selling",
      severity: "warning",
      ruleId: "r1",
      description: "d",
      metadata: { officer: "o" },
    });
    expect(build("compliance_violation", { content: "c" })).toMatchObject({
      violationType: "unspecified",
      severity: "violation",
      ruleId: "unspecified",
      description: "c",
    });
  });

  it("accepts the severities of errors as well", () => {
    expect(build("compliance_violation", { metadata: { severity: "high" } }).severity).toBe("high");
    expect(build("compliance_violation", { metadata: { severity: 1 } })).toMatchObject({
      severity: "violation",
      metadata: { severity: 1 },
    });
  });
});
