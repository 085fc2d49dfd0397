import { context, propagation, ROOT_CONTEXT } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import type { BridgedEvent } from "../../src/bridge/bridged-event.ts";
import type { BridgeSpan } from "../../src/bridge/bridge-span.ts";
import { EventBridge, type EventBridgeOptions } from "../../src/bridge/event-bridge.ts";
import { createCollectingLog } from "../helpers/exporter.ts";
import { createFakeClock } from "../helpers/clock.ts";

type Message = Record<string, unknown>;

const user = (content: unknown): Message => ({ role: "user", parts: [{ type: "text", content }] });
const agent = (content: string): Message => ({
  role: "assistant",
  parts: [{ type: "text", content }],
});
const asks = (id: string | undefined, name: string, args: object): Message => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name, arguments: args }],
});
const returns = (id: string | undefined, response: unknown): Message => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});

interface Given {
  readonly id: string;
  readonly parent?: string;
  readonly trace?: string;
  readonly at?: number;
  readonly until?: number;
  readonly scope?: string;
  readonly attributes?: Record<string, unknown>;
  readonly failed?: string;
}

const toId = (text: string, length: number): string =>
  Buffer.from(text).toString("hex").padEnd(length, "0").slice(0, length);

function span({ id, parent, trace = "t", at = 0, until = at + 10, ...more }: Given): BridgeSpan {
  const traceId = toId(trace, 32);
  return {
    name: id,
    spanContext: () => ({ traceId, spanId: toId(id, 16), traceFlags: 1 }),
    parentSpanContext:
      parent === undefined ? undefined : { traceId, spanId: toId(parent, 16), traceFlags: 1 },
    startTime: [1_700_000_000, at * 1e6],
    endTime: [1_700_000_000, until * 1e6],
    status: more.failed === undefined ? { code: 0 } : { code: 2, message: more.failed },
    attributes: more.attributes ?? {},
    events: [],
    instrumentationScope: { name: more.scope ?? "client" },
    resource: { attributes: { "service.name": "shop" } },
  };
}

const call = (input: Message[], output: Message[], more: object = {}) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": JSON.stringify(input),
  ...(output.length > 0 && { "gen_ai.output.messages": JSON.stringify(output) }),
  ...more,
});
const tokens = (input: number, output: number) => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
});
const run = (name: string, more: object = {}) => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": name,
  ...more,
});
const tool = (name: string, id: string | undefined, args: object, result?: unknown) => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  ...(id !== undefined && { "gen_ai.tool.call.id": id }),
  "gen_ai.tool.call.arguments": JSON.stringify(args),
  ...(result !== undefined && { "gen_ai.tool.call.result": JSON.stringify(result) }),
});

function start(options: Partial<EventBridgeOptions> = {}) {
  const clock = createFakeClock();
  const told: BridgedEvent[] = [];
  const bridge = new EventBridge({ clock, onEvent: (event) => told.push(event), ...options });
  return {
    clock,
    bridge,
    told,
    /** Starts all spans, outer ones first, and ends them in the given order. */
    runs: (...spans: BridgeSpan[]): void => {
      for (const one of spans.toReversed()) bridge.onStart(one, ROOT_CONTEXT);
      for (const one of spans) bridge.onEnd(one);
    },
    /** Gives what was told as `kind content`, everything that waits included. */
    all: (): string[] => {
      bridge.shutdown();
      return told.map(({ interaction }) => {
        const { kind, content, toolName, toolResult, toolParameters, error } = interaction;
        const value = content ?? (error as Error | undefined)?.message ?? toolName ?? "";
        const more = toolResult === undefined ? toolParameters : toolResult;
        return `${kind} ${value}${more === undefined ? "" : ` ${JSON.stringify(more)}`}`;
      });
    },
  };
}

const FEE = { account: "blue" };
const LOOP = [
  "user_message Fee?",
  'tool_call get_fee {"account":"blue"}',
  'tool_result get_fee {"fee":0}',
  "agent_response Nothing.",
];

