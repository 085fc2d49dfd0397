import { describe, expect, it } from "vitest";
import type { BridgedEvent } from "../../../src/bridge/bridged-event.ts";
import { chat, returns, text } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;

/** Gives what is told of the one call of a producer. */
function replayCall(
  attributes: Record<string, unknown>,
  more: { scope?: string; failed?: string; events?: { name: string; attributes?: object }[] } = {},
): Record<string, unknown> {
  const { events } = replaySpans([{ id: "c", at: 0, until: 9, attributes, ...(more as object) }]);
  return { ...events.at(-1)?.metadata };
}

const openInference = (more: object): Record<string, unknown> => ({
  "openinference.span.kind": "LLM",
  "llm.model_name": "gpt-5",
  "llm.input_messages.0.message.role": "user",
  "llm.input_messages.0.message.content": "Fee?",
  "llm.output_messages.0.message.role": "assistant",
  "llm.output_messages.0.message.content": "None.",
  ...more,
});
const langfuse = (more: object): Record<string, unknown> => ({
  "langfuse.observation.type": "generation",
  "langfuse.observation.model.name": "gpt-5",
  "langfuse.observation.input": json([{ role: "user", content: "Fee?" }]),
  "langfuse.observation.output": json({ role: "assistant", content: "None." }),
  ...more,
});

describe("what is told of a model call", () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      "finish reason on a flattened completion",
      {
        "gen_ai.system": "OpenAI",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Fee?",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "None.",
        "gen_ai.completion.0.finish_reason": "COMPLETE",
      },
      { finishReason: "stop" },
    ],
    [
      "finish reason on a message",
      chat(
        [text("user", "Fee?")],
        [{ ...text("assistant", "None."), finish_reason: "max_tokens" }],
      ),
      { finishReason: "length" },
    ],
    [
      "finish reason, id and cached tokens of a response that is JSON",
      {
        "genkit:type": "action",
        "genkit:metadata:subtype": "model",
        "genkit:name": "openai/gpt-4o",
        "genkit:input": json({ messages: [{ role: "user", content: [{ text: "Fee?" }] }] }),
        "genkit:output": json({
          finishReason: "stop",
          message: { role: "model", content: [{ text: 'None. "finish_reason": "length"' }] },
          usage: { inputTokens: 21, outputTokens: 11 },
          raw: { id: "chatcmpl-1", usage: { prompt_tokens_details: { cached_tokens: 4 } } },
        }),
      },
      {
        finishReason: "stop",
        responseId: "chatcmpl-1",
        cacheReadTokens: 4,
        provider: "openai",
      },
    ],
    [
      "finish reason and id of a message of Anthropic",
      {
        "langsmith.span.kind": "llm",
        "langsmith.metadata.ls_provider": "anthropic",
        "langsmith.metadata.ls_temperature": 0.3,
        "langsmith.metadata.ls_max_tokens": 500,
        "gen_ai.prompt": json({ messages: [{ role: "user", content: "Fee?" }] }),
        "gen_ai.completion": json({
          id: "msg_1",
          role: "assistant",
          content: [{ type: "text", text: "None." }],
          stop_reason: "end_turn",
        }),
      },
      {
        finishReason: "stop",
        responseId: "msg_1",
        provider: "anthropic",
        temperature: 0.3,
        maxTokens: 500,
      },
    ],
    [
      "cached tokens of Bedrock",
      openInference({
        "llm.provider": "aws",
        "llm.token_count.prompt": 21,
        "llm.token_count.completion": 11,
        "output.value": json({
          stopReason: "end_turn",
          usage: { inputTokens: 21, cacheReadInputTokens: 4, cacheWriteInputTokens: 2 },
        }),
      }),
      { cacheReadTokens: 4, cacheWriteTokens: 2, tokensUsed: { input: 21, output: 11, total: 32 } },
    ],
    [
      "invocation parameters, a temperature of zero among them",
      openInference({
        "llm.invocation_parameters": json({ temperature: 0, max_completion_tokens: 256 }),
      }),
      { temperature: 0, maxTokens: 256 },
    ],
    [
      "model parameters and the time of the first piece",
      langfuse({
        "langfuse.observation.model.parameters": json({ temperature: 0.2, max_tokens: 100 }),
        "langfuse.observation.metadata.ls_provider": "openai",
        "langfuse.observation.completion_start_time": '"2023-11-14T22:13:20.004Z"',
      }),
      { temperature: 0.2, maxTokens: 100, provider: "openai", timeToFirstChunk: 4 },
    ],
    [
      "seconds until the first piece, and the provider's id of the request",
      chat([text("user", "Fee?")], [text("assistant", "None.")], {
        "gen_ai.response.time_to_first_chunk": 0.0125,
        "anthropic.request.id": "req_7",
      }),
      { timeToFirstChunk: 12.5, providerRequestId: "req_7" },
    ],
  ])("%s", (_, attributes, expected) => {
    expect(replayCall(attributes)).toMatchObject(expected);
  });

  it("takes no id of a part of an answer for that of the response", () => {
    const output = json({ id: "msg_1", type: "message", status: "completed", content: [] });
    expect(replayCall(openInference({ "output.value": output }))).not.toHaveProperty("responseId");
  });

  it("reads a finish reason that only the event of the choice has", () => {
    const metadata = replayCall(
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.system": "strands-agents",
        "gen_ai.request.model": "m",
      },
      {
        scope: "strands-agents",
        events: [
          { name: "gen_ai.user.message", attributes: { content: '[{"text":"Fee?"}]' } },
          {
            name: "gen_ai.choice",
            attributes: { finish_reason: "endTurn", message: '[{"text":"None."}]' },
          },
        ],
      },
    );
    expect(metadata["finishReason"]).toBe("stop");
  });

  it("tells how long a call took that failed", () => {
    const metadata = replayCall(chat([text("user", "Fee?")], []), { failed: "503 Unavailable" });
    expect(metadata).toMatchObject({ errorCode: "503", llmLatency: 9 });
  });

  it("keeps what the agent said beside asking for a tool, and the id that the next request names", () => {
    const asked = (id?: string): object => ({
      role: "assistant",
      parts: [
        { type: "text", content: "Let me look." },
        { type: "tool_call", id, name: "get_fee", arguments: { a: 1 } },
      ],
    });
    const question = text("user", "Fee?");
    const { events } = replaySpans([
      { id: "a", at: 0, until: 9, attributes: chat([question], [asked()]) },
      {
        id: "b",
        at: 10,
        until: 19,
        attributes: chat([question, asked("k1"), returns("k1", 4)], [text("assistant", "Four.")]),
      },
    ]);
    expect(events.map(({ interaction }) => interaction.kind)).toEqual([
      "user_message",
      "tool_call",
      "tool_result",
      "agent_response",
    ]);
    expect(events[1]).toMatchObject({
      agentText: "Let me look.",
      metadata: { agentText: "Let me look.", toolCallId: "k1" },
    });
    expect(events[2]?.metadata).toMatchObject({ toolCallId: "k1" });
  });
});

