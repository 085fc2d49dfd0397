import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;
const call = (id: string, at: number, scope: string, attributes: object) => ({
  id,
  at,
  until: at + 8,
  scope,
  attributes: { ...attributes },
});
const LINES = [
  "user_message Fee?",
  'tool_call get_fee {"account":"blue"}',
  'tool_result get_fee {"fee":0}',
  "agent_response None.",
];

describe("requests and responses as clients have them", () => {
  it("reads OpenAI's Responses, items of input and output, from raw values", () => {
    const llm = (input: unknown, output: unknown) => ({
      "openinference.span.kind": "LLM",
      "llm.model_name": "gpt-5",
      "input.value": json({ model: "gpt-5", input }),
      "output.value": json({ id: "resp", object: "response", output }),
    });
    const item = {
      type: "function_call",
      id: "fc_1",
      call_id: "k",
      name: "get_fee",
      arguments: '{"account":"blue"}',
    };
    const user = { role: "user", content: [{ type: "input_text", text: "Fee?" }] };
    const { lines } = replaySpans([
      call("a", 0, "openinference", llm([user], [{ type: "reasoning", summary: [] }, item])),
      call(
        "b",
        20,
        "openinference",
        llm(
          [user, item, { type: "function_call_output", call_id: "k", output: '{"fee":0}' }],
          [
            {
              type: "message",
              role: "assistant",
              content: [{ type: "output_text", text: "None.", annotations: [] }],
            },
          ],
        ),
      ),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("reads Anthropic's contents, results in a message of the user", () => {
    const generation = (messages: unknown, content: unknown) => ({
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "claude-sonnet-4-5",
      "langfuse.observation.input": json({ system: "Help.", messages }),
      "langfuse.observation.output": json({ role: "assistant", content }),
    });
    const use = { type: "tool_use", id: "k", name: "get_fee", input: { account: "blue" } };
    const { lines } = replaySpans([
      call(
        "a",
        0,
        "langfuse-sdk",
        generation(
          [{ role: "user", content: "Fee?" }],
          [{ type: "thinking", thinking: "Hm.", signature: "x" }, use],
        ),
      ),
      call(
        "b",
        20,
        "langfuse-sdk",
        generation(
          [
            { role: "user", content: "Fee?" },
            { role: "assistant", content: [use] },
            {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "k",
                  content: [{ type: "text", text: '{"fee":0}' }],
                },
              ],
            },
          ],
          [{ type: "text", text: "None." }],
        ),
      ),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("reads Gemini's contents, calls without ids", () => {
    const generation = (contents: unknown, parts: unknown) => ({
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "gemini-2.5-flash",
      "langfuse.observation.input": json({ contents }),
      "langfuse.observation.output": json({
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
      }),
    });
    const user = { role: "user", parts: [{ text: "Fee?" }] };
    const asked = { functionCall: { name: "get_fee", args: { account: "blue" } } };
    const { lines } = replaySpans([
      call("a", 0, "langfuse-sdk", generation([user], [asked])),
      call(
        "b",
        20,
        "langfuse-sdk",
        generation(
          [
            user,
            { role: "model", parts: [asked] },
            {
              role: "user",
              parts: [{ functionResponse: { name: "get_fee", response: { fee: 0 } } }],
            },
          ],
          [{ text: "None." }],
        ),
      ),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("reads messages of LangChain as constructors and as plain objects", () => {
    const kwargs = (name: string, members: object) => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", name],
      kwargs: members,
    });
    const run = (messages: unknown, message: unknown) => ({
      "langsmith.span.kind": "llm",
      "gen_ai.prompt": json({ messages: [messages] }),
      "gen_ai.completion": json({ generations: [[{ text: "", message }]] }),
    });
    const human = kwargs("HumanMessage", { content: "Fee?" });
    const calls = [{ id: "k", name: "get_fee", args: { account: "blue" }, type: "tool_call" }];
    const asked = kwargs("AIMessage", { content: "", tool_calls: calls });
    const { lines } = replaySpans([
      call("a", 0, "langsmith", run([human], asked)),
      call(
        "b",
        20,
        "langsmith",
        run(
          [human, asked, kwargs("ToolMessage", { content: '{"fee":0}', tool_call_id: "k" })],
          kwargs("AIMessage", { content: "None." }),
        ),
      ),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("reads plain LangChain messages, told apart by their type", () => {
    const run = (messages: unknown, output: unknown) => ({
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "gpt-5",
      "langfuse.observation.input": json(messages),
      "langfuse.observation.output": json(output),
    });
    const human = { type: "human", content: "Fee?" };
    const asked = {
      type: "ai",
      content: "",
      tool_calls: [{ id: "k", name: "get_fee", args: { account: "blue" }, type: "tool_call" }],
    };
    const { lines } = replaySpans([
      call("a", 0, "langfuse-sdk", run([human], asked)),
      call(
        "b",
        20,
        "langfuse-sdk",
        run([human, asked, { type: "tool", content: '{"fee":0}', tool_call_id: "k" }], {
          type: "ai",
          content: "None.",
        }),
      ),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("reads the details of Ollama's and Cohere's chats", () => {
    const { lines } = replaySpans([
      call("a", 0, "langfuse-sdk", {
        "langfuse.observation.type": "generation",
        "langfuse.observation.input": json({ messages: [{ role: "user", content: "Fee?" }] }),
        "langfuse.observation.output": json({
          model: "llama3",
          message: { role: "assistant", content: "None." },
          done: true,
        }),
      }),
      call("b", 20, "langfuse-sdk", {
        "langfuse.observation.type": "generation",
        "session.id": "other",
        "langfuse.observation.input": json({ messages: [{ role: "user", content: "Rate?" }] }),
        "langfuse.observation.output": json({
          id: "x",
          finish_reason: "COMPLETE",
          message: { role: "assistant", content: [{ type: "text", text: "3." }] },
        }),
      }),
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "agent_response None.",
      "user_message Rate?",
      "agent_response 3.",
    ]);
  });
});
