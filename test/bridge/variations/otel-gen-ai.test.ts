import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;
const chat = (more: object): Record<string, unknown> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.system": "openai",
  "gen_ai.request.model": "gpt-4o",
  ...more,
});
const usage = (input: number, output: number) => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
});
const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const FEE_ARGUMENTS = '{"account":"blue"}';

describe("OTel GenAI, versions and places of content", () => {
  it("v1.26: prompt and completion as span events", () => {
    const { lines, tokens } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat({ "gen_ai.usage.prompt_tokens": 12, "gen_ai.usage.completion_tokens": 3 }),
        events: [
          {
            name: "gen_ai.content.prompt",
            attributes: { "gen_ai.prompt": json([{ role: "user", content: "Fee?" }]) },
          },
          {
            name: "gen_ai.content.completion",
            attributes: { "gen_ai.completion": json([{ role: "assistant", content: "None." }]) },
          },
        ],
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
    expect(tokens).toEqual([12, 3]);
  });

  it("v1.27: span events with their content as JSON, as Azure's client writes them", () => {
    const content = (value: object) => ({ "gen_ai.event.content": json(value) });
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat({ "gen_ai.system": "az.ai.inference" }),
        events: [
          {
            name: "gen_ai.system.message",
            attributes: content({ role: "system", content: "Help." }),
          },
          { name: "gen_ai.user.message", attributes: content({ role: "user", content: "Fee?" }) },
          {
            name: "gen_ai.choice",
            attributes: content({ finish_reason: "stop", index: 0, message: { content: "None." } }),
          },
        ],
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("v1.30: a tool loop in log events", () => {
    const calls = [
      { id: "k", type: "function", function: { name: "get_fee", arguments: FEE_ARGUMENTS } },
    ];
    const { lines, tokens } = replaySpans(
      [
        { id: "a", at: 0, until: 10, attributes: chat(usage(10, 5)) },
        { id: "b", at: 20, until: 30, attributes: chat(usage(20, 4)) },
      ],
      [
        { span: "a", at: 1, event: "gen_ai.system.message", body: { content: "Help." } },
        { span: "a", at: 2, event: "gen_ai.user.message", body: { content: "Fee?" } },
        {
          span: "a",
          at: 9,
          event: "gen_ai.choice",
          body: { index: 0, finish_reason: "tool_calls", message: { tool_calls: calls } },
        },
        { span: "b", at: 21, event: "gen_ai.user.message", body: { content: "Fee?" } },
        { span: "b", at: 22, event: "gen_ai.assistant.message", body: { tool_calls: calls } },
        {
          span: "b",
          at: 23,
          event: "gen_ai.tool.message",
          body: { id: "k", content: '{"fee":0}' },
        },
        {
          span: "b",
          at: 29,
          event: "gen_ai.choice",
          body: {
            index: 0,
            finish_reason: "stop",
            message: { role: "assistant", content: "None." },
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
    expect(tokens).toEqual([30, 9]);
  });

  it("v1.37: one event with the details of the operation, structured", () => {
    const { lines, tokens } = replaySpans(
      [{ id: "c", at: 0, until: 9, attributes: chat(usage(7, 2)) }],
      [
        {
          span: "c",
          at: 8,
          event: "gen_ai.client.inference.operation.details",
          attributes: {
            ...chat(usage(7, 2)),
            "gen_ai.system_instructions": [{ type: "text", content: "Help." }],
            "gen_ai.input.messages": [text("user", "Fee?")],
            "gen_ai.output.messages": [{ ...text("assistant", "None."), finish_reason: "stop" }],
          },
        },
      ],
    );
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
    expect(tokens).toEqual([7, 2]);
  });

  it("v1.38: the details in several events of one call, input and each output by itself", () => {
    const details = (at: number, attributes: object) => ({
      span: "c",
      at,
      event: "gen_ai.client.inference.operation.details",
      attributes: { ...attributes },
    });
    const call = {
      type: "tool_call",
      id: "item-1",
      call_id: "k",
      name: "get_fee",
      arguments: FEE_ARGUMENTS,
    };
    const { lines } = replaySpans(
      [
        {
          id: "c",
          at: 0,
          until: 9,
          attributes: chat({ "gen_ai.response.id": "r1", ...usage(7, 2) }),
        },
        {
          id: "x",
          at: 10,
          until: 12,
          attributes: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "get_fee",
            "gen_ai.tool.call.id": "k",
            "gen_ai.tool.call.arguments": FEE_ARGUMENTS,
            "gen_ai.tool.call.result": '{"fee":0}',
          },
        },
      ],
      [
        details(1, { "gen_ai.input.messages": [text("user", "Fee?")] }),
        details(7, {
          "gen_ai.output.messages": [
            { role: "assistant", parts: [{ type: "reasoning", content: "Hm." }] },
          ],
        }),
        details(8, { "gen_ai.output.messages": [{ role: "assistant", parts: [call] }] }),
      ],
    );
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"account":"blue"}',
      'tool_result get_fee {"fee":0}',
    ]);
  });

  it("takes text completions, whose prompt and completion are plain", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: {
          "gen_ai.operation.name": "text_completion",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "gpt-3.5-turbo-instruct",
          "gen_ai.prompt": "The fee of the blue account is",
          "gen_ai.completion": " nothing.",
        },
      },
    ]);
    expect(lines.map((line) => line.replace(/\s+/g, " "))).toEqual([
      "user_message The fee of the blue account is",
      "agent_response nothing.",
    ]);
  });
});
