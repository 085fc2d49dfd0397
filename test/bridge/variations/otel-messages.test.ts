import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;
const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const chat = (input: unknown, output: unknown, more: object = {}): Record<string, unknown> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "anthropic",
  "gen_ai.request.model": "claude-sonnet-4-5",
  "gen_ai.input.messages": json(input),
  ...(output !== undefined && { "gen_ai.output.messages": json(output) }),
  ...more,
});

describe("OTel GenAI, kinds of messages", () => {
  it("leaves reasoning, images and files out", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat(
          [
            {
              role: "user",
              parts: [
                { type: "text", content: "What is on this statement?" },
                { type: "blob", modality: "image", mime_type: "image/png", content: "aGVsbG8=" },
                { type: "uri", modality: "image", uri: "https://bank.example/a.png" },
                { type: "file", modality: "document", file_id: "f1" },
              ],
            },
          ],
          [
            {
              role: "assistant",
              parts: [
                { type: "reasoning", content: "A statement." },
                { type: "text", content: "A fee of 3." },
              ],
              finish_reason: "stop",
            },
          ],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message What is on this statement?",
      "agent_response A fee of 3.",
    ]);
  });

  it("takes results under the name that the documentation had, in a message of the user", () => {
    const call = { type: "tool_call", id: "k", name: "get_fee", arguments: { account: "blue" } };
    const asked = { role: "assistant", parts: [call] };
    const { lines } = replaySpans([
      { id: "a", at: 0, until: 9, attributes: chat([text("user", "Fee?")], [asked]) },
      {
        id: "b",
        at: 20,
        until: 29,
        attributes: chat(
          [
            text("user", "Fee?"),
            asked,
            { role: "user", parts: [{ type: "tool_call_response", id: "k", result: { fee: 0 } }] },
          ],
          [text("assistant", "None.")],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"account":"blue"}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("tells tools that the provider runs itself, and the answer that stands behind them", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat(
          [text("user", "Rate?")],
          [
            {
              role: "assistant",
              parts: [
                {
                  type: "server_tool_call",
                  id: "k",
                  name: "web_search",
                  server_tool_call: { type: "web_search", query: "rate" },
                },
                {
                  type: "server_tool_call_response",
                  id: "k",
                  server_tool_call_response: { type: "web_search", results: ["3 %"] },
                },
                { type: "text", content: "3 %." },
              ],
              finish_reason: "stop",
            },
          ],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Rate?",
      'tool_call web_search {"type":"web_search","query":"rate"}',
      'tool_result web_search {"type":"web_search","results":["3 %"]}',
      "agent_response 3 %.",
    ]);
  });

  it("tells one answer where several choices were asked for", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat(
          [text("user", "Fee?")],
          [text("assistant", "None."), text("assistant", "It is free.")],
          { "gen_ai.request.choice.count": 2 },
        ),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None.\nIt is free."]);
  });

  it("tells a failure with the status that error.type has, and the exception of a log event", () => {
    const { lines, events } = replaySpans(
      [
        {
          id: "c",
          at: 0,
          until: 9,
          attributes: chat([text("user", "Fee?")], undefined, { "error.type": "429" }),
          failed: "",
        },
      ],
      [
        {
          span: "c",
          at: 8,
          event: "gen_ai.client.operation.exception",
          attributes: { "exception.type": "RateLimitError", "exception.message": "Slow down." },
        },
      ],
    );
    expect(lines).toEqual(["user_message Fee?", "error 429"]);
    expect((events[1]?.interaction.error as Error | undefined)?.message).toBe("Slow down.");
  });

  it("leaves embeddings, retrieval, memory and guardrails out", () => {
    const other = (id: string, operation: string, at: number) => ({
      id,
      parent: "agent",
      at,
      until: at + 1,
      attributes: { "gen_ai.operation.name": operation, "gen_ai.request.model": "m" },
    });
    const { lines } = replaySpans([
      {
        id: "agent",
        at: 0,
        until: 50,
        attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Fees" },
      },
      other("e", "embeddings", 1),
      other("r", "retrieval", 3),
      other("m", "search_memory", 5),
      other("g", "apply_guardrail", 7),
      {
        id: "c",
        parent: "agent",
        at: 10,
        until: 20,
        attributes: chat([text("user", "Fee?")], [text("assistant", "None.")]),
      },
      other("u", "update_memory", 30),
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("takes the run of a remote agent, of which no call is seen", () => {
    const { lines, tokens } = replaySpans([
      {
        id: "agent",
        at: 0,
        until: 50,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.provider.name": "azure.ai.inference",
          "gen_ai.agent.id": "asst_1",
          "gen_ai.conversation.id": "thread-1",
          "gen_ai.usage.input_tokens": 40,
          "gen_ai.usage.output_tokens": 6,
          "gen_ai.input.messages": json([text("user", "Fee?")]),
          "gen_ai.output.messages": json([text("assistant", "None.")]),
        },
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
    expect(tokens).toEqual([40, 6]);
  });

  it("tells one question and one answer of a workflow of two agents in a row", () => {
    const agent = (id: string, at: number) => ({
      id,
      parent: "flow",
      at,
      until: at + 20,
      attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": id },
    });
    const { lines } = replaySpans([
      {
        id: "flow",
        at: 0,
        until: 90,
        attributes: { "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "Fees" },
      },
      agent("draft", 1),
      {
        id: "c1",
        parent: "draft",
        at: 2,
        until: 15,
        attributes: chat([text("user", "Fee?")], [text("assistant", "Maybe none.")]),
      },
      agent("review", 30),
      {
        id: "c2",
        parent: "review",
        at: 31,
        until: 45,
        attributes: chat(
          [text("user", "Fee?"), text("assistant", "Maybe none.")],
          [text("assistant", "None.")],
        ),
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });
});
