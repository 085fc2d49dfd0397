import { describe, expect, it } from "vitest";
import { agent, chat, text } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const ANSWER = chat([text("user", "Fee?")], [text("assistant", "None.")]);

describe("the version of an agent, as spans tell it", () => {
  it("stands on all that is told of the agent, calls without a version included", () => {
    const { events } = replaySpans([
      {
        id: "a",
        at: 0,
        until: 30,
        attributes: agent("teller", { "gen_ai.agent.version": "2.1.0" }),
      },
      { id: "c", parent: "a", at: 2, until: 20, attributes: ANSWER },
    ]);
    expect(events.map(({ interaction }) => interaction.kind)).toEqual([
      "user_message",
      "agent_response",
    ]);
    expect(events.map(({ interaction }) => interaction.agentVersion)).toEqual(["2.1.0", "2.1.0"]);
  });

  it("is that of the agent which a span names, and none where no span tells it", () => {
    const of = (id: string, more: object) => ({
      id,
      trace: id,
      at: 0,
      until: 10,
      attributes: { ...ANSWER, ...more },
    });
    const { events } = replaySpans([
      of("one", { "gen_ai.agent.name": "one", "gen_ai.agent.version": "1\n.0" }),
      of("two", { "gen_ai.agent.name": "two" }),
    ]);
    const versions = events.map(({ interaction }) => [
      interaction.agentId,
      interaction.agentVersion,
    ]);
    expect(versions).toEqual([
      ["one", "1 .0"],
      ["one", "1 .0"],
      ["two", undefined],
      ["two", undefined],
    ]);
  });
});