describe("EventBridge", () => {
  it("tells a tool loop once, however often its history is sent along", () => {
    const { runs, all, told } = start();
    runs(
      span({
        id: "c1",
        at: 0,
        attributes: call([user("Fee?")], [asks("k", "get_fee", FEE)], tokens(9, 3)),
      }),
      span({ id: "x", at: 12, attributes: tool("get_fee", "k", FEE, { fee: 0 }) }),
      span({
        id: "c2",
        at: 30,
        attributes: call(
          [user("Fee?"), asks("k", "get_fee", FEE), returns("k", { fee: 0 })],
          [agent("Nothing.")],
          tokens(12, 2),
        ),
      }),
    );
    expect(all()).toEqual(LOOP);
    // Tokens once: the first call's on the tool that it asked for.
    expect(told.map(({ metadata }) => metadata["tokensUsed"])).toEqual([
      undefined,
      { input: 9, output: 3, total: 12 },
      undefined,
      { input: 12, output: 2, total: 14 },
    ]);
    expect(told[2]?.interaction.executionTime).toBe(10);
  });

  it("goes on with a loop whose calls are in traces of their own", () => {
    const { runs, all, told } = start();
    runs(
      span({
        id: "c1",
        trace: "one",
        attributes: call([user("Fee?")], [asks("k", "get_fee", FEE)]),
      }),
    );
    runs(
      span({
        id: "c2",
        trace: "two",
        at: 20,
        attributes: call(
          [user("Fee?"), asks("k", "get_fee", FEE), returns("k", { fee: 0 })],
          [agent("Nothing.")],
        ),
      }),
    );
    expect(all()).toEqual(LOOP);
    expect(new Set(told.map(({ interaction }) => interaction.sessionId)).size).toBe(1);
  });

  it("tells only what is new of a conversation, and the same words again when they are said again", () => {
    const { runs, all } = start();
    const more = { "session.id": "s" };
    runs(span({ id: "c1", trace: "one", attributes: call([user("Yes")], [agent("Fine.")], more) }));
    const history = [user("Yes"), agent("Fine."), user("Yes")];
    runs(
      span({ id: "c2", trace: "two", at: 50, attributes: call(history, [agent("Good.")], more) }),
    );
    expect(all()).toEqual([
      "user_message Yes",
      "agent_response Fine.",
      "user_message Yes",
      "agent_response Good.",
    ]);
  });

  it("merges a framework's call, the client's below it and the agent around them", () => {
    const { runs, all, told, bridge } = start();
    runs(
      span({
        id: "in",
        parent: "mid",
        at: 3,
        until: 8,
        scope: "a",
        attributes: call([user("Hi")], [agent("Hello.")], tokens(5, 2)),
      }),
      span({
        id: "mid",
        parent: "out",
        at: 2,
        until: 9,
        scope: "b",
        attributes: call([user("Hi")], [agent("Hello.")], { ...tokens(5, 2), "user.id": "u" }),
      }),
      span({
        id: "out",
        at: 1,
        until: 10,
        scope: "b",
        attributes: run("teller", { ...tokens(5, 2), "session.id": "s" }),
      }),
    );
    expect(all()).toEqual(["user_message Hi", "agent_response Hello."]);
    expect(told[1]).toMatchObject({
      interaction: { agentId: "teller", sessionId: "s", userId: "u" },
      metadata: { tokensUsed: { input: 5, output: 2, total: 7 }, llmLatency: 5 },
    });
    expect(bridge.stats()).toMatchObject({ spans: 3, merged: 1, events: 2 });
  });

  it("merges a client's span in a trace of its own with the framework's", () => {
    const { runs, all } = start();
    runs(
      span({
        id: "client",
        trace: "one",
        at: 2,
        until: 8,
        scope: "client",
        attributes: call([user("Hi")], [agent("Hello.")]),
      }),
      span({
        id: "framework",
        trace: "two",
        at: 1,
        until: 9,
        scope: "framework",
        attributes: call([user("Hi")], [agent("Hello.")]),
      }),
    );
    expect(all()).toEqual(["user_message Hi", "agent_response Hello."]);
  });

  it.each([
    ["the longer of two that began together", "client", 9, 0],
    ["the longer of two that began together, whichever comes first", "client", 9, 1],
    ["another one than that of fetch", "agent-monitor/fetch", 7, 0],
    ["another one than that of fetch, whichever comes first", "agent-monitor/fetch", 7, 1],
  ])("takes for the outer of two spans of one call %s", (_, scope, until, turn) => {
    const { runs, all, told } = start();
    const spans = [
      span({
        id: "client",
        trace: "one",
        at: 1,
        until: 8,
        scope,
        attributes: call([user("Hi")], [], { "error.type": "invalid_request_error" }),
        failed: "no such key",
      }),
      span({
        id: "framework",
        trace: "two",
        at: 1,
        until,
        scope: "framework",
        attributes: call([user("Hi")], [], { "error.type": "Error" }),
        failed: "Error: 401 no such key",
      }),
    ];
    runs(...(turn === 0 ? spans : spans.toReversed()));
    expect(all()).toEqual(["user_message Hi", "error no such key"]);
    expect(told[1]?.interaction.error).toMatchObject({ name: "invalid_request_error" });
  });

  it("waits for children that end after their parent", async () => {
    const { bridge, clock, told } = start();
    const child = span({
      id: "in",
      parent: "out",
      at: 2,
      attributes: call([user("Hi")], [agent("Hello.")]),
    });
    const parent = span({ id: "out", attributes: run("teller") });
    bridge.onStart(parent, ROOT_CONTEXT);
    bridge.onStart(child, ROOT_CONTEXT);
    bridge.onEnd(parent);
    await clock.advance(5000);
    expect(told).toEqual([]);
    bridge.onEnd(child);
    await clock.advance(1000);
    expect(told).toHaveLength(2);
  });

  it("tells spans whose parents are missing after a while, without their starts", async () => {
    const { bridge, clock, told } = start();
    bridge.onEnd(
      span({ id: "c", parent: "elsewhere", attributes: call([user("Hi")], [agent("Hello.")]) }),
    );
    await clock.advance(1000);
    expect(told).toEqual([]);
    await clock.advance(2000);
    expect(told).toHaveLength(2);
  });

  it("takes log records that come before their span, and calls of which nothing else is known", () => {
    const { bridge, all } = start();
    const record = (name: string, body: unknown, id: string) => ({
      hrTime: [1_700_000_000, id === "c" ? 0 : 5e6] as [number, number],
      eventName: name,
      attributes: {},
      body,
      spanContext: { traceId: toId("t", 32), spanId: toId(id, 16), traceFlags: 1 },
    });
    bridge.onLogRecord(record("gen_ai.user.message", { content: "Hi" }, "c"));
    bridge.onLogRecord(record("gen_ai.choice", { message: { content: "Hello." } }, "c"));
    bridge.onEnd(span({ id: "c", attributes: { "gen_ai.operation.name": "chat" } }));
    bridge.onLogRecord(record("gen_ai.user.message", { content: "More?" }, "lost"));
    expect(all()).toEqual([
      "user_message Hi",
      "agent_response Hello.",
      "user_message More?",
      "agent_response ",
    ]);
  });

  it("gives spans up that never end, and tells once of an answer that nobody has seen", async () => {
    const { bridge, clock, told } = start();
    bridge.onStart(span({ id: "out", attributes: run("teller") }), ROOT_CONTEXT);
    bridge.onStart(
      span({ id: "in", parent: "out", at: 1, attributes: call([user("Hi")], []) }),
      ROOT_CONTEXT,
    );
    await clock.advance(11 * 60_000);
    const kinds = told.map(({ interaction }) => interaction.kind);
    expect(kinds).toEqual(["user_message", "agent_response"]);
    const [, answer] = told;
    expect(answer?.metadata).toMatchObject({ captured: false, notCaptured: "span_never_ended" });
    expect(answer?.metadata).not.toHaveProperty("llmLatency");
    expect(bridge.stats()).toMatchObject({ abandoned: 2, waiting: 0 });
  });

  it("takes a call that never ended for failed only if one failed while it began", async () => {
    for (const [until, expected] of [
      [20, ["user_message Hi", "error refused"]],
      [5, ["user_message Hi", "agent_response ", "user_message ", "error refused"]],
    ] as const) {
      const { bridge, all } = start();
      const at = 12;
      const attributes = call([user("Hi")], []);
      bridge.onStart(span({ id: "in", trace: "in", at, attributes, scope: "inner" }), ROOT_CONTEXT);
      const outer = { id: "out", trace: "out", scope: "outer", until, failed: "refused" };
      const nameless = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5" };
      bridge.onEnd(span({ ...outer, attributes: nameless }));
      expect(all().toSorted()).toEqual([...expected].toSorted());
    }
  });

  it("marks what a limit cut of a tool's arguments and results, in its span or a message", () => {
    const { bridge, told, all } = start();
    const cut = { "gen_ai.tool.call.result": '{"fee":0,"note":"no fee in the fir' };
    bridge.onEnd(span({ id: "t1", attributes: { ...tool("get_fee", "c1", FEE), ...cut } }));
    const [asked, result] = [asks("c2", "get_rate", {}), returns("c2", '[{"rate":3},{"ra')];
    const input = [user("Rate?"), asked, result];
    bridge.onEnd(span({ id: "m", trace: "m", attributes: call(input, [agent("3 %.")]) }));
    const args = { "gen_ai.tool.call.arguments": '{"account":"bl' };
    const whole = { "gen_ai.tool.call.result": '{"fee":0}' };
    const attributes = { ...tool("get_fee", "c3", {}), ...args, ...whole };
    bridge.onEnd(span({ id: "t3", trace: "t3", attributes }));
    all();
    const marks = told.map(({ interaction, metadata }) => [
      interaction.kind,
      metadata["truncated"],
    ]);
    expect(marks).toEqual([
      ["tool_call", undefined],
      ["tool_result", true],
      ["user_message", undefined],
      ["tool_call", undefined],
      ["tool_result", true],
      ["agent_response", undefined],
      ["tool_call", true],
      ["tool_result", undefined],
    ]);
  });

  it("gives hundreds of calls of one span ids of their own, in the order in which they happened", () => {
    const { bridge, told, all } = start();
    const calls = Array.from({ length: 400 }, (_, index) =>
      asks(`c${index}`, "get_fee", { index }),
    );
    bridge.onEnd(span({ id: "m", attributes: call([user("Fees?")], calls) }));
    all();
    const ids = told.map(({ eventId }) => eventId);
    expect(ids).toHaveLength(401);
    expect(new Set(ids).size).toBe(401);
    expect(ids.slice(0, 257)).toEqual(ids.slice(0, 257).toSorted());
  });

  it("waits while a call of another instrumentation is open that may be the same, however many others are", async () => {
    const { bridge, clock, told } = start();
    const question = { attributes: call([user("Hi")], [agent("Hello.")]) };
    for (let index = 0; index < 300; index++) {
      bridge.onStart(span({ id: `o${index}`, trace: `o${index}`, ...question }), ROOT_CONTEXT);
    }
    const outer = span({
      id: "out",
      trace: "a",
      scope: "framework",
      at: 1,
      until: 20,
      ...question,
    });
    const inner = span({ id: "in", trace: "b", at: 2, until: 18, ...question });
    for (const one of [outer, inner]) bridge.onStart(one, ROOT_CONTEXT);
    bridge.onEnd(inner);
    await clock.advance(1000);
    expect(told).toEqual([]);
    bridge.onEnd(outer);
    await clock.advance(1000);
    expect(told.map(({ interaction }) => interaction.content)).toEqual(["Hi", "Hello."]);
  });

  it("does not wait for an open call that began when the other one was over, nor for one of its own instrumentation", async () => {
    const { bridge, clock, told } = start();
    const question = { attributes: call([user("Hi")], [agent("Hello.")]) };
    const one = span({ id: "in", trace: "b", at: 2, until: 18, ...question });
    bridge.onStart(one, ROOT_CONTEXT);
    bridge.onStart(span({ id: "own", trace: "c", at: 3, ...question }), ROOT_CONTEXT);
    const later = { id: "late", trace: "d", scope: "framework", at: 19 };
    bridge.onStart(span({ ...later, ...question }), ROOT_CONTEXT);
    bridge.onEnd(one);
    await clock.advance(1000);
    expect(told.map(({ interaction }) => interaction.content)).toEqual(["Hi", "Hello."]);
  });

  it("takes a call that was broken off below an agent that ended well for one without an answer", () => {
    const { bridge, all, told } = start();
    const agentSpan = span({ id: "out", attributes: run("teller") });
    bridge.onStart(agentSpan, ROOT_CONTEXT);
    bridge.onStart(
      span({ id: "in", parent: "out", at: 1, attributes: call([user("Hi")], []) }),
      ROOT_CONTEXT,
    );
    bridge.onEnd(agentSpan);
    expect(all()).toEqual(["user_message Hi", "agent_response "]);
    expect(told[1]?.metadata).toMatchObject({ captured: false });
  });

  it("tells one failure once, though three spans carry it, and no answer with it", () => {
    const { runs, all, told } = start();
    const failed = "429 Too many requests";
    runs(
      span({ id: "in", parent: "mid", at: 3, failed, attributes: call([user("Hi")], []) }),
      span({
        id: "mid",
        parent: "out",
        at: 2,
        failed,
        scope: "b",
        attributes: call([user("Hi")], []),
      }),
      span({ id: "out", at: 1, failed, attributes: run("teller") }),
    );
    expect(all()).toEqual(["user_message Hi", "error 429 Too many requests"]);
    expect(told[1]?.metadata).toMatchObject({ errorCode: "429" });
  });

  it("tells that a tool failed, and the answer all the same", () => {
    const { runs, all, told } = start();
    const failed = "out of order";
    runs(
      span({
        id: "c1",
        parent: "out",
        at: 1,
        attributes: call([user("Fee?")], [asks("k", "get_fee", FEE)]),
      }),
      span({ id: "x", parent: "out", at: 12, failed, attributes: tool("get_fee", "k", FEE) }),
      // Frameworks leave the tool's failure on spans that went well.
      span({
        id: "c2",
        parent: "out",
        at: 30,
        failed,
        attributes: call(
          [user("Fee?"), asks("k", "get_fee", FEE), returns("k", "no")],
          [agent("Sorry.")],
        ),
      }),
      span({ id: "out", at: 0, until: 50, failed, attributes: run("teller") }),
    );
    expect(all()).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"account":"blue"}',
      "tool_result get_fee null",
      "agent_response Sorry.",
    ]);
    expect(told[2]?.metadata).toMatchObject({ success: false, toolError: failed });
  });

  it("tells an agent that works for another one without questions and answers", () => {
    const { runs, all, told } = start();
    const task = { question: "Fee of blue?" };
    runs(
      span({
        id: "m1",
        parent: "main",
        at: 1,
        until: 5,
        attributes: call([user("Fee?")], [asks("k", "ask_desk", task)]),
      }),
      span({
        id: "s1",
        parent: "sub",
        at: 8,
        until: 9,
        attributes: call([user("Fee of blue?")], [asks("j", "get_fee", FEE)]),
      }),
      span({
        id: "y",
        parent: "sub",
        at: 10,
        until: 11,
        attributes: tool("get_fee", "j", FEE, { fee: 0 }),
      }),
      span({
        id: "s2",
        parent: "sub",
        at: 12,
        until: 14,
        attributes: call(
          [user("Fee of blue?"), asks("j", "get_fee", FEE), returns("j", { fee: 0 })],
          [agent("None.")],
          tokens(7, 1),
        ),
      }),
      span({ id: "sub", parent: "x", at: 7, until: 15, attributes: run("desk") }),
      span({
        id: "x",
        parent: "main",
        at: 6,
        until: 16,
        attributes: tool("ask_desk", "k", task, "None."),
      }),
      span({
        id: "m2",
        parent: "main",
        at: 20,
        until: 25,
        attributes: call(
          [user("Fee?"), asks("k", "ask_desk", task), returns("k", "None.")],
          [agent("Nothing.")],
        ),
      }),
      span({ id: "main", at: 0, until: 30, attributes: run("teller") }),
    );
    expect(all()).toEqual([
      "user_message Fee?",
      'tool_call ask_desk {"question":"Fee of blue?"}',
      'tool_call get_fee {"account":"blue"}',
      'tool_result get_fee {"fee":0}',
      'tool_result ask_desk "None."',
      "agent_response Nothing.",
    ]);
    expect(told[2]).toMatchObject({
      interaction: { agentId: "desk" },
      metadata: { parentAgent: "teller" },
    });
    expect(told[4]?.metadata).toMatchObject({ tokensUsed: { input: 7, output: 1, total: 8 } });
  });

  it("pairs tools without ids by name and order", () => {
    const { runs, all } = start();
    const both = [
      asks(undefined, "get_fee", { account: "a" }),
      asks(undefined, "get_fee", { account: "b" }),
    ];
    runs(
      span({ id: "c1", at: 0, attributes: call([user("Fees?")], both) }),
      span({
        id: "c2",
        at: 20,
        attributes: call(
          [user("Fees?"), ...both, returns(undefined, 1), returns(undefined, 2)],
          [agent("1 and 2.")],
        ),
      }),
    );
    expect(all()).toEqual([
      "user_message Fees?",
      'tool_call get_fee {"account":"a"}',
      'tool_call get_fee {"account":"b"}',
      "tool_result get_fee 1",
      "tool_result get_fee 2",
      "agent_response 1 and 2.",
    ]);
  });

  it("marks what was not captured and what was cut", () => {
    const { runs, told, bridge } = start();
    runs(span({ id: "c1", trace: "one", attributes: { "gen_ai.operation.name": "chat" } }));
    const whole = call([user("What does the blue account cost?")], [agent("Nothing at all.")]);
    const cut = {
      ...whole,
      "gen_ai.output.messages": String(whole["gen_ai.output.messages"]).slice(0, -12),
    };
    runs(span({ id: "c2", trace: "two", attributes: cut }));
    bridge.shutdown();
    expect(
      told.map(({ interaction, metadata }) => [
        interaction.content,
        metadata["captured"],
        metadata["truncated"],
      ]),
    ).toEqual([
      ["", false, undefined],
      ["", false, undefined],
      ["What does the blue account cost?", undefined, undefined],
      [expect.stringMatching(/^Nothing/), undefined, true],
    ]);
    expect(bridge.stats().cut).toBe(1);
  });

  it("takes session and user from baggage", () => {
    const { bridge, told } = start();
    const baggage = propagation.createBaggage({
      "session.id": { value: "s-9" },
      "user.id": { value: "u-9" },
    });
    const one = span({ id: "c", attributes: call([user("Hi")], [agent("Hello.")]) });
    bridge.onStart(one, propagation.setBaggage(context.active(), baggage));
    bridge.onEnd(one);
    bridge.shutdown();
    expect(told[0]?.interaction).toMatchObject({
      sessionId: "s-9",
      userId: "u-9",
      agentId: "shop",
    });
  });

  it("knows a span that comes twice", () => {
    const { bridge, all } = start();
    const one = span({ id: "c", attributes: call([user("Hi")], [agent("Hello.")]) });
    bridge.onEnd(one);
    bridge.onEnd(one);
    bridge.flush();
    bridge.onEnd(one);
    expect(bridge.stats().repeated).toBe(2);
    expect(all()).toHaveLength(2);
  });
});

