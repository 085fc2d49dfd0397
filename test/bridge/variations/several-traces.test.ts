import { describe, expect, it } from "vitest";
import type { BridgedEvent } from "../../../src/bridge/bridged-event.ts";
import { asks, chat, returns, text, tool } from "./gen-ai-attributes.ts";
import { replaySpans, type SpanGiven } from "./span-set.ts";

const without = (message: object): object =>
  JSON.parse(JSON.stringify(message).replaceAll('"id":"k",', "")) as object;
const ASKS = without(asks("k", "get_fee", { a: 1 }));
const RETURNS = without(returns("k", { fee: 0 }));

/** A run of which neither ids nor a span hold the parts together. */
function run(name: string, at: number, question = "Fee?", more: object = {}): SpanGiven[] {
  const { "gen_ai.tool.call.id": _, ...attributes } = tool("k", "get_fee", { a: 1 }, { fee: 0 });
  const user = text("user", question);
  return [
    {
      id: `${name}1`,
      trace: `${name}1`,
      at,
      until: at + 5,
      attributes: chat([user], [ASKS], more),
    },
    { id: `${name}t`, trace: `${name}t`, at: at + 6, until: at + 8, attributes },
    {
      id: `${name}2`,
      trace: `${name}2`,
      at: at + 9,
      until: at + 15,
      attributes: chat([user, ASKS, RETURNS], [text("assistant", "None.")], more),
    },
  ];
}
const LINES = [
  "user_message Fee?",
  'tool_call get_fee {"a":1}',
  'tool_result get_fee {"fee":0}',
  "agent_response None.",
];
const toSessions = (events: readonly BridgedEvent[]): Set<string> =>
  new Set(events.map(({ interaction }) => interaction.sessionId));

describe("a run over several traces that name no conversation", () => {
  it("is one turn of one session, with the tokens of every call", () => {
    const { lines, tokens, events } = replaySpans(run("a", 0));
    expect(lines).toEqual(LINES);
    expect(tokens).toEqual([20, 4]);
    expect(toSessions(events).size).toBe(1);
  });

  it("names a tool by its run that the model's call does not name", () => {
    const spans = run("a", 0).map((span, index) => {
      const bare = chat([text("user", "Fee?")], [], {
        "gen_ai.response.finish_reasons": ["tool_calls"],
      });
      return index === 0 ? { ...span, attributes: bare } : span;
    });
    const { lines, tokens } = replaySpans(spans);
    expect(lines).toEqual(LINES);
    expect(tokens).toEqual([20, 4]);
  });

  it("keeps runs of different questions apart, and loses nothing of equal ones", () => {
    const apart = replaySpans([...run("a", 0), ...run("b", 2, "Rate?")]);
    expect(toSessions(apart.events).size).toBe(2);
    const equal = replaySpans([...run("a", 0), ...run("b", 2)]);
    expect(equal.lines.toSorted()).toEqual([...LINES, ...LINES].toSorted());
    expect(equal.tokens).toEqual([40, 8]);
  });

  it("never joins what names its conversation", () => {
    const named = { "gen_ai.conversation.id": "c-7" };
    const { events } = replaySpans([
      run("a", 0)[0] as SpanGiven,
      run("b", 10, "Fee?", named)[2] as SpanGiven,
    ]);
    expect(toSessions(events)).toContain("c-7");
    expect(toSessions(events).size).toBe(2);
  });

  it("never joins what comes much later", () => {
    const [first] = run("a", 0);
    const [, , last] = run("b", 900_000);
    const { events } = replaySpans([first as SpanGiven, last as SpanGiven]);
    expect(toSessions(events).size).toBe(2);
  });
});
