import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import { agentInfoSchema } from "../../src/events/agent.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const open: TestMonitor[] = [];
async function start(config?: Partial<AgentMonitoringConfig>): Promise<TestMonitor> {
  const test = await startMonitor(config);
  open.push(test);
  return test;
}
afterEach(async () => {
  for (const test of open.splice(0)) {
    const { tracked, recovered, acked, pending, dead, dropped } = test.monitor.stats();
    expect(tracked + recovered).toBe(acked + pending + dead + dropped);
    await test.close();
  }
});

describe("a conversation", () => {
  it("is delivered with every field of the specification", async () => {
    const test = await start();
    const { monitor } = test;
    await monitor.registerAgent(agentInfo);
    monitor.trackConversationStart("assistant", "s1", "u1", { channel: "web", campaign: "spring" });
    monitor.trackUserMessage("assistant", "s1", "What is my balance?", "u1", { messageId: "m1" });
    monitor.trackToolCall("assistant", "s1", "get_balance", { account: "1" }, { balance: 12 }, 34, {
      cacheHit: true,
    });
    monitor.trackAgentResponse("assistant", "s1", "It is 12 dollars.", {
      llmLatency: 800,
      tokensUsed: { input: 20, output: 6, total: 26 },
      temperature: 0.2,
      responseQuality: 90,
      note: "kept",
    });
    monitor.trackError("assistant", "s1", new RangeError("limit"), {
      severity: "high",
      errorCode: "E1",
      recoverable: false,
    });
    monitor.trackConversationEnd("assistant", "s1", {
      resolutionStatus: "resolved",
      userSatisfaction: 9,
      endReason: "user_initiated",
    });

    const events = await test.delivered();
    const base = {
      sessionId: "s1",
      agentId: "assistant",
      userId: "u1",
      environment: "production",
      version: "1.0",
    };
    const expected = [
      { interactionType: "conversation_start", metadata: { channel: "web", campaign: "spring" } },
      {
        interactionType: "user_message",
        content: "What is my balance?",
        contentLength: 19,
        metadata: { messageId: "m1" },
      },
      {
        interactionType: "tool_call",
        toolName: "get_balance",
        toolParameters: { account: "1" },
        toolCategory: "accounts",
        riskLevel: "low",
      },
      {
        interactionType: "tool_result",
        toolName: "get_balance",
        toolResult: { balance: 12 },
        executionTime: 34,
        success: true,
      },
      {
        interactionType: "agent_response",
        content: "It is 12 dollars.",
        llmMetadata: {
          model: "gpt-5",
          provider: "openai",
          latency: 800,
          tokensUsed: { input: 20, output: 6, total: 26 },
          temperature: 0.2,
        },
        metadata: { note: "kept", responseQuality: 90 },
        complianceFlags: [],
        riskScore: 0,
        requiresReview: false,
      },
      {
        interactionType: "error",
        errorType: "RangeError",
        errorMessage: "limit",
        errorCode: "E1",
        severity: "high",
        recoverable: false,
      },
      {
        interactionType: "conversation_end",
        messageCount: 2,
        userSatisfaction: 9,
        resolutionStatus: "resolved",
        metadata: {
          endReason: "user_initiated",
          toolCallCount: 1,
          errorCount: 1,
          totalsScope: "process",
        },
      },
    ];
    expect(events).toMatchObject(expected.map((fields) => ({ ...base, ...fields })));
    const [, , call, result] = events;
    expect(call?.metadata?.["toolCallId"]).toBe(result?.metadata?.["toolCallId"]);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
    expect(monitor.stats().conversations).toBe(0);
  });

  it("gets its start event from trackConversationStart of the options, once", async () => {
    const test = await start();
    const options = { trackConversationStart: true, userId: "u2", requestId: "r2" };
    test.monitor.track(
      "assistant",
      { sessionId: "s", interactionType: "user_message", content: "Hi" },
      options,
    );
    test.monitor.trackAgentResponse("assistant", "s", "Hello", undefined, options);
    const events = await test.delivered();
    expect(events.map(({ interactionType }) => interactionType)).toEqual([
      "conversation_start",
      "user_message",
      "agent_response",
    ]);
    expect(events).toMatchObject([
      { userId: "u2" },
      { userId: "u2", requestId: "r2" },
      { requestId: "r2" },
    ]);
  });

  it("takes conversation, user and request from conversation(), across await", async () => {
    const test = await start();
    const scope = {
      agentId: "assistant",
      sessionId: "s",
      conversationId: "c1",
      userId: "u1",
      requestId: "r1",
    };
    const answer = await test.monitor.conversation(scope, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      test.monitor.trackUserMessage("assistant", "s", "inside");
      test.monitor.trackUserMessage("assistant", "other", "another session");
      return 42;
    });
    test.monitor.trackUserMessage("assistant", "s", "outside");
    expect(answer).toBe(42);
    const events = await test.delivered();
    expect(events).toMatchObject([{ conversationId: "c1", userId: "u1", requestId: "r1" }, {}, {}]);
    expect(events[1]).not.toHaveProperty("conversationId");
    expect(events[2]).not.toHaveProperty("conversationId");
  });

  it("leaves an invalid request id of conversation() out instead of sending it", async () => {
    const test = await start();
    const scope = { agentId: "a", sessionId: "s", requestId: "" };
    test.monitor.conversation(scope, () => test.monitor.trackUserMessage("a", "s", "Hi"));
    const [event] = await test.delivered();
    expect(event?.requestId).toBe(event?.eventId);
    expect(test.lines.join()).toContain("requestId expected");
    expect(test.monitor.conversation(undefined as never, () => 7)).toBe(7);
  });

  it("runs the function of conversation() even when its identity is invalid", async () => {
    const test = await start();
    expect(test.monitor.conversation({ agentId: "", sessionId: "s" }, () => 7)).toBe(7);
    expect(test.lines.join()).toContain("agentId expected");
  });
});