describe("bad input", () => {
  const odd = [
    "[[[[",
    "{",
    '[{"role":"user"',
    "",
    7,
    null,
    [null],
    {},
    { role: 1 },
    true,
    Symbol("x"),
    1n,
  ];

  it.each(odd.map((value, index) => [index, value]))(
    "survives attributes of any type (%i)",
    (_, value) => {
      const { runs, bridge, all } = start();
      const keys = Object.keys({
        ...call([user("Hi")], [agent("Hello.")]),
        ...tool("t", "i", {}),
        ...run("a"),
        ...tokens(1, 1),
      });
      const attributes = Object.fromEntries(keys.map((key) => [key, value]));
      runs(
        span({ id: "c", attributes }),
        span({ id: "d", attributes: { ...attributes, "gen_ai.operation.name": "chat" } }),
      );
      expect(() => all()).not.toThrow();
      expect(bridge.stats().waiting).toBe(0);
    },
  );

  it("survives attributes that throw, and counts them", () => {
    const { bridge, all } = start();
    const attributes = {
      "gen_ai.operation.name": "chat",
      get "gen_ai.input.messages"(): string {
        throw new Error("no");
      },
    };
    bridge.onEnd(span({ id: "c", attributes }));
    expect(all()).toEqual([]);
    expect(bridge.stats().malformed).toBeGreaterThan(0);
  });

  it("says that a message of which nobody can tell what it belongs to makes no event", () => {
    const { log, lines } = createCollectingLog(createFakeClock());
    const { bridge, all } = start({ log });
    const choice = { eventName: "gen_ai.choice", attributes: {}, body: { message: "Hello." } };
    expect(bridge.onLogRecord(choice)).toBe("no_trace_context");
    expect(all()).toEqual([]);
    expect(bridge.stats()).toMatchObject({ dropped: 1, malformed: 0 });
    expect(lines).toMatchObject([
      { level: "warn", message: expect.stringContaining("expected a trace context") },
    ]);
  });

  it("reads 10,000 messages in one span", () => {
    const { runs, all } = start();
    const history = Array.from({ length: 5000 }, (_, index) => [
      user(`q${index}`),
      agent(`a${index}`),
    ]).flat();
    runs(span({ id: "c", attributes: call([...history, user("Last?")], [agent("Yes.")]) }));
    expect(all()).toEqual(["user_message Last?", "agent_response Yes."]);
  });

  it("survives cycles of parents, and chains that are deeper than any", () => {
    const { bridge, all } = start();
    const hi = call([user("Hi")], [agent("Hello.")]);
    bridge.onEnd(span({ id: "a", parent: "b", attributes: run("one") }));
    bridge.onEnd(span({ id: "b", parent: "a", attributes: run("two") }));
    bridge.onEnd(span({ id: "self", parent: "self", attributes: hi }));
    for (let depth = 0; depth < 1500; depth++) {
      bridge.onEnd(
        span({ id: `n${depth}`, parent: `n${depth + 1}`, trace: "deep", attributes: run("x") }),
      );
    }
    expect(() => all()).not.toThrow();
  });

  it("keeps no more traces and spans than it may, and loses none of them", () => {
    const { bridge, told } = start({ limits: { maxTraces: 10, maxSpans: 20, maxBytes: 50_000 } });
    for (let index = 0; index < 100; index++) {
      bridge.onEnd(
        span({
          id: `c${index}`,
          trace: `t${index}`,
          attributes: call([user("Hi")], [agent("Hello.")]),
        }),
      );
    }
    expect(bridge.stats().waiting).toBeLessThanOrEqual(10);
    bridge.shutdown();
    expect(told).toHaveLength(200);
  });

  it("goes on when the one who gets the events throws", () => {
    const kinds: string[] = [];
    const bridge = new EventBridge({
      onEvent({ interaction }) {
        kinds.push(interaction.kind);
        throw new Error("full");
      },
    });
    bridge.onEnd(
      span({ id: "a", trace: "one", attributes: call([user("Hi")], [agent("Hello.")]) }),
    );
    bridge.onEnd(
      span({ id: "b", trace: "two", attributes: call([user("Hi")], [agent("Hello.")]) }),
    );
    expect(() => bridge.shutdown()).not.toThrow();
    expect(kinds).toHaveLength(2);
  });
});
