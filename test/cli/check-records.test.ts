import { describe, expect, it } from "vitest";
import { EventSessions } from "../../src/cli/check/replay.ts";
import { readRecord } from "../../src/cli/check/read-record.ts";
import { LineProblem } from "../../src/cli/read-lines.ts";

/** The contexts that a line comes to. */
function contextsOf(value: unknown): unknown[] {
  const record = readRecord(value);
  return record.kind === "conversation" ? record.exchanges.map(({ context }) => context) : [];
}

describe("an exchange", () => {
  it("has its texts, what stands beside them, and what stands in its context", () => {
    const value = {
      id: "x-1",
      userMessage: "Hi",
      agentResponse: "Hello",
      agentSpecialty: "compliance",
      label: "ok",
      context: { riskFactors: ["pep"], customerProfile: { riskRating: "high" } },
    };
    expect(readRecord(value)).toEqual({
      kind: "conversation",
      id: "x-1",
      label: { isViolation: false },
      exchanges: [
        {
          context: {
            userMessage: "Hi",
            agentResponse: "Hello",
            agentSpecialty: "compliance",
            riskFactors: ["pep"],
            customerProfile: { riskRating: "high" },
          },
          userTurn: 1,
          agentTurn: 2,
        },
      ],
    });
  });

  it("may be an answer, a message, tools or a transaction alone", () => {
    const tool = { name: "send_wire", parameters: {}, result: null, success: true };
    const values = [
      { agentResponse: "Hello", userMessage: null },
      { userMessage: "Hi" },
      { toolsUsed: [tool] },
      { context: { transactionContext: { amount: 1 } } },
    ];
    for (const value of values) expect(contextsOf(value)).toHaveLength(1);
    expect(contextsOf(values[0])).toEqual([{ agentResponse: "Hello" }]);
  });
});

describe("a conversation", () => {
  it("is replayed: each answer with the message before it, messages without an answer alone", () => {
    const turns = [
      { role: "agent", content: "Welcome." },
      { role: "user", content: "one" },
      { role: "user", content: "two" },
      { role: "agent", content: "Both." },
      { role: "user", content: "three" },
    ];
    const record = readRecord({ id: 7, turns, context: { agentCategory: "autonomous" } });
    const agentCategory = "autonomous";
    expect(record).toEqual({
      kind: "conversation",
      id: "7",
      exchanges: [
        { context: { agentCategory, agentResponse: "Welcome." }, agentTurn: 1 },
        { context: { agentCategory, userMessage: "one" }, userTurn: 2 },
        {
          context: { agentCategory, userMessage: "two", agentResponse: "Both." },
          userTurn: 3,
          agentTurn: 4,
        },
        { context: { agentCategory, userMessage: "three" }, userTurn: 5 },
      ],
    });
  });

  it("gives a turn its own tools, and the context's to the others", () => {
    const [own, shared] = ["own", "shared"].map((name) => ({
      name,
      parameters: {},
      result: 1,
      success: true,
    }));
    const turns = [
      { role: "user", content: "one" },
      { role: "agent", content: "1", toolsUsed: [own] },
      { role: "agent", content: "2" },
    ];
    expect(contextsOf({ turns, context: { toolsUsed: [shared] } })).toMatchObject([
      { userMessage: "one", agentResponse: "1", toolsUsed: [own] },
      { agentResponse: "2", toolsUsed: [shared] },
    ]);
  });

  it("may be OpenAI's messages, with tool calls and what the tools said", () => {
    const messages = [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Refund" },
          { type: "image_url" },
          { type: "text", text: "please" },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "refund", arguments: '{"amount":20}' } },
          { id: "b", type: "function", function: { name: "notify", arguments: "{broken" } },
        ],
      },
      { role: "tool", tool_call_id: "b", content: "sent" },
      { role: "tool", tool_call_id: "a", content: '{"error":"DENIED"}' },
      { role: "assistant", content: "Done." },
      { role: "assistant", function_call: { name: "late", arguments: "{}" } },
    ];
    expect(contextsOf({ messages })).toEqual([
      {
        userMessage: "Refund\nplease",
        agentResponse: "Done.",
        toolsUsed: [
          {
            name: "refund",
            parameters: { amount: 20 },
            result: { error: "DENIED" },
            success: false,
          },
          { name: "notify", parameters: "{broken", result: "sent", success: true },
        ],
      },
      { toolsUsed: [{ name: "late", parameters: {}, result: null, success: true }] },
    ]);
  });

  it("may be Anthropic's messages", () => {
    const messages = [
      { role: "user", content: "Balance?" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "One moment." },
          { type: "tool_use", id: "t", name: "get_balance", input: { account: "1" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t",
            is_error: true,
            content: [{ type: "text", text: "down" }],
          },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "It's down." }] },
    ];
    expect(contextsOf({ messages })).toEqual([
      { userMessage: "Balance?", agentResponse: "One moment." },
      {
        agentResponse: "It's down.",
        toolsUsed: [
          { name: "get_balance", parameters: { account: "1" }, result: "down", success: false },
        ],
      },
    ]);
  });
});

