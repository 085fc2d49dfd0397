import { describe, expect, it } from "vitest";
import { chat, text } from "./gen-ai-attributes.ts";
import { replaySpans, type SpanGiven } from "./span-set.ts";

const json = JSON.stringify;
const CALL: SpanGiven = {
  id: "c",
  parent: "run",
  at: 1,
  until: 9,
  attributes: chat([text("user", "Fee?")], [text("assistant", "None.")]),
};
const judged = (name: string) => ({
  "gen_ai.evaluation.name": name,
  "gen_ai.evaluation.score.value": 0.5,
  "gen_ai.evaluation.score.label": "fair",
  "gen_ai.evaluation.explanation": "short",
  "gen_ai.evaluation.evaluator.id": "desk",
  "gen_ai.evaluation.evaluator.version": "3",
  "gen_ai.evaluation.evaluator.type": "human",
});
const toJudged = (name: string) => ({
  name,
  score: 0.5,
  label: "fair",
  explanation: "short",
  evaluatorId: "desk",
  evaluatorVersion: "3",
  evaluatorType: "human",
});

describe("what the newest conventions change", () => {
  it.each(["handle_conversation_turn", "invocation"])(
    "takes %s for the run of an agent",
    (operation) => {
      const { lines, events, tokens } = replaySpans([
        {
          id: "run",
          at: 0,
          until: 20,
          attributes: {
            "gen_ai.operation.name": operation,
            "gen_ai.invocation.name": "branch-desk",
            "gen_ai.conversation.id": "c-7",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 2,
          },
        },
        CALL,
      ]);
      expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
      expect(tokens).toEqual([10, 2]);
      expect(events[1]?.interaction).toMatchObject({
        agentId: "branch-desk",
        conversationId: "c-7",
      });
    },
  );

  it("reads generic parts as what they say they are", () => {
    const generic = (generic_type: string, more: object) => ({
      type: "generic",
      generic_type,
      ...more,
    });
    const output = {
      role: "assistant",
      parts: [
        generic("reasoning", { content: "Nobody reads this." }),
        generic("tool_call", { id: "k", name: "get_fee", arguments: { a: 1 } }),
      ],
    };
    const { lines } = replaySpans([
      { id: "c", at: 0, until: 9, attributes: chat([text("user", "Fee?")], [output]) },
    ]);
    expect(lines).toEqual(["user_message Fee?", 'tool_call get_fee {"a":1}']);
  });

  it("tells what was judged of an answer, and by whom, from records, span events and the agent", () => {
    const { events } = replaySpans(
      [
        {
          id: "run",
          at: 0,
          until: 20,
          attributes: { "gen_ai.operation.name": "invoke_agent" },
          events: [{ name: "gen_ai.evaluation.result", attributes: judged("helpfulness") }],
        },
        {
          ...CALL,
          events: [{ name: "gen_ai.evaluation.result", attributes: judged("relevance") }],
        },
      ],
      [{ span: "c", event: "gen_ai.evaluation.result", at: 10, attributes: judged("tone") }],
    );
    expect(events.map(({ interaction }) => interaction.kind)).toEqual([
      "user_message",
      "agent_response",
    ]);
    expect(events[1]?.metadata["evaluations"]).toEqual(
      ["relevance", "tone", "helpfulness"].map(toJudged),
    );
  });

  it("makes no call of a record that is none", () => {
    const { lines } = replaySpans(
      [],
      [
        { span: "gone", event: "gen_ai.evaluation.result", at: 1, attributes: judged("tone") },
        { span: "other", event: "gen_ai.guardrail.result", at: 1, attributes: { a: json({}) } },
      ],
    );
    expect(lines).toEqual([]);
  });
});
