import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const chat = (more: object): Record<string, unknown> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "model",
  ...more,
});

describe("OTel GenAI, log events of other providers", () => {
  it("v1.33: Bedrock's contents in log events, lists of texts and tool uses", () => {
    const bedrock = { "gen_ai.system": "aws.bedrock" };
    const { lines } = replaySpans(
      [
        { id: "a", at: 0, until: 10, attributes: chat(bedrock) },
        { id: "b", at: 20, until: 30, attributes: chat(bedrock) },
      ],
      [
        { span: "a", at: 1, event: "gen_ai.user.message", body: { content: [{ text: "Fee?" }] } },
        {
          span: "a",
          at: 9,
          event: "gen_ai.choice",
          body: {
            index: 0,
            finish_reason: "tool_use",
            message: {
              role: "assistant",
              content: [
                { text: "I look it up." },
                { toolUse: { toolUseId: "k", name: "get_fee", input: { account: "blue" } } },
              ],
            },
          },
        },
        { span: "b", at: 21, event: "gen_ai.user.message", body: { content: [{ text: "Fee?" }] } },
        {
          span: "b",
          at: 22,
          event: "gen_ai.user.message",
          body: { content: [{ toolResult: { toolUseId: "k", content: [{ json: { fee: 0 } }] } }] },
        },
        {
          span: "b",
          at: 29,
          event: "gen_ai.choice",
          body: {
            index: 0,
            finish_reason: "end_turn",
            message: { role: "assistant", content: [{ text: "None." }] },
          },
        },
      ],
    );
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"account":"blue"}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("v1.36: Vertex AI's log events, whose agent is called model", () => {
    const { lines } = replaySpans(
      [{ id: "c", at: 0, until: 9, attributes: chat({ "gen_ai.system": "vertex_ai" }) }],
      [
        {
          span: "c",
          at: 1,
          event: "gen_ai.user.message",
          body: { role: "user", content: [{ text: "Fee?" }] },
        },
        {
          span: "c",
          at: 8,
          event: "gen_ai.choice",
          body: {
            index: 0,
            finish_reason: "stop",
            message: { role: "model", content: [{ text: "None." }] },
          },
        },
      ],
    );
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });
});