describe("what is no record", () => {
  const SECRET = "hunter2";
  it.each([
    [[SECRET], "expected an object, got an array"],
    [SECRET, "expected an object, got another string"],
    [
      { text: SECRET },
      "expected userMessage, agentResponse, turns, messages or events, got another object",
    ],
    [{ userMessage: [SECRET] }, "userMessage: expected a string, got an array"],
    [{ agentResponse: "a", context: SECRET }, "context: expected an object, got another string"],
    [{ agentResponse: "a", toolsUsed: SECRET }, "toolsUsed: expected an array, got another string"],
    [{ turns: {} }, "turns: expected an array, got another object"],
    [{ turns: [SECRET] }, "turns[0]: expected an object, got another string"],
    [
      { messages: [{ role: "user", content: "" }, { role: SECRET }] },
      "messages[1].role: expected user, agent, assistant, tool or system, got another string",
    ],
    [
      { messages: [{ role: "user", content: 1 }] },
      "messages[0].content: expected a string or an array of parts, got a number",
    ],
    [{ events: SECRET }, "events: expected an array, got another string"],
    [{ base64: SECRET }, "base64: expected a batch in JSON, got another string"],
  ])("is told what was expected: %j", (value, message) => {
    expect(() => readRecord(value)).toThrow(LineProblem);
    expect(() => readRecord(value)).toThrow(expect.objectContaining({ message }) as Error);
    expect(message).not.toContain(SECRET);
  });
});

describe("events", () => {
  const event = (interactionType: string, rest: object = {}, sessionId = "s"): object => ({
    eventId: `${interactionType}-1`,
    agentId: "agent",
    sessionId,
    timestamp: 1_700_000_000_000,
    interactionType,
    ...rest,
  });

  it("are found in a batch, in a wrapped one, and alone", () => {
    const batch = { batchId: "b", events: [event("user_message", { content: "Hi" })] };
    const base64 = Buffer.from(JSON.stringify(batch, null, 2)).toString("base64");
    for (const value of [batch, { base64 }, batch.events[0]])
      expect(readRecord(value)).toEqual({ kind: "events", events: batch.events });
  });

  it("make up exchanges by session, with tools and what the metadata says", () => {
    const sessions = new EventSessions();
    const stream = [
      event("conversation_start"),
      event("user_message", { content: "Hi" }),
      event("user_message", { content: "Other" }, "t"),
      event("tool_call", { toolName: "pay", toolParameters: { amount: 1 } }),
      event("tool_result", { toolName: "pay", toolResult: "no", success: false }),
      event("agent_response", { content: "Paid.", metadata: { riskFactors: ["pep"] } }),
      event("user_message", { content: "Bye" }),
    ];
    const taken = stream.flatMap((value, index) => sessions.take(value, index + 1, "events[0]"));
    expect([...taken, ...sessions.end()]).toEqual([
      {
        context: {
          agentId: "agent",
          sessionId: "s",
          timestamp: 1_700_000_000_000,
          userMessage: "Hi",
          agentResponse: "Paid.",
          toolsUsed: [{ name: "pay", parameters: { amount: 1 }, result: "no", success: false }],
          metadata: { riskFactors: ["pep"] },
          riskFactors: ["pep"],
        },
        userTurn: 1,
        agentTurn: 2,
        sessionId: "s",
        line: 6,
        eventId: "agent_response-1",
        isNewSession: true,
      },
      expect.objectContaining({
        context: { agentId: "agent", sessionId: "t", userMessage: "Other" },
        line: 3,
        isNewSession: true,
      }),
      expect.objectContaining({
        context: { agentId: "agent", sessionId: "s", userMessage: "Bye" },
        line: 7,
        userTurn: 3,
        isNewSession: false,
      }),
    ]);
  });

  it("of more sessions than are followed end the one that was silent longest", () => {
    const sessions = new EventSessions();
    const found = Array.from({ length: 10_001 }, (_, index) =>
      sessions.take(event("user_message", { content: "Hi" }, `s-${index}`), 1, ""),
    ).flat();
    expect(found).toEqual([expect.objectContaining({ sessionId: "s-0" })]);
  });

  it("without a session are told", () => {
    const sessions = new EventSessions();
    expect(() => sessions.take({ agentId: "a" }, 1, "events[3]")).toThrow(
      "events[3].sessionId: expected agentId and sessionId as strings, got nothing",
    );
    expect(() => sessions.take(null, 1, "events[3]")).toThrow(
      "events[3]: expected an event, got null",
    );
  });
});
