import { describe, expect, it } from "vitest";
import { agent, asks, chat, returns, text, tool } from "./gen-ai-attributes.ts";
import { exportSpans, replaySpans, type SpanGiven } from "./span-set.ts";

/** A question, a tool, an answer, below an agent. */
const LOOP: readonly SpanGiven[] = [
  { id: "agent", at: 0, until: 90, attributes: agent("Fees") },
  {
    id: "c1",
    parent: "agent",
    at: 1,
    until: 10,
    attributes: chat([text("user", "Fee?")], [asks("k", "get_fee", { a: 1 })]),
  },
  {
    id: "t",
    parent: "agent",
    at: 11,
    until: 20,
    attributes: tool("k", "get_fee", { a: 1 }, { fee: 0 }),
  },
  {
    id: "c2",
    parent: "agent",
    at: 30,
    until: 40,
    attributes: chat(
      [text("user", "Fee?"), asks("k", "get_fee", { a: 1 }), returns("k", { fee: 0 })],
      [text("assistant", "None.")],
    ),
  },
];
const LOOP_LINES = [
  "user_message Fee?",
  'tool_call get_fee {"a":1}',
  'tool_result get_fee {"fee":0}',
  "agent_response None.",
];

describe("spans in uncommon arrangements", () => {
  it("keeps two conversations apart whose turns alternate in one trace", () => {
    const turn = (id: string, at: number, conversation: string, asked: string[], said: string) => ({
      id,
      parent: "job",
      at,
      until: at + 8,
      attributes: chat(
        asked.map((content, index) => text(index % 2 === 0 ? "user" : "assistant", content)),
        [text("assistant", said)],
        { "gen_ai.conversation.id": conversation },
      ),
    });
    const { events } = replaySpans([
      { id: "job", scope: "worker", at: 0, until: 99 },
      turn("a1", 1, "one", ["Fee?"], "None."),
      turn("b1", 5, "two", ["Fee?"], "3."),
      turn("a2", 20, "one", ["Fee?", "None.", "Really?"], "Yes."),
      turn("b2", 25, "two", ["Fee?", "3.", "Really?"], "Sure."),
    ]);
    const of = (id: string) =>
      events
        .filter(({ interaction }) => interaction.conversationId === id)
        .map(({ interaction }) => `${interaction.kind} ${interaction.content}`);
    expect(events).toHaveLength(8);
    expect(of("one")).toEqual([
      "user_message Fee?",
      "agent_response None.",
      "user_message Really?",
      "agent_response Yes.",
    ]);
    expect(of("two")).toEqual([
      "user_message Fee?",
      "agent_response 3.",
      "user_message Really?",
      "agent_response Sure.",
    ]);
  });

  it("tells failed tries, and the question once", () => {
    const tried = (id: string, at: number, status: string) => ({
      id,
      parent: "agent",
      at,
      until: at + 5,
      attributes: chat([text("user", "Fee?")], [], { "error.type": status }),
      failed: "try again",
    });
    const { lines } = replaySpans([
      { id: "agent", at: 0, until: 90, attributes: agent("Fees") },
      tried("c1", 1, "503"),
      tried("c2", 20, "429"),
      {
        id: "c3",
        parent: "agent",
        at: 40,
        until: 50,
        attributes: chat([text("user", "Fee?")], [text("assistant", "None.")]),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "error 503", "error 429", "agent_response None."]);
  });

  it("tells the same of spans in any order", () => {
    const orders = [[...LOOP].toReversed(), [2, 0, 3, 1].flatMap((index) => LOOP[index] ?? [])];
    for (const order of orders) expect(exportSpans(order).lines).toEqual(LOOP_LINES);
  });

  it("tells the same where the agent around is missing", () => {
    expect(exportSpans(LOOP.slice(1)).lines).toEqual(LOOP_LINES);
  });

  it("tells a tool once that a framework, a client and a server of MCP have seen", () => {
    const mcp = (id: string, parent: string, scope: string, at: number, until: number) => ({
      id,
      parent,
      scope,
      name: "tools/call get_fee",
      at,
      until,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_fee",
        "mcp.session.id": "m",
      },
    });
    const { lines } = replaySpans([
      ...LOOP,
      mcp("client", "t", "mcp-client", 12, 19),
      mcp("server", "client", "mcp-server", 13, 18),
    ]);
    expect(lines).toEqual(LOOP_LINES);
  });

  it.each([
    ["an agent", true],
    ["nothing", false],
  ])(
    "orders what began in one millisecond by arrival, whoever says fractions, below %s",
    (_, isHeld) => {
      const parent = isHeld ? { parent: "agent" } : {};
      const input = [text("user", "Fee?")];
      const { lines } = exportSpans([
        {
          id: "c1",
          ...parent,
          at: 1,
          until: 5,
          attributes: chat(input, [asks("k", "get_fee", { a: 1 })]),
        },
        // The tool tells its times with fractions, the client of the model in whole milliseconds.
        {
          id: "t",
          ...parent,
          at: 5.3,
          until: 5.7,
          attributes: tool("k", "get_fee", { a: 1 }, { fee: 0 }),
        },
        {
          id: "c2",
          ...parent,
          at: 5,
          until: 5,
          attributes: chat(input, [text("assistant", "None.")]),
        },
        ...(isHeld ? LOOP.slice(0, 1) : []),
      ]);
      expect(lines).toEqual(LOOP_LINES);
    },
  );
});