describe("track", () => {
  it("takes every kind, the extension included", async () => {
    const test = await start();
    const event = {
      sessionId: "s",
      conversationId: "c",
      metadata: { custom: { deep: [1, null] } },
    };
    const { monitor } = test;
    monitor.track("a", { ...event, interactionType: "conversation_start" });
    monitor.track("a", { ...event, interactionType: "user_message", content: "Hi" });
    monitor.track("a", { ...event, interactionType: "agent_response", content: "Hello" });
    monitor.track("a", {
      ...event,
      interactionType: "tool_call",
      toolName: "t",
      toolParameters: [1],
      toolResult: "early",
    });
    monitor.track("a", {
      ...event,
      interactionType: "tool_result",
      toolName: "t",
      toolResult: { isError: true },
    });
    monitor.track("a", {
      ...event,
      interactionType: "error",
      content: "bad",
      errorType: "T",
      errorCode: "C",
      severity: "critical",
    });
    const violation = {
      violationType: "fair_lending",
      severity: "warning",
      description: "d",
      ruleId: "r",
    };
    monitor.track("a", {
      ...event,
      interactionType: "compliance_violation",
      metadata: { ...violation, extra: 1 },
    });
    monitor.track("a", { ...event, interactionType: "conversation_end", content: "bye" });
    const events = await test.delivered();
    expect(events).toHaveLength(8);
    for (const delivered of events) expect(delivered.conversationId).toBe("c");
    expect(events[0]?.metadata).toEqual({ custom: { deep: [1, null] } });
    expect(events[3]).toMatchObject({ toolParameters: [1], metadata: { toolResult: "early" } });
    expect(events[4]).toMatchObject({
      success: false,
      executionTime: 0,
      metadata: { executionTimeKnown: false },
    });
    expect(events[5]).toMatchObject({
      errorMessage: "bad",
      errorType: "T",
      errorCode: "C",
      severity: "critical",
    });
    expect(events[6]).toMatchObject({ ...violation, metadata: { extra: 1 } });
    expect(events[7]).toMatchObject({ metadata: { content: "bye" } });
  });

  it("lets the options override session, user and request", async () => {
    const test = await start();
    const options = { sessionId: "s2", userId: "u2", requestId: "r2" };
    test.monitor.track(
      "a",
      { sessionId: "s1", userId: "u1", interactionType: "user_message", content: "Hi" },
      options,
    );
    expect(await test.delivered()).toMatchObject([options]);
  });
});

const raise = (): never => {
  throw new Error("no");
};