describe("who takes part", () => {
  const parties = ({ interaction }: BridgedEvent): unknown => interaction;

  it("OpenInference: takes the node of a graph for the agent where the span is an agent's", () => {
    const { events } = replaySpans([
      {
        id: "agent",
        at: 0,
        until: 20,
        attributes: { "openinference.span.kind": "AGENT", "graph.node.id": "branch-desk" },
      },
      {
        id: "c",
        parent: "agent",
        at: 1,
        until: 9,
        attributes: openInference({ "graph.node.id": "step-1" }),
      },
    ]);
    expect(events.map(parties)).toMatchObject([
      { agentId: "branch-desk" },
      { agentId: "branch-desk" },
    ]);
  });

  it("Strands: prefers the name of an agent to the id of all that have none", () => {
    const run = (id: string) =>
      replaySpans([
        {
          id: "agent",
          scope: "strands-agents",
          at: 0,
          until: 20,
          attributes: {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.id": id,
            "gen_ai.agent.name": "branch-desk",
            "gen_ai.input.messages": json([text("user", "Fee?")]),
            "gen_ai.output.messages": json([text("assistant", "None.")]),
          },
        },
      ]).events.map(({ interaction }) => interaction.agentId);
    expect(run("agent")).toEqual(["branch-desk", "branch-desk"]);
    expect(run("desk-7")).toEqual(["desk-7", "desk-7"]);
  });

  it("Langfuse: takes the thread of LangGraph for the conversation", () => {
    const { events } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: langfuse({ "langfuse.observation.metadata.thread_id": "thread-7" }),
      },
    ]);
    expect(events.map(parties)).toMatchObject([
      { conversationId: "thread-7" },
      { conversationId: "thread-7" },
    ]);
  });
});
