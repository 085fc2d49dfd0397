import { describe, expect, it } from "vitest";
import type { LangChainHandler } from "../../../src/instrumentation/hooks/langchain-register.ts";
import { createLangChainHandler } from "../../../src/instrumentation/hooks/langchain.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { createHookHost } from "./hook-host.ts";

// Sequences as LangChain 1.x and LangGraph 1.x were seen to call a handler.
const GRAPH = { lc: 1, type: "not_implemented", id: ["langgraph", "pregel", "CompiledStateGraph"] };
const NODE = {
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "runnables", "RunnableSequence"],
};
const MODEL = {
  lc: 1,
  type: "constructor",
  id: ["langchain", "chat_models", "openai", "ChatOpenAI"],
};
const TOOL = {
  lc: 1,
  type: "not_implemented",
  id: ["langchain", "tools", "DynamicStructuredTool"],
};
const CALL = {
  ls_provider: "openai",
  ls_model_name: "gpt-5",
  ls_temperature: 0.2,
  ls_max_tokens: 900,
};
const CONFIG = { thread_id: "t1", user_id: "u1", session_id: "s1" };

class HumanMessage {
  readonly content: unknown;
  constructor(content: unknown) {
    this.content = content;
  }
  getType(): string {
    return "human";
  }
}

const ai = (content: unknown, more: object = {}) => ({ type: "ai", content, ...more });
const asks = (id: string, args: object) => ({ id, name: "find_card", args, type: "tool_call" });
const result = (id: string, content: string, more: object = {}) => ({
  type: "tool",
  tool_call_id: id,
  name: "find_card",
  content,
  status: "success",
  ...more,
});
const answer = (message: object, more: object = {}) => ({
  generations: [[{ text: "", message, generationInfo: {} }]],
  ...more,
});
const usage = {
  input_tokens: 21,
  output_tokens: 11,
  input_token_details: { cache_read: 4, cache_creation: 2 },
};

const QUESTION = new HumanMessage("Is card CARD-77 active?");
const ASKED = ai("", {
  id: "chatcmpl-1",
  tool_calls: [asks("call1", { card_id: "CARD-77" })],
  usage_metadata: usage,
  response_metadata: { model_name: "gpt-5-2026", finish_reason: "tool_calls" },
});
const FOUND = result("call1", '{"status":"active"}');
const ANSWERED = ai([{ type: "text", text: "Yes, it is." }], {
  id: "lc_run-7",
  usage_metadata: usage,
  response_metadata: { id: "resp_2", finish_reason: "stop" },
});

function startCall(
  handler: LangChainHandler,
  id: string,
  parent: string | undefined,
  messages: unknown[],
): void {
  handler.handleChatModelStart(MODEL, [messages], id, parent, {}, [], CALL);
}

/** One turn of an agent of LangGraph: model, tool, model. */
function runAgent(handler: LangChainHandler): void {
  handler.handleChainStart(
    GRAPH,
    { messages: [{ role: "user", content: "Is card CARD-77 active?" }] },
    "g",
    undefined,
    [],
    CONFIG,
    undefined,
    "cards",
  );
  handler.handleChainStart(
    NODE,
    {},
    "n1",
    "g",
    [],
    { ...CONFIG, langgraph_node: "model" },
    undefined,
    "model",
  );
  startCall(handler, "m1", "n1", [QUESTION]);
  handler.handleLLMEnd(answer(ASKED), "m1");
  handler.handleChainEnd({}, "n1");
  handler.handleChainStart(NODE, {}, "n2", "g", [], CONFIG, undefined, "tools");
  handler.handleToolStart(
    TOOL,
    '{"card_id":"CARD-77"}',
    "t",
    "n2",
    [],
    CONFIG,
    "find_card",
    "call1",
  );
  handler.handleToolEnd(FOUND, "t");
  handler.handleChainEnd({}, "n2");
  startCall(handler, "m2", "g", [QUESTION, ASKED, FOUND]);
  handler.handleLLMEnd(answer(ANSWERED), "m2");
  handler.handleChainEnd({ messages: [QUESTION, ASKED, FOUND, ANSWERED] }, "g");
}

