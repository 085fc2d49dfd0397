import { describe, expect, it } from "vitest";
import { chat, text } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;
const NO_USAGE = {
  "gen_ai.usage.input_tokens": undefined,
  "gen_ai.usage.output_tokens": undefined,
};

describe("calls of which a part is missing", () => {
  it("takes a call whose model has an empty name for a call, its failure included", () => {
    const given = {
      "gen_ai.provider.name": "aws.bedrock",
      "gen_ai.request.model": "",
    };
    const { lines, events } = replaySpans([
      {
        id: "c",
        name: "bedrock.completion",
        scope: "@traceloop/instrumentation-bedrock",
        at: 0,
        until: 9,
        attributes: {
          ...given,
          "gen_ai.usage.input_tokens": 7,
          "gen_ai.usage.output_tokens": 3,
        },
      },
      {
        id: "f",
        name: "bedrock.completion",
        trace: "other",
        scope: "@traceloop/instrumentation-bedrock",
        at: 10,
        until: 19,
        attributes: { ...given, "http.response.status_code": 429 },
        failed: "Too many requests",
      },
    ]);
    expect(lines).toEqual([
      "user_message (not captured)",
      "agent_response (not captured)",
      "user_message (not captured)",
      "error 429",
    ]);
    expect(events[1]?.metadata["tokensUsed"]).toEqual({ input: 7, output: 3, total: 10 });
    expect(events[1]?.metadata).not.toHaveProperty("model");
  });

  it("Mistral: takes a call without anything of an answer for one that failed", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        scope: "mistralai_sdk_tracer",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Fee?")], [], NO_USAGE),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "error undefined"]);
  });

  it.each([
    ["mistralai_sdk_tracer", {}],
    ["@sentry/node", { "sentry.op": "gen_ai.chat", "gen_ai.response.streaming": true }],
    ["@opentelemetry/instrumentation-aws-sdk", {}],
  ])("marks an answer of %s without reason and tokens as incomplete", (scope, more) => {
    const replay = (given: object) =>
      replaySpans([
        {
          id: "c",
          scope,
          at: 0,
          until: 9,
          attributes: chat([text("user", "Fee?")], [text("assistant", "No")], {
            ...more,
            ...given,
          }),
        },
      ]).events[1]?.metadata["incomplete"];
    expect(replay(NO_USAGE)).toBe(true);
    expect(replay({ ...NO_USAGE, "gen_ai.response.finish_reasons": ["stop"] })).toBeUndefined();
    expect(replay({})).toBeUndefined();
  });

  it("leaves answers of producers whole that never say why they ended", () => {
    const { events } = replaySpans([
      {
        id: "c",
        scope: "@traceloop/instrumentation-cohere",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Fee?")], [text("assistant", "None.")], NO_USAGE),
      },
    ]);
    expect(events[1]?.metadata).not.toHaveProperty("incomplete");
  });

  it("tells a call that asked for an unnamed tool, with its tokens, when the trace is over", () => {
    const { lines, events, tokens } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Fee?")], [], {
          "gen_ai.response.finish_reasons": ["tool_calls"],
        }),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "tool_call unknown {}"]);
    expect(tokens).toEqual([10, 2]);
    expect(events[1]?.metadata).toMatchObject({
      captured: false,
      model: "gpt-5",
      llmLatency: 9,
      finishReason: "tool_call",
    });
  });

  it("tells the result of a tool whose call is not known", () => {
    const result = {
      role: "tool",
      parts: [{ type: "tool_call_response", id: "k", response: "4" }],
    };
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Fee?"), result], [text("assistant", "Four.")]),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", 'tool_result unknown "4"', "agent_response Four."]);
  });

  it("reads the text null of an agent's message as none", () => {
    const list = (name: string, messages: readonly object[]) =>
      Object.fromEntries(
        messages.flatMap((message, index) =>
          Object.entries(message).map(([key, value]) => [`gen_ai.${name}.${index}.${key}`, value]),
        ),
      ) as Record<string, unknown>;
    const base = {
      "llm.request.type": "chat",
      "gen_ai.system": "OpenAI",
      "gen_ai.request.model": "gpt-4o",
    };
    const question = { role: "user", content: "Fee?" };
    const bare = { role: "assistant", content: "null" };
    const { lines } = replaySpans([
      {
        id: "b",
        at: 10,
        until: 19,
        attributes: {
          ...base,
          ...list("prompt", [question, bare, { role: "tool", tool_call_id: "k", content: "4" }]),
          ...list("completion", [{ role: "assistant", content: "Four." }]),
        },
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", 'tool_result unknown "4"', "agent_response Four."]);
  });

  it("keeps a tool's result whole that begins as JSON does and goes on", () => {
    const result = '{"balance":1,"note":"A"}\nMETA null';
    const { events } = replaySpans([
      {
        id: "t",
        at: 0,
        until: 9,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "get_balance",
          "gen_ai.tool.call.arguments": json({ account: 1 }),
          "gen_ai.tool.call.result": result,
        },
      },
    ]);
    expect(events.at(-1)?.interaction.toolResult).toBe(result);
  });
});
