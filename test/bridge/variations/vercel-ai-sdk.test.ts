import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;
const span = (operation: string, attributes: object): Record<string, unknown> => ({
  "ai.operationId": operation,
  "operation.name": operation,
  "ai.model.id": "gpt-4o",
  "ai.model.provider": "openai.chat",
  ...attributes,
});
const PROMPT = json([{ role: "user", content: [{ type: "text", text: "Fee?" }] }]);

describe("Vercel AI SDK", () => {
  it.each([
    ["ai.generateObject", "ai.generateObject.doGenerate"],
    ["ai.streamObject", "ai.streamObject.doStream"],
  ])("tells the object of %s as the answer, once", (outer, inner) => {
    const { lines, tokens } = replaySpans([
      {
        id: "o",
        scope: "ai",
        at: 0,
        until: 30,
        attributes: span(outer, {
          "ai.prompt": json({ prompt: "Fee?" }),
          "ai.schema": json({ type: "object" }),
          "ai.settings.output": "object",
          "ai.response.object": '{"fee":0}',
          "ai.usage.promptTokens": 9,
          "ai.usage.completionTokens": 3,
        }),
      },
      {
        id: "i",
        parent: "o",
        scope: "ai",
        at: 1,
        until: 29,
        attributes: span(inner, {
          "ai.prompt.messages": PROMPT,
          "ai.response.object": '{"fee":0}',
          "ai.response.finishReason": "stop",
          "ai.usage.promptTokens": 9,
          "ai.usage.completionTokens": 3,
          "gen_ai.usage.input_tokens": 9,
          "gen_ai.usage.output_tokens": 3,
        }),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", 'agent_response {"fee":0}']);
    expect(tokens).toEqual([9, 3]);
  });

  it("leaves embeddings out", () => {
    const { lines } = replaySpans([
      {
        id: "o",
        scope: "ai",
        at: 0,
        until: 30,
        attributes: span("ai.embedMany", { "ai.values": ['"Fee?"'], "ai.usage.tokens": 5 }),
      },
      {
        id: "i",
        parent: "o",
        scope: "ai",
        at: 1,
        until: 29,
        attributes: span("ai.embedMany.doEmbed", { "ai.values": ['"Fee?"'], "ai.usage.tokens": 5 }),
      },
    ]);
    expect(lines).toEqual([]);
  });

  it("version 4: tells three steps with two tools, the second one of which fails", () => {
    const asked = (id: string, name: string, args: string) =>
      json([{ toolCallType: "function", toolCallId: id, toolName: name, args }]);
    const step = (id: string, at: number, attributes: object) => ({
      id,
      parent: "o",
      scope: "ai",
      at,
      until: at + 8,
      attributes: span("ai.generateText.doGenerate", {
        "ai.usage.promptTokens": 10,
        "ai.usage.completionTokens": 2,
        ...attributes,
      }),
    });
    const tool = (id: string, at: number, name: string, more: object) => ({
      id,
      parent: "o",
      scope: "ai",
      at,
      until: at + 4,
      attributes: span("ai.toolCall", { "ai.toolCall.id": id, "ai.toolCall.name": name, ...more }),
    });
    const history = (more: readonly unknown[]) =>
      json([{ role: "user", content: [{ type: "text", text: "Fee?" }] }, ...more]);
    const called = (toolCallId: string, toolName: string, args: object) => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId, toolName, args }],
    });
    const returned = (toolCallId: string, toolName: string, result: unknown) => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName, result }],
    });
    const first = [called("k1", "find", { name: "blue" }), returned("k1", "find", { id: 7 })];
    const { lines, tokens } = replaySpans([
      {
        id: "o",
        scope: "ai",
        at: 0,
        until: 90,
        attributes: span("ai.generateText", {
          "ai.prompt": json({ messages: [{ role: "user", content: "Fee?" }] }),
          "ai.response.text": "I cannot tell.",
          "ai.usage.promptTokens": 10,
          "ai.usage.completionTokens": 2,
        }),
      },
      step("s1", 1, {
        "ai.prompt.messages": PROMPT,
        "ai.response.toolCalls": asked("k1", "find", '{"name":"blue"}'),
      }),
      tool("k1", 10, "find", {
        "ai.toolCall.args": '{"name":"blue"}',
        "ai.toolCall.result": '{"id":7}',
      }),
      step("s2", 20, {
        "ai.prompt.messages": history(first),
        "ai.response.toolCalls": asked("k2", "get_fee", '{"id":7}'),
      }),
      {
        ...tool("k2", 30, "get_fee", { "ai.toolCall.args": '{"id":7}' }),
        failed: "no such account",
      },
      step("s3", 40, {
        "ai.prompt.messages": history([
          ...first,
          called("k2", "get_fee", { id: 7 }),
          returned("k2", "get_fee", "no such account"),
        ]),
        "ai.response.text": "I cannot tell.",
      }),
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call find {"name":"blue"}',
      'tool_result find {"id":7}',
      'tool_call get_fee {"id":7}',
      "tool_result get_fee null",
      "agent_response I cannot tell.",
    ]);
    expect(tokens).toEqual([30, 6]);
  });
});