describe("createLangChainHandler", () => {
  it("tells a turn of an agent once, with its owner, its tools and its tokens", () => {
    const { host, told, events, shown } = createHookHost();
    runAgent(createLangChainHandler(host));
    expect(told()).toEqual([
      "user_message cards: Is card CARD-77 active?",
      'tool_call cards: find_card {"card_id":"CARD-77"}',
      'tool_result cards: find_card {"status":"active"}',
      "agent_response cards: Yes, it is.",
    ]);
    expect(events.map(({ interaction }) => interaction)).toContainEqual(
      expect.objectContaining({ sessionId: "s1", conversationId: "t1", userId: "u1" }),
    );
    expect(events[1]?.metadata).toMatchObject({
      toolCallId: "call1",
      responseId: "chatcmpl-1",
      provider: "openai",
      model: "gpt-5-2026",
      temperature: 0.2,
      maxTokens: 900,
      tokensUsed: { input: 21, output: 11, total: 32 },
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
    expect(events[3]?.metadata).toMatchObject({ responseId: "resp_2", finishReason: "stop" });
    // Model calls are the fetch observer's on the telemetry path; nodes of the graph are nobody's.
    expect(shown()).toEqual(["execute_tool find_card < invoke_agent cards", "invoke_agent cards"]);
  });

  it("shows model calls on the telemetry path when it is to", () => {
    const { host, shown } = createHookHost();
    runAgent(createLangChainHandler(host, { publishModelCalls: true }));
    expect(shown()).toEqual([
      "chat gpt-5 < invoke_agent cards",
      "execute_tool find_card < invoke_agent cards",
      "chat gpt-5 < invoke_agent cards",
      "invoke_agent cards",
    ]);
  });

  it("tells a chain that is no agent by its calls", () => {
    const { host, told, shown, ended } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleChainStart(NODE, { q: "x" }, "c", undefined, [], {});
    handler.handleChainStart(
      { id: ["langchain_core", "prompts"] },
      {},
      "p",
      "c",
      [],
      {},
      "prompt",
      "p",
    );
    handler.handleChainEnd({}, "p");
    startCall(handler, "m", "c", [
      ["system", "Be brief."],
      ["human", "When?"],
    ]);
    handler.handleLLMEnd(answer(ai("At nine.")), "m");
    handler.handleChainEnd({ output: "At nine." }, "c");
    expect(shown()).toEqual(["chain RunnableSequence"]);
    expect(new Set(ended.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(told().map((line) => line.replace(/ \S+:/, ":"))).toEqual([
      expect.stringMatching(/^user_message.* When\?$/),
      expect.stringMatching(/^agent_response.* At nine\.$/),
    ]);
  });

  it("tells of models without chat, and of tokens as older packages tell them", () => {
    const { host, told, events } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleLLMStart(
      {},
      ["When?"],
      "m",
      undefined,
      { invocation_params: { model: "davinci" } },
      [],
      {},
    );
    handler.handleLLMEnd(
      {
        generations: [[{ text: "At nine." }]],
        llmOutput: { tokenUsage: { promptTokens: 5, completionTokens: 3 } },
      },
      "m",
    );
    expect(told().map((line) => line.split(": ").at(-1))).toEqual(["When?", "At nine."]);
    expect(events[1]?.metadata).toMatchObject({
      model: "davinci",
      tokensUsed: { input: 5, output: 3 },
    });
  });

  it("tells of failures of calls and of tools", () => {
    const { host, told, events } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleChainStart(
      GRAPH,
      { messages: [["user", "Is it?"]] },
      "g",
      undefined,
      [],
      {},
      undefined,
      "LangGraph",
    );
    startCall(handler, "m1", "g", [QUESTION]);
    handler.handleLLMEnd(answer(ASKED), "m1");
    handler.handleToolStart(TOOL, '{"card_id":"CARD-77"}', "t", "g", [], {}, "find_card");
    handler.handleToolError(new TypeError("boom"), "t");
    startCall(handler, "m2", "g", [
      QUESTION,
      ASKED,
      result("call1", "Error: boom", { status: "error" }),
    ]);
    const failure = Object.assign(new Error("429 too many"), { name: "RateLimitError" });
    handler.handleLLMError(failure, "m2");
    handler.handleChainError(failure, "g");
    expect(told().map((line) => line.split(" ")[0])).toEqual([
      "user_message",
      "tool_call",
      "tool_result",
      "error",
    ]);
    expect(events[2]?.metadata).toMatchObject({
      success: false,
      toolError: "boom",
      toolCallId: "call1",
    });
    expect(events[3]?.metadata).toMatchObject({ errorType: "RateLimitError", errorCode: "429" });
  });

  it("takes a result that a tool marks as an error, and one inside a command to the graph", () => {
    const { host, ended } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleToolStart(TOOL, "{}", "t1", undefined, [], {}, "find_card");
    handler.handleToolEnd(result("call1", "no such card", { status: "error" }), "t1");
    handler.handleToolStart(TOOL, "{}", "t2", undefined, [], {}, "hand_over");
    handler.handleToolEnd({ update: { messages: [result("call2", "done")] }, goto: "desk" }, "t2");
    expect(
      ended.map(({ attributes, status }) => [
        attributes["gen_ai.tool.call.id"],
        attributes["gen_ai.tool.call.result"],
        status?.code,
      ]),
    ).toEqual([
      ["call1", "no such card", 2],
      ["call2", "done", 0],
    ]);
  });

  it.each([
    Object.assign(new Error("wait"), { name: "GraphInterrupt" }),
    Object.assign(new Error("up"), { is_bubble_up: true }),
  ])("does not take the control flow of graphs for a failure: %s", (thrown) => {
    const { host, ended } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleToolStart(TOOL, "{}", "t", undefined, [], {}, "ask_human");
    handler.handleToolError(thrown, "t");
    expect(ended[0]?.status?.code).toBe(0);
  });

  it("tells a helping agent inside the tool that calls it", () => {
    const { host, told, shown } = createHookHost();
    const handler = createLangChainHandler(host);
    handler.handleChainStart(
      GRAPH,
      { messages: [["user", "Ask the desk."]] },
      "g",
      undefined,
      [],
      {},
      undefined,
      "front",
    );
    startCall(handler, "m1", "g", [["user", "Ask the desk."]]);
    handler.handleLLMEnd(
      answer(ai("", { tool_calls: [{ id: "call1", name: "ask_desk", args: {} }] })),
      "m1",
    );
    handler.handleToolStart(TOOL, "{}", "t", "g", [], {}, "ask_desk", "call1");
    handler.handleChainStart(
      GRAPH,
      { messages: [["user", "Well?"]] },
      "h",
      "t",
      [],
      {},
      undefined,
      "desk",
    );
    startCall(handler, "m2", "h", [["user", "Well?"]]);
    handler.handleLLMEnd(answer(ai("Active.")), "m2");
    handler.handleChainEnd({}, "h");
    handler.handleToolEnd(result("call1", "Active."), "t");
    startCall(handler, "m3", "g", [["user", "Ask the desk."]]);
    handler.handleLLMEnd(answer(ai("The desk says yes.")), "m3");
    handler.handleChainEnd({}, "g");
    expect(shown()).toEqual([
      "invoke_agent desk < execute_tool ask_desk",
      "execute_tool ask_desk < invoke_agent front",
      "invoke_agent front",
    ]);
    expect(told()).toEqual([
      "user_message front: Ask the desk.",
      "tool_call front: ask_desk {}",
      'tool_result front: ask_desk "Active."',
      "agent_response front: The desk says yes.",
    ]);
  });

  it("ends a stream that nobody reads on", async () => {
    const clock = createFakeClock();
    const { host, ended } = createHookHost({ clock });
    const handler = createLangChainHandler(host);
    startCall(handler, "slow", undefined, [QUESTION]);
    startCall(handler, "left", undefined, [QUESTION]);
    handler.handleLLMNewToken("At", {}, "left");
    await clock.advance(20_000);
    handler.handleLLMNewToken("nine", {}, "left");
    await clock.advance(20_000);
    expect(ended).toEqual([]);
    await clock.advance(20_000);
    expect(ended.map(({ attributes }) => attributes["gen_ai.response.finish_reasons"])).toEqual([
      ["incomplete"],
    ]);
    expect(clock.pending).toBe(0);
  });

  it("survives whatever it is given", () => {
    const { host } = createHookHost();
    const handler = createLangChainHandler(host);
    const cycle: Record<string, unknown> = { big: 10n };
    cycle["self"] = cycle;
    const trap = new Proxy(
      {},
      {
        get(): never {
          throw new Error("trap");
        },
      },
    );
    for (const odd of [undefined, null, 7, "text", [], [[null]], {}, cycle, trap, [[trap]]]) {
      const all = handler as unknown as Record<string, (...args: unknown[]) => void>;
      for (const name of Object.keys(all).filter((key) => key.startsWith("handle"))) {
        for (const id of ["a", "b"]) {
          expect(() => all[name]?.(odd, odd, id, "a", odd, odd, odd, odd)).not.toThrow();
          expect(() => all[name]?.(odd, id)).not.toThrow();
        }
      }
    }
  });

  it("is a handler as LangChain knows them", () => {
    const handler = createLangChainHandler(createHookHost().host);
    expect(handler.copy()).toBe(handler);
    expect(handler).toMatchObject({
      name: expect.any(String),
      awaitHandlers: true,
      raiseError: false,
    });
  });
});
