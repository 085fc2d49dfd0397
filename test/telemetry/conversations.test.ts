import { INVALID_SPAN_CONTEXT, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../src/events/base-event.ts";
import { Conversations, noteEvent, type Conversation } from "../../src/telemetry/conversations.ts";
import { BoundedMap } from "../../src/util/bounded-map.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { example, type Given } from "../helpers/events.ts";

function create(idleTimeout = 30 * 60_000) {
  const clock = createFakeClock();
  const abandoned: string[] = [];
  let failure: Error | undefined;
  const conversations = new Conversations({
    clock,
    idleTimeout,
    onAbandon: ({ identity }) => {
      abandoned.push(identity.sessionId);
      if (failure) throw failure;
    },
  });
  const touch = (sessionId: string, conversationId?: string) =>
    conversations.touch({ agentId: "a", sessionId, conversationId });
  return { clock, abandoned, conversations, touch, failWith: (error: Error) => (failure = error) };
}

describe("running conversations", () => {
  it("are new once", () => {
    const { touch, conversations } = create();
    const first = touch("s1");
    expect(first.isNew).toBe(true);
    expect(touch("s1")).toEqual({ conversation: first.conversation, isNew: false });
    expect(conversations.size).toBe(1);
  });

  it("are told apart by agent, and by conversation or else session", () => {
    const { touch, conversations } = create();
    touch("s1");
    touch("s2");
    touch("s1", "c1");
    expect(touch("s2", "c1").isNew).toBe(false);
    conversations.touch({ agentId: "b", sessionId: "s1" });
    expect(conversations.size).toBe(4);
  });

  it("are not mixed up by names that look alike", () => {
    const { conversations } = create();
    conversations.touch({ agentId: "a", sessionId: "b c" });
    expect(conversations.touch({ agentId: "a b", sessionId: "c" }).isNew).toBe(true);
  });

  it("remember who, and nothing else of the first event", () => {
    const { conversations } = create();
    const interaction = {
      agentId: "a",
      sessionId: "s",
      conversationId: "c",
      userId: "u",
      content: "x".repeat(1000),
      kind: "user_message",
    };
    expect(conversations.touch(interaction).conversation.identity).toEqual({
      agentId: "a",
      sessionId: "s",
      conversationId: "c",
      userId: "u",
    });
  });

  it("begin again after their end", () => {
    const { touch, conversations, abandoned } = create();
    conversations.end(touch("s1").conversation);
    expect(conversations.size).toBe(0);
    expect(touch("s1").isNew).toBe(true);
    expect(abandoned).toEqual([]);
  });

  it("are 10,000 at most: the one used longest ago is given up", () => {
    const { touch, conversations, abandoned } = create();
    for (let index = 0; index < 10_000; index++) touch(`s${index}`);
    touch("s0");
    touch("one more");
    expect(conversations.size).toBe(10_000);
    expect(abandoned).toEqual(["s1"]);
  });

  it("are given up when they are idle, and not before", async () => {
    const { clock, touch, abandoned, conversations } = create(30 * 60_000);
    touch("s1");
    await clock.advance(20 * 60_000);
    touch("s2");
    await clock.advance(9 * 60_000);
    expect(abandoned).toEqual([]);
    await clock.advance(2 * 60_000);
    expect(abandoned).toEqual(["s1"]);
    touch("s2");
    await clock.advance(29 * 60_000);
    expect(abandoned).toEqual(["s1"]);
    await clock.advance(2 * 60_000);
    expect(abandoned).toEqual(["s1", "s2"]);
    expect(conversations.size).toBe(0);
  });

  it("don't age when somebody sets the clock", async () => {
    const { clock, touch, abandoned } = create();
    touch("s1");
    clock.jump(1e10);
    await clock.advance(60_000);
    expect(abandoned).toEqual([]);
  });

  it("need one timer, and none when there is none", async () => {
    const { clock, touch, conversations } = create(1000);
    expect(clock.pending).toBe(0);
    for (let index = 0; index < 50; index++) touch(`s${index}`);
    expect(clock.pending).toBe(1);
    await clock.advance(3000);
    expect(conversations.size).toBe(0);
    expect(clock.pending).toBe(0);
    touch("s1");
    expect(clock.pending).toBe(1);
  });

  it("are all given up at the close, and no timer stays", async () => {
    const { clock, touch, conversations, abandoned } = create();
    touch("s1");
    touch("s2");
    conversations.close();
    expect(abandoned).toEqual(["s1", "s2"]);
    expect(conversations.size).toBe(0);
    expect(clock.pending).toBe(0);
    touch("s3");
    await clock.advance(31 * 60_000);
    expect(abandoned).toEqual(["s1", "s2", "s3"]);
  });

  it("are given up, all of them, although that fails", async () => {
    const { clock, touch, conversations, abandoned, failWith } = create();
    failWith(new Error("a processor of the application"));
    for (let index = 0; index <= 10_000; index++) touch(`s${index}`);
    expect(abandoned).toEqual(["s0"]);
    await clock.advance(31 * 60_000);
    expect(abandoned.length).toBe(10_001);
    touch("a");
    touch("b");
    expect(() => conversations.close()).not.toThrow();
    expect(abandoned.slice(-2)).toEqual(["a", "b"]);
  });
});

describe("what is known of a conversation", () => {
  const begin = (): {
    conversation: Conversation;
    note: (kind: EventType, given?: Given, at?: number) => void;
  } => {
    const { conversation } = create().touch("s1");
    const note = (kind: EventType, given: Given = {}, at = 0): void =>
      noteEvent(conversation, { ...example(kind, given), timestamp: conversation.startedAt + at });
    return { conversation, note };
  };

  it("is summed up", () => {
    const { conversation, note } = begin();
    expect(conversation).toMatchObject({
      startedAt: conversation.startedAt,
      messageCount: 0,
      toolCallCount: 0,
      errorCount: 0,
      responseCount: 0,
    });
    note("conversation_start");
    note("user_message", {}, 1000);
    note("tool_call");
    note("tool_result");
    note("error");
    note("agent_response", {}, 1500);
    note("agent_response", {}, 9000);
    note("user_message", {}, 10_000);
    note("agent_response", {}, 11_500);
    note("compliance_violation");
    expect(conversation).toMatchObject({
      startedAt: conversation.startedAt,
      messageCount: 5,
      toolCallCount: 1,
      errorCount: 1,
      responseCount: 2,
      responseMillis: 2000,
    });
  });

  it("has no answer that took less than no time", () => {
    const { conversation, note } = begin();
    note("user_message", {}, 1000);
    note("agent_response", {}, 500);
    expect(conversation).toMatchObject({ responseCount: 1, responseMillis: 0 });
  });

  it("is the open question, within bounds", () => {
    const { conversation, note } = begin();
    note("user_message", { content: "x".repeat(100_000) }, 5);
    expect(conversation.openMessage?.content.length).toBe(8192);
    note("user_message", { content: "second" });
    expect(conversation.openMessage?.content).toBe("second");
    note("agent_response");
    expect(conversation.openMessage).toBeUndefined();
  });

  it("is the tools used since the last answer, with their results", () => {
    const { conversation, note } = begin();
    note("tool_call", { toolName: "a", toolParameters: { x: 1 } });
    expect(conversation.tools).toEqual([
      { name: "a", parameters: { x: 1 }, result: null, success: true },
    ]);
    note("tool_result", { toolName: "a", toolResult: { error: "limit" }, executionTime: 5 });
    expect(conversation.tools).toEqual([
      {
        name: "a",
        parameters: { x: 1 },
        result: { error: "limit" },
        success: false,
        executionTime: 5,
      },
    ]);
    note("tool_result", { toolName: "unasked", toolResult: 7 });
    expect(conversation.tools[1]).toMatchObject({ name: "unasked", parameters: null, result: 7 });
    note("agent_response");
    expect(conversation.tools).toEqual([]);
  });

  it("joins calls that run at the same time by their ids", () => {
    const { conversation, note } = begin();
    for (const id of ["1", "2"])
      note("tool_call", { toolName: "a", toolParameters: id, metadata: { toolCallId: id } });
    for (const id of ["1", "2"])
      note("tool_result", {
        toolName: "a",
        toolResult: `result ${id}`,
        metadata: { toolCallId: id },
      });
    expect(conversation.tools).toMatchObject([
      { parameters: "1", result: "result 1" },
      { parameters: "2", result: "result 2" },
    ]);
  });

  it("joins a result without an id to the last call that has none", () => {
    const { conversation, note } = begin();
    note("tool_call", { toolName: "a", toolParameters: 1, metadata: { toolCallId: "1" } });
    note("tool_result", { toolName: "a", toolResult: null });
    note("tool_result", { toolName: "a", toolResult: null });
    expect(conversation.tools.map(({ parameters }) => parameters)).toEqual([1, null]);
  });

  it("is ten tools at most, of a few kilobytes", () => {
    const { conversation, note } = begin();
    for (let index = 0; index < 50; index++) {
      note("tool_call", { toolName: `t${index}`, toolParameters: { text: "x".repeat(200_000) } });
      if (index % 2 === 0)
        note("tool_result", {
          toolName: `t${index}`,
          toolResult: Array.from({ length: 50_000 }, () => "row"),
        });
    }
    expect(conversation.tools.length).toBe(10);
    expect(conversation.tools.at(-1)?.name).toBe("t49");
    expect(JSON.stringify(conversation.tools).length).toBeLessThan(300_000);
  });

  it("does not change the event", () => {
    const { note } = begin();
    const parameters = Object.freeze({ list: Object.freeze([1]) });
    expect(() => note("tool_call", { toolName: "a", toolParameters: parameters })).not.toThrow();
  });
});

describe("conversations that end by hand while something in a turn goes on", () => {
  const withTurn = (conversation: Conversation) => {
    const turn = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    conversation.runTurns = new BoundedMap(10);
    conversation.runTurns.set(turn, turn);
    return () => conversation.runTurns?.delete(turn);
  };

  it("are given up a minute later, so that the turn ends", async () => {
    const { clock, abandoned, conversations, touch } = create();
    const { conversation } = touch("s1");
    withTurn(conversation);
    conversations.end(conversation);
    expect(conversations.size).toBe(0);
    await clock.advance(30_000);
    expect(abandoned).toEqual([]);
    await clock.advance(90_000);
    expect(abandoned).toEqual(["s1"]);
    expect(clock.pending).toBe(0);
  });

  it("are given up at the end of the process, and not at all when no turn is open", () => {
    const { abandoned, conversations, touch } = create();
    const [one, other] = [touch("s1").conversation, touch("s2").conversation];
    withTurn(one);
    withTurn(other)();
    for (const conversation of [one, other]) conversations.end(conversation);
    conversations.close();
    expect(abandoned).toEqual(["s1"]);
  });
});