describe("bad input", () => {
  const invalid: ((monitor: AgentMonitor) => void)[] = [
    (monitor) => monitor.trackUserMessage("", "s", "x"),
    (monitor) => monitor.trackUserMessage("..", "s", "x"),
    (monitor) => monitor.trackUserMessage("a", "s\n", "x"),
    (monitor) => monitor.trackUserMessage("a", "x".repeat(257), "x"),
    (monitor) => monitor.trackUserMessage("a", 5 as unknown as string, "x"),
    (monitor) => monitor.trackUserMessage("a", "s", undefined as unknown as string),
    (monitor) => monitor.trackToolCall("a", "s", "", {}),
    (monitor) => monitor.trackError("a", "s", undefined as unknown as string),
    (monitor) => monitor.track("a", undefined as never),
    (monitor) => monitor.track("a", { sessionId: "s", interactionType: "nonsense" as never }),
    (monitor) => monitor.track("a", { sessionId: "s", interactionType: "agent_response" }),
  ];

  it.each(invalid.map((call, index) => [index, call] as const))(
    "case %i is counted and logged, and the next call works",
    async (_index, call) => {
      const test = await start();
      call(test.monitor);
      test.monitor.trackUserMessage("a", "s", "fine");
      expect(await test.delivered()).toHaveLength(1);
      expect(test.monitor.stats()).toMatchObject({
        tracked: 2,
        acked: 1,
        droppedByReason: { invalid_argument: 1 },
      });
      expect(test.lines.filter((line) => line.includes("expected"))).toHaveLength(1);
    },
  );

  it("is logged once per burst, with a sum", async () => {
    const test = await start();
    for (let index = 0; index < 1000; index++)
      test.monitor.trackUserMessage("a", "", "secret content");
    await test.monitor.shutdown();
    const lines = test.lines.filter((line) => line.includes("sessionId"));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("999 more");
    expect(lines.join()).not.toContain("secret content");
  });

  it("never throws for a revoked proxy", async () => {
    const test = await start();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    test.monitor.trackToolCall("a", "s", "t", proxy, proxy, proxy as never, proxy);
    test.monitor.trackUserMessage(proxy as never, proxy as never, proxy as never);
    expect(await test.delivered()).toHaveLength(2);
  });

  it("keeps the event when an optional argument is invalid", async () => {
    const test = await start();
    test.monitor.trackUserMessage("a", "s", "Hi", "u\u0000");
    test.monitor.trackAgentResponse(
      "a",
      "s",
      "Hi",
      { responseQuality: 101, cost: "free" as never, other: 1 },
      { agentCategory: "x" as never },
    );
    test.monitor.trackToolCall("a", "s", "t", {}, "r", -1);
    const events = await test.delivered();
    expect(events).toHaveLength(4);
    expect(events[0]).not.toHaveProperty("userId");
    expect(events[1]?.metadata).toEqual({
      other: 1,
      invalidFields: { responseQuality: 101, cost: "free" },
    });
    expect(events[3]).toMatchObject({ executionTime: 0, metadata: { executionTimeKnown: false } });
  });

  it("reaches the logger as data: what was expected and what came, never the value", async () => {
    const lines: [string, unknown][] = [];
    const keep = (message: string, data?: unknown): void => void lines.push([message, data]);
    const logger = { debug: keep, info: keep, warn: keep, error: keep };
    const test = await startMonitor({ logger });
    const { monitor } = test;
    monitor.trackUserMessage("a", "", "secret content");
    monitor.track("a", { sessionId: "s", interactionType: "other" as never });
    monitor.trackAgentResponse("a", "s", "Hi", { responseQuality: 101, cost: "secret" as never }, {
      agentCategory: "secret" as never,
      userID: "secret",
    } as never);
    await test.close();
    const details = lines.flatMap(([, data]) => (data as { details?: object[] })?.details ?? []);
    expect(details).toEqual([
      {
        field: "sessionId",
        message: expect.stringContaining("(got string of 0 characters)") as string,
        code: "invalid_type",
      },
      {
        field: "event.interactionType",
        message: expect.stringContaining("expected one of") as string,
        code: "invalid_value",
      },
      {
        field: "options.userID",
        message: "is unknown: did you mean userId?",
        code: "unrecognized_keys",
      },
      {
        field: "options.agentCategory",
        message: "expected an AgentCategory; it is left out",
        code: "invalid_type",
      },
      {
        field: "metadata.responseQuality",
        message: expect.stringContaining("(got number)") as string,
        code: "too_big",
      },
      {
        field: "metadata.cost",
        message: expect.stringContaining("(got string of 6 characters)") as string,
        code: "invalid_type",
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("is told once where a name of an option is misspelt", async () => {
    const test = await start();
    const options = { complianceCheck: false } as object;
    for (let index = 0; index < 5; index++)
      test.monitor.trackAgentResponse("a", "s", "Hi", undefined, options);
    await test.monitor.flush({ timeoutMilis: 5 } as object);
    test.monitor.conversation({ agentId: "a", sessionId: "s", userID: "u" } as never, () => 0);
    await test.monitor.shutdown();
    const told = test.lines.filter((line) => line.includes("did you mean"));
    expect(told.map((line) => line.replace(/ \{.*/, ""))).toEqual([
      "warn trackAgentResponse: options.complianceCheck is unknown: did you mean complianceChecks?",
      "warn flush: options.timeoutMilis is unknown: did you mean timeoutMillis?",
      "warn conversation: scope.userID is unknown: did you mean userId?",
    ]);
    expect(test.lines.filter((line) => line.includes("more of this kind"))).toEqual([]);
  });

  it("names the member that is misspelt where one of an event is missing", async () => {
    const test = await start();
    const { monitor } = test;
    const common = { sessionId: "s", interactionType: "user_message" as const };
    monitor.track("a", { sessionId: "s", interacionType: "user_message" } as never);
    monitor.track("a", { ...common, contnet: "secret" } as never);
    monitor.track("a", { interactionType: "user_message", sessionID: "s", content: "x" } as never);
    monitor.track("a", { ...common, interactionType: "tool_call", toolname: "t" } as never);
    expect(monitor.stats()).toMatchObject({ tracked: 4, dropped: 4 });
    await monitor.shutdown();
    const told = test.lines.filter((line) => line.includes("did you mean"));
    expect(
      told.map((line) => /; (\w+ is unknown: did you mean \w+\?); the event/.exec(line)?.[1]),
    ).toEqual([
      "interacionType is unknown: did you mean interactionType?",
      "contnet is unknown: did you mean content?",
      "sessionID is unknown: did you mean sessionId?",
      "toolname is unknown: did you mean toolName?",
    ]);
    expect(told.join()).not.toContain("secret");
  });

  it("tells once of members of events and metadata whose names are nearly known ones, and keeps them", async () => {
    const test = await startMonitor();
    const { monitor } = test;
    const given = { llmLatncy: 5, tokens_used: {}, region: "EU", team: 1, costCenter: 2 };
    for (let index = 0; index < 3; index++) monitor.trackAgentResponse("a", "s", "Hi", given);
    monitor.track("a", {
      sessionId: "s",
      interactionType: "user_message",
      content: "Hello",
      agentID: "a",
      userID: "u",
      request_id: "r",
      branch: 7,
      toolName: "none here",
      metadata: { custmerTier: "gold", "card 4111 contentt": 1 } as object,
    } as never);
    monitor.trackToolCall("a", "s", "t", {}, {}, 1);
    const events = await test.delivered();
    await test.close();
    expect(events[2]?.metadata).toEqual(given);
    expect(events[3]?.metadata).toMatchObject({ userID: "u", custmerTier: "gold" });
    const told = test.lines.filter((line) => line.includes("did you mean"));
    expect(told.map((line) => line.replace(/ \{.*/, ""))).toEqual(
      [
        ["agent_response: metadata.llmLatncy", "llmLatency"],
        ["agent_response: metadata.tokens_used", "tokensUsed"],
        ["user_message: metadata.custmerTier", "customerTier"],
        ["user_message: event.agentID", "agentId"],
        ["user_message: event.userID", "userId"],
        ["user_message: event.request_id", "requestId"],
      ].map(
        ([member, known]) =>
          `warn ${member} is unknown: did you mean ${known}? It is kept as metadata of your own`,
      ),
    );
  });

  it("compares no names without end", async () => {
    const test = await startMonitor();
    const members = (from: number): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: 400 }, (_item, index) => [`key${from + index}`, 1]));
    test.monitor.trackUserMessage("a", "s", "x", undefined, members(0));
    test.monitor.trackUserMessage("a", "s", "x", undefined, members(400));
    test.monitor.trackUserMessage("a", "s", "x", undefined, { llmLatncy: 5 });
    expect(await test.delivered()).toHaveLength(3);
    await test.close();
    expect(test.lines.filter((line) => line.includes("did you mean"))).toEqual([]);
  });

  it("rejects no flush, whatever it is given", async () => {
    const test = await start();
    const throwing = new Proxy({}, { get: () => raise(), ownKeys: () => raise() });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const getter = {
      get timeoutMillis(): number {
        return raise();
      },
    };
    for (const options of [null, 5, "x", throwing, proxy, getter, { timeoutMillis: "1" }, []])
      expect(await test.monitor.flush(options as never)).toBeUndefined();
    expect(test.lines.join("\n")).toContain("flush: options.timeoutMillis expected ms >= 0");
  });

  it("survives whatever arrives, and every event is valid", async () => {
    const test = await start({ eventSizeLimit: 16_384, maxQueueSize: 100_000 });
    const { monitor } = test;
    const cyclic: Record<string, unknown> = { big: 1n, f: () => 1, s: Symbol("s") };
    cyclic["self"] = cyclic;
    const hostile = fc.oneof(
      fc.anything({
        withBigInt: true,
        withMap: true,
        withSet: true,
        withDate: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.constant(cyclic),
      fc.constant({
        get bad() {
          throw new Error("no");
        },
        toJSON() {
          throw new Error("no");
        },
      }),
      fc.constant(
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("no");
            },
          },
        ),
      ),
      fc.constant({ __proto__: null, constructor: 1, text: "x".repeat(100_000) }),
    ) as fc.Arbitrary<never>;
    const id = fc.oneof(hostile, fc.constantFrom("a", "s") as fc.Arbitrary<never>);
    fc.assert(
      fc.property(
        id,
        id,
        hostile,
        hostile,
        hostile,
        hostile,
        (agent, session, one, two, three, four) => {
          monitor.trackConversationStart(agent, session, one, two);
          monitor.trackUserMessage(agent, session, "text", two, three);
          monitor.trackAgentResponse(agent, session, "text", two, three);
          monitor.trackToolCall(agent, session, "tool", two, three, four, one);
          monitor.trackError(agent, session, one, two);
          monitor.trackConversationEnd(agent, session, one);
          monitor.track(agent, one, two);
          monitor.track(
            agent,
            {
              sessionId: session,
              interactionType: "tool_result",
              toolName: "t",
              toolResult: one,
              metadata: two,
            },
            three,
          );
        },
      ),
      { numRuns: 200 },
    );
    await test.delivered();
    expect(monitor.stats()).toMatchObject({ pending: 0 });
    expect(monitor.stats().droppedByReason).not.toHaveProperty("internal_error");
  });

  it("cuts an event to eventSizeLimit and says so", async () => {
    const test = await start({ eventSizeLimit: 10_000 });
    test.monitor.trackUserMessage("a", "s", "é".repeat(1_000_000));
    test.monitor.trackToolCall("a", "s", "t", {
      rows: Array.from({ length: 50_000 }, (_, id) => ({ id })),
    });
    const events = await test.delivered();
    expect(events[0]).toMatchObject({ contentLength: 1_000_000, metadata: { truncated: true } });
    expect(events[0]).not.toHaveProperty("contentHash");
    expect(events[1]).toMatchObject({ metadata: { truncated: true } });
    for (const event of events)
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(10_000);
  });

  it("survives a logger that throws and one that rejects", async () => {
    const fail = (): never => {
      throw new Error("logger");
    };
    const throwing = await start({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
    throwing.monitor.trackUserMessage("a", "", "x");
    const reject = (): Promise<never> => Promise.reject(new Error("logger"));
    const rejecting = await start({
      logger: { debug: reject, info: reject, warn: reject, error: reject },
    });
    rejecting.monitor.trackUserMessage("a", "", "x");
    await rejecting.monitor.flush();
  });
});

describe("the caller's objects", () => {
  it("may change after the call without changing the event", async () => {
    const test = await start();
    const metadata = { list: [1] };
    test.monitor.trackUserMessage("a", "s", "Hi", undefined, metadata);
    metadata.list.push(2);
    expect((await test.delivered())[0]?.metadata).toEqual({ list: [1] });
  });
});

describe("compliance", () => {
  const card = "Your card is 4539 1488 0343 6467.";

  it("attaches findings, score and review to the answer", async () => {
    const test = await start();
    test.monitor.trackAgentResponse("a", "s", card);
    const [event] = await test.delivered();
    expect(event).toMatchObject({
      complianceFlags: [
        { rule: "privacy-card-number", category: "privacy", severity: "violation" },
      ],
      requiresReview: true,
    });
    expect(JSON.stringify((event as { complianceFlags: unknown }).complianceFlags)).not.toContain(
      "4539 1488",
    );
  });

  it("is off by configuration, and on for one call", async () => {
    const test = await start({ enableComplianceChecks: false });
    expect(test.monitor.complianceEngine).toBeUndefined();
    test.monitor.trackAgentResponse("a", "s", card);
    test.monitor.trackAgentResponse("a", "s", card, undefined, { complianceChecks: true });
    const [off, on] = await test.delivered();
    expect(off).not.toHaveProperty("riskScore");
    expect(on).toHaveProperty("riskScore");
    expect(test.monitor.complianceEngine).toBeUndefined();
  });

  it("is on by configuration, and off for one call", async () => {
    const test = await start();
    test.monitor.trackAgentResponse("a", "s", card, undefined, { complianceChecks: false });
    expect((await test.delivered())[0]).not.toHaveProperty("riskScore");
  });

  it("gives rules the user's message, the tools and the case", async () => {
    const test = await start();
    await test.monitor.registerAgent(agentInfo);
    let seen: Record<string, unknown> = {};
    test.monitor.complianceEngine?.addRule({
      id: "custom-probe",
      name: "Probe",
      description: "Looks at the context.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: (context) => {
        seen = structuredClone({ ...context });
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    await test.monitor.ready();
    test.monitor.trackUserMessage("assistant", "s", "Move 5 dollars", "u");
    test.monitor.trackToolCall("assistant", "s", "transfer", { amount: 5 }, { ok: true }, 3);
    test.monitor.trackAgentResponse(
      "assistant",
      "s",
      "Done",
      {
        transactionContext: { amount: 5, transactionType: "cash" },
        customerProfile: { customerId: "c" },
        riskFactors: ["new_account"],
      },
      { agentSpecialty: "business_banking" },
    );
    expect(seen).toMatchObject({
      agentCategory: "tool_calling",
      agentSpecialty: "business_banking",
      userMessage: "Move 5 dollars",
      agentResponse: "Done",
      toolsUsed: [
        {
          name: "transfer",
          parameters: { amount: 5 },
          result: { ok: true },
          success: true,
          executionTime: 3,
        },
      ],
      userId: "u",
      transactionContext: { amount: 5, transactionType: "cash" },
      customerProfile: { customerId: "c" },
      riskFactors: ["new_account"],
    });
  });
});

describe("what the metadata says of the case", () => {
  /** Tracks an answer and gives what the rules saw, and what was told. */
  async function see(
    metadata: Record<string, unknown>,
    before?: (test: TestMonitor) => void,
  ): Promise<{ seen: InteractionContext | undefined; lines: string[] }> {
    const test = await start();
    let seen: InteractionContext | undefined;
    test.monitor.complianceEngine?.addRule({
      id: "custom-probe",
      name: "Probe",
      description: "Looks at the context.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: (context) => {
        seen = context;
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    await test.monitor.registerAgent(agentInfo);
    before?.(test);
    test.monitor.trackAgentResponse("assistant", "s", "Done", metadata);
    const [event] = await test.delivered().then((events) => events.slice(-1));
    expect(event?.metadata, "the event keeps all of it").toMatchObject(metadata);
    return { seen, lines: test.lines };
  }

  it("loses the member that is not what it should be, with a warning, and nothing else", async () => {
    const { seen, lines } = await see({
      customerProfile: {
        customerId: 4711,
        riskRating: "high",
        customerTier: null,
        accountTypes: ["checking", 5],
        previousViolations: -1,
        segment: "own",
      },
      transactionContext: { amount: "12 secret", location: "Berlin", transactionType: "cash" },
      riskFactors: ["new_account", 7],
      toolsUsed: [
        { name: "get_balance", parameters: [1, "2"], result: 1, success: "yes" },
        { name: 5 },
        3,
      ],
    });
    expect(seen).toMatchObject({
      riskFactors: ["new_account"],
      toolsUsed: [
        {
          name: "get_balance",
          parameters: [1, "2"],
          result: 1,
          success: true,
          riskLevel: "low",
        },
      ],
    });
    expect(seen?.customerProfile).toEqual({
      customerId: "",
      riskRating: "high",
      accountTypes: ["checking"],
      segment: "own",
    });
    expect(seen?.transactionContext).toEqual({ location: "Berlin", transactionType: "cash" });
    const told = lines.filter((line) => line.includes("the rules do not see it"));
    expect(told).toHaveLength(1);
    for (const field of [
      "metadata.customerProfile.customerId ",
      "metadata.customerProfile.accountTypes[1] ",
      "metadata.customerProfile.previousViolations ",
      "metadata.transactionContext.amount ",
      "metadata.riskFactors[1] ",
      "metadata.toolsUsed[0].success ",
      "metadata.toolsUsed[1].name ",
      "metadata.toolsUsed[2] ",
    ])
      expect(told[0]).toContain(field);
    expect(told[0]).not.toContain("customerTier");
    expect(told[0]).not.toContain("secret");
  });

  it("is told when it is no object or list at all, and not when it is null", async () => {
    const { seen, lines } = await see({
      customerProfile: "gold",
      transactionContext: null,
      riskFactors: "new_account",
      toolsUsed: {},
    });
    expect(seen).toMatchObject({ agentResponse: "Done" });
    expect(seen?.customerProfile ?? seen?.riskFactors ?? seen?.toolsUsed).toBeUndefined();
    const [line = ""] = lines.filter((told) => told.includes("the rules do not see it"));
    for (const field of ["customerProfile", "riskFactors", "toolsUsed"])
      expect(line).toContain(`metadata.${field} expected`);
    expect(line).not.toContain("transactionContext");
  });

  it("adds the tools that it lists to those that were tracked, each call once", async () => {
    const call = { name: "transfer", parameters: { amount: 5 } };
    const { seen } = await see(
      {
        toolsUsed: [
          { ...call, result: { ok: false }, success: false },
          { ...call, parameters: { amount: 6 }, result: { ok: true }, success: true },
          { name: "unknown", result: 1 },
        ],
      },
      ({ monitor }) => {
        monitor.trackToolCall("assistant", "s", "transfer", { amount: 5 });
        monitor.trackToolCall("assistant", "s", "get_balance", {}, 12, 3);
      },
    );
    expect(seen?.toolsUsed).toEqual([
      { ...call, result: { ok: false }, success: false, category: "payments", riskLevel: "high" },
      {
        name: "get_balance",
        parameters: {},
        result: 12,
        success: true,
        executionTime: 3,
        category: "accounts",
        riskLevel: "low",
      },
      {
        name: "transfer",
        parameters: { amount: 6 },
        result: { ok: true },
        success: true,
        category: "payments",
        riskLevel: "high",
      },
      { name: "unknown", parameters: null, result: 1, success: true },
    ]);
  });
});

describe("rules that misbehave", () => {
  const cyclic: Record<string, unknown> = { cents: 125_000n };
  cyclic["self"] = cyclic;

  it("cost neither the answer nor the delivery, whatever they put into a finding", async () => {
    const test = await start();
    test.monitor.complianceEngine?.addRule({
      id: "custom-hostile",
      name: "Hostile",
      description: "Puts anything into its finding.",
      category: "custom",
      severity: "warning",
      isActive: true,
      ruleFunction: () => ({
        isCompliant: true,
        violations: [
          { rule: "custom-hostile", severity: "warning", description: "d", context: cyclic },
        ],
        riskScore: 10,
        requiresReview: false,
      }),
    });
    test.monitor.trackAgentResponse("a", "s", "Hello");
    test.monitor.trackUserMessage("a", "s", "next");
    const [answer, next] = await test.delivered();
    expect(answer).toMatchObject({
      complianceFlags: [{ rule: "custom-hostile", context: { cents: "125000" } }],
    });
    expect(next).toMatchObject({ content: "next" });
  });

  it("can't change what is delivered", async () => {
    const test = await start();
    test.monitor.complianceEngine?.addRule({
      id: "custom-writing",
      name: "Writing",
      description: "Writes into its context.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: ({ metadata }) => {
        (metadata as { nested: { balance: string } }).nested.balance = "changed";
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    test.monitor.trackAgentResponse("a", "s", "Hello", { nested: { balance: "12" } });
    expect((await test.delivered())[0]?.metadata).toEqual({ nested: { balance: "12" } });
  });
});

describe("registerAgent", () => {
  it("sends the profile to the platform", async () => {
    const test = await start();
    await test.monitor.registerAgent({ ...agentInfo, id: "a/b c" });
    const [request] = test.sink.requests;
    expect(request).toMatchObject({ method: "PUT", path: "/v1/agents/a%2Fb%20c" });
    expect(agentInfoSchema.parse(request?.json)).toEqual({ ...agentInfo, id: "a/b c" });
  });

  it("sends members of the application's own, and what JSON Schema knows more of", async () => {
    const test = await start();
    const agent = {
      ...agentInfo,
      owner: { team: "cards", since: 2024 },
      availableTools: [
        {
          name: "transfer",
          description: "Moves money",
          category: "payments",
          riskLevel: "high" as const,
          approvers: ["desk"],
          parameters: {
            type: "object" as const,
            additionalProperties: false,
            properties: {
              currency: { type: "string", description: "Of the amount", enum: ["EUR", "USD"] },
              legs: {
                type: "array",
                description: "Parts",
                items: { type: "object", properties: { amount: { type: "number" } } },
              },
            },
          },
        },
      ],
    };
    await test.monitor.registerAgent(agent);
    const [request] = test.sink.requests;
    expect(request?.json).toEqual(agent);
    expect(agentInfoSchema.parse(request?.json)).toEqual(agent);
    expect(test.lines.filter((line) => line.includes("registerAgent"))).toEqual([]);
  });

  it("tells of a misspelt member of a profile", async () => {
    const test = await start();
    const settings = { sr11_7_enabled: true, fair_lending_monitoring: true, bsa_aml_checks: true };
    const agent = {
      ...agentInfo,
      speciality: "compliance",
      complianceSettings: { ...settings, risk_treshold: 5, strict: true },
      owner: "desk",
    };
    await test.monitor.registerAgent(agent);
    const [line = ""] = test.lines.filter((told) => told.includes("registerAgent"));
    expect(line).toContain("speciality is unknown: did you mean specialty?");
    expect(line).toContain(
      "complianceSettings.risk_treshold is unknown: did you mean risk_threshold?",
    );
    expect(line).toContain("complianceSettings.strict is unknown");
    expect(line).not.toContain("owner");
  });

  it("rejects a profile that can't be read, without what its getter says", async () => {
    const test = await start();
    const agent = {
      ...agentInfo,
      get owner(): never {
        throw new Error("secret");
      },
    };
    await expect(test.monitor.registerAgent(agent)).rejects.toThrow(
      /^registerAgent: agent can't be read$/,
    );
    await expect(test.monitor.registerAgent(null as never)).rejects.toThrow("registerAgent");
  });

  it("rejects an invalid profile with every problem", async () => {
    const test = await start();
    const bad = { ...agentInfo, id: "..", category: "robot" as never, version: "" };
    await expect(test.monitor.registerAgent(bad)).rejects.toMatchObject({
      name: "ValidationError",
      details: [{ field: "id" }, { field: "category" }, { field: "version" }],
    });
    expect(test.sink.requests).toHaveLength(0);
  });

  it("needs no await: a failure is told, harms nothing, and the profile comes when the platform does", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const test = await start({ retryAttempts: 0 });
    test.sink.answer = ({ method }) => (method === "PUT" ? { status: 422 } : undefined);
    void test.monitor.registerAgent(agentInfo);
    void test.monitor.registerAgent({ ...agentInfo, category: "secret" as never });
    await test.monitor.shutdown();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    const errors = test.lines.filter((line) => line.startsWith("error"));
    expect(errors).toEqual([
      expect.stringMatching(/registerAgent: category .*; the agent is not registered/),
      expect.stringMatching(
        /did not take agent assistant \(status 422\); it is registered here only/,
      ),
    ]);
    expect(errors.join()).not.toContain("secret");
  });

  it("is finished by a shutdown that comes at once", async () => {
    const test = await start();
    test.sink.answer = async ({ method }) => {
      if (method === "PUT") await new Promise((resolve) => setTimeout(resolve, 100));
      return undefined;
    };
    const registered = test.monitor.registerAgent(agentInfo);
    test.monitor.trackUserMessage("assistant", "s", "Hi");
    await test.monitor.shutdown();
    await registered;
    expect(test.sink.requests.map(({ method }) => method).toSorted()).toEqual(["POST", "PUT"]);
    expect(test.monitor.stats()).toMatchObject({ acked: 1, dropped: 0 });
  });

  it("rejects when the platform does not take it, and the agent is known here all the same", async () => {
    const test = await start();
    test.sink.answer = ({ method }) => (method === "PUT" ? { status: 401 } : undefined);
    await expect(test.monitor.registerAgent(agentInfo)).rejects.toThrow(
      /did not take agent assistant.*401/,
    );
    test.monitor.trackToolCall("assistant", "s", "transfer", {});
    expect(await test.delivered()).toMatchObject([{ riskLevel: "high" }]);
  });
});

describe("life cycle", () => {
  it("does not wait for a server that hangs", async () => {
    const test = await start({ batchSize: 10, shutdownTimeout: 50 });
    test.sink.answer = () => "hang";
    for (let index = 0; index < 100; index++) test.monitor.trackUserMessage("a", "s", "x");
    expect(test.monitor.stats()).toMatchObject({ tracked: 100, pending: 100 });
    await test.monitor.flush({ timeoutMillis: 20 });
    await test.monitor.shutdown();
    expect(test.monitor.stats()).toMatchObject({ pending: 0, droppedByReason: { shutdown: 100 } });
  });

  it("delivers what was tracked before shutdown, and counts what comes after", async () => {
    const test = await start();
    for (let index = 0; index < 150; index++) test.monitor.trackUserMessage("a", "s", "x");
    await Promise.all([test.monitor.shutdown(), test.monitor.shutdown()]);
    test.monitor.trackUserMessage("a", "s", "late");
    expect(test.sink.events).toHaveLength(150);
    expect(test.monitor.stats()).toMatchObject({
      acked: 150,
      droppedByReason: { after_shutdown: 1 },
      state: "closed",
    });
  });

  it("sends a partial batch after flushInterval, without flush", async () => {
    const test = await start({ flushInterval: 100 });
    const arrived = new Promise<void>((resolve) => {
      test.sink.answer = () => void resolve();
    });
    test.monitor.trackUserMessage("a", "s", "x");
    await arrived;
  });

  it("shuts down at the end of an `await using` block", async () => {
    const test = await start();
    {
      await using monitor = test.monitor;
      monitor.trackUserMessage("a", "s", "x");
    }
    expect(test.monitor.stats()).toMatchObject({ acked: 1, state: "closed" });
  });

  it("does not show the key when it is printed", async () => {
    const test = await start();
    expect(inspect(test.monitor, { depth: 10, showHidden: true })).not.toContain("key-of-the-bank");
  });
});
