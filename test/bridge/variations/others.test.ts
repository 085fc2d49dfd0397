import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;

describe("other producers", () => {
  it("Langfuse: an agent with a generation, a tool and the answer", () => {
    const observation = (type: string, input: unknown, output: unknown, more: object = {}) => ({
      "langfuse.observation.type": type,
      "langfuse.observation.input": json(input),
      "langfuse.observation.output": json(output),
      "langfuse.session.id": "s1",
      ...more,
    });
    const calls = [
      { id: "k", type: "function", function: { name: "get_fee", arguments: '{"a":1}' } },
    ];
    const model = { "langfuse.observation.model.name": "gpt-4o" };
    const { lines, tokens, events } = replaySpans([
      {
        id: "agent",
        scope: "langfuse-sdk",
        at: 0,
        until: 90,
        attributes: observation("agent", { question: "Fee?" }, "None."),
      },
      {
        id: "g1",
        parent: "agent",
        scope: "langfuse-sdk",
        at: 1,
        until: 9,
        attributes: observation(
          "generation",
          [{ role: "user", content: "Fee?" }],
          { role: "assistant", content: null, tool_calls: calls },
          { ...model, "langfuse.observation.usage_details": '{"input":10,"output":2,"total":12}' },
        ),
      },
      {
        id: "get_fee",
        parent: "agent",
        scope: "langfuse-sdk",
        at: 10,
        until: 20,
        attributes: observation("tool", { a: 1 }, { fee: 0 }),
      },
      {
        id: "g2",
        parent: "agent",
        scope: "langfuse-sdk",
        at: 30,
        until: 39,
        attributes: observation(
          "generation",
          [
            { role: "user", content: "Fee?" },
            { role: "assistant", content: null, tool_calls: calls },
            { role: "tool", tool_call_id: "k", content: '{"fee":0}' },
          ],
          { role: "assistant", content: "None." },
          { ...model, "langfuse.observation.usage_details": '{"input":20,"output":3,"total":23}' },
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"a":1}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
    expect(tokens).toEqual([30, 5]);
    expect(new Set(events.map(({ interaction }) => interaction.sessionId))).toEqual(
      new Set(["s1"]),
    );
  });

  it("LangSmith: a traced function with a model's run inside", () => {
    const { lines } = replaySpans([
      {
        id: "root",
        scope: "langsmith",
        at: 0,
        until: 50,
        attributes: {
          "langsmith.span.kind": "chain",
          "gen_ai.prompt": json({ input: "Fee?" }),
          "gen_ai.completion": json({ output: "None." }),
        },
      },
      {
        id: "llm",
        parent: "root",
        scope: "langsmith",
        at: 1,
        until: 40,
        attributes: {
          "langsmith.span.kind": "llm",
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "gpt-4o",
          "gen_ai.prompt": json({
            messages: [
              { role: "system", content: "Help." },
              { role: "user", content: [{ type: "text", text: "Fee?" }] },
            ],
          }),
          "gen_ai.completion": json({
            choices: [
              {
                index: 0,
                message: { role: "assistant", content: "None.", refusal: null },
                finish_reason: "stop",
              },
            ],
          }),
        },
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("Agent 365: messages in an envelope, operations in capitals", () => {
    const envelope = (role: string, content: string) =>
      json({ version: "0.1.0", messages: [{ role, parts: [{ type: "text", content }] }] });
    const { lines } = replaySpans([
      {
        id: "run",
        scope: "Agent365Sdk",
        at: 0,
        until: 50,
        attributes: {
          "gen_ai.operation.name": "InvokeAgent",
          "gen_ai.agent.id": "a1",
          "gen_ai.input.messages": envelope("user", "Fee?"),
          "gen_ai.output.messages": envelope("assistant", "None."),
        },
      },
      {
        id: "call",
        parent: "run",
        scope: "Agent365Sdk",
        at: 1,
        until: 40,
        attributes: {
          "gen_ai.operation.name": "Chat",
          "gen_ai.request.model": "gpt-4o",
          "gen_ai.input.messages": envelope("user", "Fee?"),
          "gen_ai.output.messages": envelope("assistant", "None."),
        },
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("Strands: messages as span events whose content is JSON, on cycle and call", () => {
    const events = [
      { name: "gen_ai.user.message", attributes: { content: json([{ text: "Fee?" }]) } },
      {
        name: "gen_ai.choice",
        attributes: { finish_reason: "end_turn", message: json([{ text: "None." }]) },
      },
    ];
    const span = (id: string, operation: string, at: number, until: number, parent?: string) => ({
      id,
      ...(parent !== undefined && { parent }),
      scope: "strands-agents",
      at,
      until,
      attributes: {
        "gen_ai.system": "strands-agents",
        "gen_ai.operation.name": operation,
        ...(operation === "chat" && {
          "gen_ai.request.model": "claude",
          "gen_ai.usage.input_tokens": 10,
          "gen_ai.usage.output_tokens": 2,
        }),
      },
      events,
    });
    const { lines, tokens } = replaySpans([
      span("agent", "invoke_agent", 0, 50),
      span("cycle", "execute_event_loop_cycle", 1, 49, "agent"),
      span("call", "chat", 2, 40, "cycle"),
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
    expect(tokens).toEqual([10, 2]);
  });
});
