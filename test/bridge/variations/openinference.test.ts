import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const SCOPE = "openinference.instrumentation.openai";
const llm = (attributes: object): Record<string, unknown> => ({
  "openinference.span.kind": "LLM",
  "llm.model_name": "gpt-4o",
  ...attributes,
});
const inputOf = (index: number, members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      `llm.input_messages.${index}.message.${name}`,
      value,
    ]),
  );
const outputOf = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      `llm.output_messages.0.message.${name}`,
      value,
    ]),
  );
const asked = (index: number, id: string, name: string, parameters: string) => ({
  [`tool_calls.${index}.tool_call.id`]: id,
  [`tool_calls.${index}.tool_call.function.name`]: name,
  [`tool_calls.${index}.tool_call.function.arguments`]: parameters,
});

describe("OpenInference", () => {
  it("takes the texts of contents, not their images", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        scope: SCOPE,
        at: 0,
        until: 9,
        attributes: llm({
          ...inputOf(0, {
            role: "user",
            "contents.0.message_content.type": "text",
            "contents.0.message_content.text": "What is on this statement?",
            "contents.1.message_content.type": "image",
            "contents.1.message_content.image.image.url": "data:image/png;base64,aGVsbG8=",
          }),
          ...outputOf({
            role: "assistant",
            "contents.0.message_content.type": "text",
            "contents.0.message_content.text": "A fee of 3.",
          }),
        }),
      },
    ]);
    expect(lines).toEqual([
      "user_message What is on this statement?",
      "agent_response A fee of 3.",
    ]);
  });

  it("tells tools that were called side by side, with spans of their own", () => {
    const calls = {
      role: "assistant",
      ...asked(0, "k1", "get_fee", '{"account":"blue"}'),
      ...asked(1, "k2", "get_rate", '{"account":"red"}'),
    };
    const tool = (id: string, name: string, at: number, input: string, output: string) => ({
      id,
      parent: "agent",
      scope: SCOPE,
      at,
      until: at + 5,
      attributes: {
        "openinference.span.kind": "TOOL",
        "tool.name": name,
        "input.value": input,
        "input.mime_type": "application/json",
        "output.value": output,
      },
    });
    const { lines, tokens } = replaySpans([
      {
        id: "agent",
        scope: SCOPE,
        at: 0,
        until: 90,
        attributes: {
          "openinference.span.kind": "AGENT",
          "agent.name": "Fees",
          "input.value": "Fee and rate?",
          "output.value": "None, and 3 %.",
        },
      },
      {
        id: "c1",
        parent: "agent",
        scope: SCOPE,
        at: 1,
        until: 10,
        attributes: llm({
          ...inputOf(0, { role: "system", content: "Help." }),
          ...inputOf(1, { role: "user", content: "Fee and rate?" }),
          ...outputOf(calls),
          "llm.token_count.prompt": 10,
          "llm.token_count.completion": 5,
        }),
      },
      tool("t1", "get_fee", 11, '{"account":"blue"}', '{"fee":0}'),
      tool("t2", "get_rate", 12, '{"account":"red"}', "3 %"),
      {
        id: "c2",
        parent: "agent",
        scope: SCOPE,
        at: 30,
        until: 40,
        attributes: llm({
          ...inputOf(0, { role: "system", content: "Help." }),
          ...inputOf(1, { role: "user", content: "Fee and rate?" }),
          ...inputOf(2, calls),
          ...inputOf(3, { role: "tool", tool_call_id: "k1", content: '{"fee":0}' }),
          ...inputOf(4, { role: "tool", tool_call_id: "k2", content: "3 %" }),
          ...outputOf({ role: "assistant", content: "None, and 3 %." }),
          "llm.token_count.prompt": 20,
          "llm.token_count.completion": 6,
        }),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee and rate?",
      'tool_call get_fee {"account":"blue"}',
      'tool_call get_rate {"account":"red"}',
      'tool_result get_fee {"fee":0}',
      'tool_result get_rate "3 %"',
      "agent_response None, and 3 %.",
    ]);
    expect(tokens).toEqual([30, 11]);
  });

  it("takes prompts and completions of models that do not chat", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        scope: "openinference.instrumentation.llama_index",
        at: 0,
        until: 9,
        attributes: llm({
          "llm.prompts.0.prompt.text": "The fee is",
          "llm.choices.0.completion.text": "nothing.",
        }),
      },
    ]);
    expect(lines).toEqual(["user_message The fee is", "agent_response nothing."]);
  });

  it("takes the one function call that messages had before tools", () => {
    const call = {
      role: "assistant",
      function_call_name: "get_fee",
      function_call_arguments_json: '{"account":"blue"}',
    };
    const { lines } = replaySpans([
      {
        id: "a",
        scope: SCOPE,
        at: 0,
        until: 9,
        attributes: llm({ ...inputOf(0, { role: "user", content: "Fee?" }), ...outputOf(call) }),
      },
      {
        id: "b",
        scope: SCOPE,
        at: 20,
        until: 29,
        attributes: llm({
          ...inputOf(0, { role: "user", content: "Fee?" }),
          ...inputOf(1, call),
          ...inputOf(2, { role: "function", name: "get_fee", content: '{"fee":0}' }),
          ...outputOf({ role: "assistant", content: "None." }),
        }),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"account":"blue"}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("tells a query engine's question and answer, not what it retrieves and checks", () => {
    const part = (id: string, kind: string, at: number) => ({
      id,
      parent: "query",
      scope: "openinference.instrumentation.llama_index",
      at,
      until: at + 2,
      attributes: {
        "openinference.span.kind": kind,
        "input.value": "Fee?",
        "output.value": "documents",
      },
    });
    const { lines } = replaySpans([
      {
        id: "query",
        scope: "openinference.instrumentation.llama_index",
        at: 0,
        until: 50,
        attributes: {
          "openinference.span.kind": "CHAIN",
          "input.value": "Fee?",
          "output.value": "None.",
        },
      },
      part("e", "EMBEDDING", 1),
      part("r", "RETRIEVER", 4),
      part("k", "RERANKER", 7),
      part("g", "GUARDRAIL", 10),
      {
        id: "c",
        parent: "query",
        scope: "openinference.instrumentation.llama_index",
        at: 20,
        until: 30,
        attributes: llm({
          ...inputOf(0, { role: "system", content: "Use the documents." }),
          ...inputOf(1, { role: "user", content: "Fee?" }),
          ...outputOf({ role: "assistant", content: "None." }),
        }),
      },
      part("v", "EVALUATOR", 40),
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });
});
