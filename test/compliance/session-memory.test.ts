import { describe, expect, it } from "vitest";
import { SessionMemory } from "../../src/compliance/session-memory.ts";
import { readExchange } from "../../src/phrases/exchange.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { context, createTestEngine, ruleThat } from "./engine-fixtures.ts";

const turn = (userMessage: string, rest: Partial<InteractionContext> = {}): InteractionContext => ({
  ...context,
  userMessage,
  ...rest,
});

function messages(memory: SessionMemory, of = context, isGiven = false): (string | undefined)[] {
  return memory.recall(of, isGiven).map(({ userMessage }) => userMessage);
}

describe("SessionMemory", () => {
  it("remembers the turns of a session, the oldest first, and of no other", () => {
    const memory = new SessionMemory(createFakeClock());
    memory.note(turn("one"), true);
    memory.note(turn("two"), true);
    memory.note(turn("other", { sessionId: "another" }), true);
    expect(messages(memory)).toEqual(["one", "two"]);
    expect(messages(memory, { ...context, agentId: "another" })).toEqual([]);
  });

  it("forgets a session after 30 minutes without a turn", async () => {
    const clock = createFakeClock();
    const memory = new SessionMemory(clock);
    memory.note(turn("one"), true);
    await clock.advance(29 * 60_000);
    memory.note(turn("two"), true);
    await clock.advance(30 * 60_000);
    expect(messages(memory)).toEqual(["one", "two"]);
    await clock.advance(1);
    expect(messages(memory)).toEqual([]);
  });

  it("keeps 8 turns and 4,096 characters of the user's messages, and the last message at least", () => {
    const memory = new SessionMemory(createFakeClock());
    for (let index = 0; index < 12; index++) memory.note(turn(`m${index}`), true);
    expect(messages(memory)).toEqual(["m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11"]);
    memory.note(turn("a".repeat(4000)), true);
    memory.note(turn("b".repeat(90)), true);
    memory.note(turn("c".repeat(9)), true);
    expect(messages(memory)).toEqual(["b".repeat(90), "c".repeat(9)]);
    memory.note(turn("d".repeat(9000)), true);
    expect(messages(memory)).toEqual(["d".repeat(4096)]);
  });

  it("keeps of tools what is short and flat", () => {
    const memory = new SessionMemory(createFakeClock());
    const parameters = { amount: 4200, note: "x".repeat(500), nested: { secret: 1 } };
    memory.note(
      turn("m", { toolsUsed: [{ name: "t", parameters, result: "ok", success: true }] }),
      true,
    );
    expect(memory.recall(context, false)[0]?.toolsUsed).toEqual([
      {
        name: "t",
        parameters: { amount: 4200, note: "x".repeat(128) },
        result: "ok",
        success: true,
      },
    ]);
  });

  it("lets a given answer take the place of those tried for the same message", () => {
    const memory = new SessionMemory(createFakeClock());
    memory.note(turn("one"), true);
    memory.note(turn("two", { agentResponse: "first try" }), false);
    memory.note(turn("two", { agentResponse: "second try" }), false);
    expect(messages(memory, turn("two"), true)).toEqual(["one"]);
    memory.note(turn("two", { agentResponse: "second try" }), true);
    expect(messages(memory)).toEqual(["one", "two"]);
  });

  it("holds no more than 10,000 sessions", () => {
    const memory = new SessionMemory(createFakeClock());
    for (let index = 0; index <= 10_000; index++)
      memory.note(turn("m", { sessionId: `s${index}` }), true);
    expect(messages(memory, { ...context, sessionId: "s0" })).toEqual([]);
    expect(messages(memory, { ...context, sessionId: "s1" })).toEqual(["m"]);
  });
});

describe("the engine", () => {
  it("shows rules the earlier turns of the session", () => {
    const seen: unknown[] = [];
    const rule = ruleThat("r", (view) => {
      const { history, earlierMessages } = readExchange(view);
      seen.push([history.length, earlierMessages.map(({ folded }) => folded)]);
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    });
    const { engine } = createTestEngine({ rules: [rule] });
    engine.evaluate(turn("one"));
    engine.evaluate(turn("tw\u200bo"));
    engine.evaluate(turn("three"));
    expect(seen).toEqual([
      [0, []],
      [1, ["one"]],
      [2, ["one", "two"]],
    ]);
  });
});
