import { describe, expect, it } from "vitest";
import { asks, chat, returns, text } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;

describe("a call that several instrumentations see", () => {
  it("tells a call once that three instrumentations have seen", () => {
    const { lines, tokens } = replaySpans(
      [
        {
          id: "o",
          scope: "ai",
          at: 0,
          until: 60,
          attributes: {
            "ai.operationId": "ai.generateText",
            "ai.prompt": json({ prompt: "Fee?" }),
            "ai.response.text": "None.",
            "ai.usage.inputTokens": 10,
            "ai.usage.outputTokens": 2,
          },
        },
        {
          id: "i",
          parent: "o",
          scope: "ai",
          at: 1,
          until: 59,
          attributes: {
            "ai.operationId": "ai.generateText.doGenerate",
            "ai.model.id": "gpt-5",
            "ai.prompt.messages": json([
              { role: "user", content: [{ type: "text", text: "Fee?" }] },
            ]),
            "ai.response.text": "None.",
            "ai.usage.inputTokens": 10,
            "ai.usage.outputTokens": 2,
          },
        },
        {
          id: "p",
          parent: "i",
          scope: "@arizeai/openinference-instrumentation-openai",
          at: 2,
          until: 58,
          attributes: {
            "openinference.span.kind": "LLM",
            "llm.model_name": "gpt-5",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Fee?",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "None.",
            "llm.token_count.prompt": 10,
            "llm.token_count.completion": 2,
          },
        },
        {
          id: "h",
          parent: "p",
          scope: "@opentelemetry/instrumentation-undici",
          at: 3,
          until: 50,
          attributes: { "http.request.method": "POST" },
        },
        {
          id: "q",
          parent: "p",
          scope: "@opentelemetry/instrumentation-openai",
          at: 3,
          until: 57,
          attributes: {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-5",
            "gen_ai.response.model": "gpt-5-2025-08-07",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 2,
          },
        },
      ],
      [
        { span: "q", at: 4, event: "gen_ai.user.message", body: { content: "Fee?" } },
        {
          span: "q",
          at: 50,
          event: "gen_ai.choice",
          body: { index: 0, finish_reason: "stop", message: { content: "None." } },
        },
      ],
    );
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
    expect(tokens).toEqual([10, 2]);
  });

  it.each([
    ["one after the other", 20, 29],
    ["at the same time", 1, 8],
  ])("tells two calls with one response id, of different questions: %s", (_, at, until) => {
    const given = (question: string, answer: string) => ({
      ...chat([text("user", question)], [text("assistant", answer)]),
      "gen_ai.response.id": "cached",
    });
    const { lines, tokens } = replaySpans([
      { id: "a", at: 0, until: 9, attributes: given("Fee?", "None.") },
      { id: "b", at, until, attributes: given("Rate?", "Two.") },
    ]);
    expect(lines).toContain("user_message Rate?");
    expect(lines).toContain("agent_response Two.");
    expect(tokens).toEqual([20, 4]);
  });

  it("tells every step of a loop whose answers have one response id", () => {
    const question = text("user", "Fee?");
    const asked = asks("k", "get_fee", {});
    const id = { "gen_ai.response.id": "constant" };
    const { lines, tokens } = replaySpans([
      { id: "a", at: 0, until: 9, attributes: chat([question], [asked], id) },
      {
        id: "b",
        at: 10,
        until: 19,
        attributes: chat([question, asked, returns("k", 4)], [text("assistant", "Four.")], id),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "tool_call get_fee {}",
      "tool_result get_fee 4",
      "agent_response Four.",
    ]);
    expect(tokens).toEqual([20, 4]);
  });
});
