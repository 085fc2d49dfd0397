import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const SCOPE = "opentelemetry.instrumentation.openai.v1";
const chat = (members: object): Record<string, unknown> => ({
  "llm.request.type": "chat",
  "gen_ai.system": "OpenAI",
  "gen_ai.request.model": "gpt-4o",
  ...members,
});
const at = (list: string, index: number, members: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [`gen_ai.${list}.${index}.${name}`, value]),
  );
const ARGUMENTS = '{"account":"blue"}';

describe("OpenLLMetry before 0.26", () => {
  it("tells one answer of several completions", () => {
    const { lines, tokens } = replaySpans([
      {
        id: "c",
        name: "openai.chat",
        scope: SCOPE,
        at: 0,
        until: 9,
        attributes: chat({
          ...at("prompt", 0, { role: "user", content: "Fee?" }),
          ...at("completion", 0, { role: "assistant", content: "None.", finish_reason: "stop" }),
          ...at("completion", 1, { role: "assistant", content: "Free.", finish_reason: "stop" }),
          "gen_ai.usage.prompt_tokens": 8,
          "gen_ai.usage.completion_tokens": 4,
          "llm.usage.total_tokens": 12,
        }),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None.\nFree."]);
    expect(tokens).toEqual([8, 4]);
  });

  it("tells a tool loop in a workflow of decorated functions", () => {
    const call = {
      "tool_calls.0.id": "k",
      "tool_calls.0.name": "get_fee",
      "tool_calls.0.arguments": ARGUMENTS,
    };
    const { lines } = replaySpans([
      {
        id: "w",
        name: "fees.workflow",
        scope: "traceloop.tracer",
        at: 0,
        until: 90,
        attributes: {
          "traceloop.span.kind": "workflow",
          "traceloop.entity.name": "fees",
          "traceloop.entity.input": '{"args":["Fee?"],"kwargs":{}}',
          "traceloop.entity.output": '"None."',
        },
      },
      {
        id: "a",
        name: "openai.chat",
        parent: "w",
        scope: SCOPE,
        at: 1,
        until: 9,
        attributes: chat({
          ...at("prompt", 0, { role: "system", content: "Help." }),
          ...at("prompt", 1, { role: "user", content: "Fee?" }),
          ...at("completion", 0, { role: "assistant", finish_reason: "tool_calls", ...call }),
        }),
      },
      {
        id: "t",
        name: "get_fee.tool",
        parent: "w",
        scope: "traceloop.tracer",
        at: 10,
        until: 12,
        attributes: {
          "traceloop.span.kind": "tool",
          "traceloop.entity.name": "get_fee",
          "traceloop.entity.input": '{"args":[],"kwargs":{"account":"blue"}}',
          "traceloop.entity.output": '{"fee":0}',
        },
      },
      {
        id: "b",
        name: "openai.chat",
        parent: "w",
        scope: SCOPE,
        at: 20,
        until: 29,
        attributes: chat({
          ...at("prompt", 0, { role: "system", content: "Help." }),
          ...at("prompt", 1, { role: "user", content: "Fee?" }),
          ...at("prompt", 2, { role: "assistant", ...call }),
          ...at("prompt", 3, { role: "tool", tool_call_id: "k", content: '{"fee":0}' }),
          ...at("completion", 0, { role: "assistant", content: "None.", finish_reason: "stop" }),
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

  it("takes the one function call that completions had before tools", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        name: "openai.chat",
        scope: SCOPE,
        at: 0,
        until: 9,
        attributes: chat({
          ...at("prompt", 0, { role: "user", content: "Fee?" }),
          ...at("completion", 0, {
            role: "assistant",
            finish_reason: "function_call",
            "function_call.name": "get_fee",
            "function_call.arguments": ARGUMENTS,
          }),
        }),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", 'tool_call get_fee {"account":"blue"}']);
  });

  it("leaves out what a model of Anthropic thinks, and reads contents that are JSON", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        name: "anthropic.chat",
        scope: "opentelemetry.instrumentation.anthropic",
        at: 0,
        until: 9,
        attributes: chat({
          "gen_ai.system": "Anthropic",
          ...at("prompt", 0, { role: "user", content: '[{"type": "text", "text": "Fee?"}]' }),
          ...at("completion", 0, { role: "thinking", content: "The blue one has none." }),
          ...at("completion", 1, { role: "assistant", content: "None." }),
        }),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("tells that content is off where only tokens are left", () => {
    const { lines, tokens } = replaySpans([
      {
        id: "c",
        name: "openai.chat",
        scope: SCOPE,
        at: 0,
        until: 9,
        attributes: chat({ "gen_ai.usage.input_tokens": 8, "gen_ai.usage.output_tokens": 4 }),
      },
    ]);
    expect(lines).toEqual(["user_message (not captured)", "agent_response (not captured)"]);
    expect(tokens).toEqual([8, 4]);
  });
});
