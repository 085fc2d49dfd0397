import { describe, expect, it } from "vitest";
import { DoubleMemory, type WatchedFact } from "../../src/bridge/double-watch.ts";

const said = (content: string, more: object = {}, session = "s1"): WatchedFact => ({
  interaction: { kind: "agent_response", sessionId: session, content },
  timestamp: 1000,
  ...more,
});
const GUESS = { isGuess: true };

describe("DoubleMemory", () => {
  it.each(["tracked", "bridged"] as const)("knows what came by the other way, first %s", (way) => {
    const memory = new DoubleMemory();
    const other = way === "tracked" ? "bridged" : "tracked";
    expect(memory.match(way, said("None."))).toBeUndefined();
    expect(memory.match(other, said(" None. "))).toBe("conversation");
    // One makes up for one: the next is an answer of its own.
    expect(memory.match(other, said("None."))).toBeUndefined();
    expect(memory.count).toBe(1);
  });

  it("never takes two of one way for the same", () => {
    const memory = new DoubleMemory();
    expect(memory.match("tracked", said("None."))).toBeUndefined();
    expect(memory.match("tracked", said("None."))).toBeUndefined();
  });

  it("takes nothing for the same that another conversation, another text or another minute has", () => {
    const memory = new DoubleMemory();
    memory.match("tracked", said("None."));
    expect(memory.match("bridged", said("None.", {}, "s2"))).toBeUndefined();
    expect(memory.match("bridged", said("Two."))).toBeUndefined();
    expect(memory.match("bridged", said("None.", { timestamp: 61_000 }))).toBeUndefined();
  });

  it("remembers 32 of the same, the newest, those that made up for another never in their place", () => {
    const memory = new DoubleMemory();
    const at = (timestamp: number): WatchedFact => said("None.", { timestamp });
    for (let index = 0; index < 20; index++) memory.match("tracked", at(1000 + index));
    for (let index = 0; index < 10; index++) memory.match("bridged", at(1000 + index));
    for (let index = 0; index < 23; index++) memory.match("tracked", at(2000 + index));
    const matches = Array.from({ length: 40 }, () => memory.match("bridged", at(2000)));
    expect(matches.filter((match) => match === "conversation")).toHaveLength(32);
    expect(memory.count).toBe(42);
  });

  it("goes by the text where a trace names no conversation", () => {
    const memory = new DoubleMemory();
    memory.match("tracked", said("None."));
    expect(memory.match("bridged", said("Two.", GUESS, "trace"))).toBeUndefined();
    expect(memory.match("bridged", said("None.", GUESS, "trace"))).toBe("text");
    memory.match("bridged", said("Three.", GUESS, "trace"));
    expect(memory.match("tracked", said("Three."))).toBe("text");
  });

  it("takes what was not captured for what was tracked in the same conversation, and in no other", () => {
    const memory = new DoubleMemory();
    memory.match("tracked", said("None."));
    const unseen = { isUnseen: true };
    expect(memory.match("bridged", said("", { ...unseen, ...GUESS }, "trace"))).toBeUndefined();
    expect(memory.match("bridged", said("", unseen, "s2"))).toBeUndefined();
    expect(memory.match("bridged", said("", unseen))).toBe("conversation");
  });

  it("knows a conversation by its id and by its session", () => {
    const memory = new DoubleMemory();
    const both = {
      kind: "user_message",
      sessionId: "s1",
      conversationId: "c1",
      content: "Hi",
    } as const;
    memory.match("tracked", { interaction: both, timestamp: 0 });
    const bridged = { kind: "user_message", sessionId: "c1", content: "Hi" } as const;
    expect(memory.match("bridged", { interaction: bridged, timestamp: 0 })).toBe("conversation");
  });

  it("compares tools by name and values, whether they are JSON text or not", () => {
    const memory = new DoubleMemory();
    const call = { kind: "tool_call", sessionId: "s1", toolName: "get_fee" } as const;
    memory.match("tracked", { interaction: { ...call, toolParameters: { a: 1 } }, timestamp: 0 });
    const other = { interaction: { ...call, toolParameters: { a: 2 } }, timestamp: 0 };
    expect(memory.match("bridged", other)).toBeUndefined();
    const same = { interaction: { ...call, toolParameters: '{"a":1}' }, timestamp: 0 };
    expect(memory.match("bridged", same)).toBe("conversation");
    const result = { ...call, kind: "tool_result", toolResult: { fee: 0 } } as const;
    memory.match("bridged", { interaction: result, timestamp: 0 });
    const text = { interaction: { ...result, toolResult: '{"fee":0}' }, timestamp: 0 };
    expect(memory.match("tracked", text)).toBe("conversation");
  });

  it("leaves alone what only one way tells, and survives values that are no JSON", () => {
    const memory = new DoubleMemory();
    const end = { kind: "conversation_end", sessionId: "s1" } as const;
    memory.match("tracked", { interaction: end, timestamp: 0 });
    expect(memory.match("bridged", { interaction: end, timestamp: 0 })).toBeUndefined();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const call = {
      kind: "tool_call",
      sessionId: "s1",
      toolName: "t",
      toolParameters: cyclic,
    } as const;
    expect(memory.match("tracked", { interaction: call, timestamp: 0 })).toBeUndefined();
  });
});
