import { tracingChannel } from "node:diagnostics_channel";
import { context, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { createAiSdkHook } from "../../../src/instrumentation/hooks/ai-sdk.ts";
import type { FetchObserverHost } from "../../../src/instrumentation/host.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { createHookHost, withContextManager } from "./hook-host.ts";

const QUESTION = "Is card CARD-77 active?";
const ANSWER = "Yes, card CARD-77 is active.";
const CALL = { toolCallId: "c1", toolName: "find_card", input: { card_id: "CARD-77" } };
const USER = { role: "user", content: QUESTION };
const MODEL = { provider: "openai.chat", modelId: "gpt-4o" };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function createHook(options: Partial<FetchObserverHost> = {}) {
  const clock = createFakeClock();
  const hooked = createHookHost({ clock, ...options });
  const hook = createAiSdkHook(hooked.host);
  closers.push(() => hook.disable());
  return { ...hooked, hook, clock };
}

describe("version 7, by its tracing channel", () => {
  const channel = tracingChannel<object, object>("ai:telemetry");
  let calls = 0;
  const nextId = (): string => `call-${calls++}`;

  /** What the AI SDK publishes around a piece of work. */
  const publish = <T>(type: string, event: object, work: () => Promise<T> | T): Promise<T> =>
    channel.tracePromise(async () => work(), { type, event });
  const callModel = (callId: string, messages: readonly object[], result: object) =>
    publish("languageModelCall", { callId, ...MODEL, messages }, () => result);
  const runTool = <T>(callId: string, work: () => Promise<T> | T) =>
    publish("executeTool", { callId, toolCall: { type: "tool-call", ...CALL } }, async () => {
      const told = { ...CALL, type: "tool-result" };
      try {
        return { output: { ...told, output: await work() } };
      } catch (error) {
        return { output: { ...told, type: "tool-error", error } };
      }
    });

  const ASKING = {
    content: [{ type: "tool-call", ...CALL, input: JSON.stringify(CALL.input) }],
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage: { inputTokens: { total: 21, noCache: 17, cacheRead: 4 }, outputTokens: { total: 11 } },
    response: { id: "chatcmpl-1", modelId: "gpt-4o-2024-08-06" },
  };
  const ANSWERING = {
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: ANSWER },
    ],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 30 }, outputTokens: { total: 9 } },
    response: { id: "chatcmpl-2", modelId: "gpt-4o-2024-08-06" },
  };
  const TOLD = [
    USER,
    { role: "assistant", content: [{ type: "tool-call", ...CALL }] },
    {
      role: "tool",
      content: [{ type: "tool-result", ...CALL, output: { type: "json", value: { limit: 5 } } }],
    },
  ];

  /** A run of `generateText` with one tool. */
  const generate = (callId: string, tool: () => unknown, pass = async () => undefined as void) =>
    publish(
      "generateText",
      { callId, ...MODEL, instructions: "Be nice.", messages: [USER], functionId: "teller" },
      async () => {
        await publish("step", { callId, stepNumber: 0 }, async () => {
          await callModel(callId, [USER], ASKING);
          await pass();
          await runTool(callId, tool);
          await pass();
        });
        await publish("step", { callId, stepNumber: 1 }, () => callModel(callId, TOLD, ANSWERING));
        return { steps: [ASKING, ANSWERING] };
      },
    );

  it("tells of an agent, its calls and its tools, nested, without content in public", async () => {
    const { hook, clock, shown, told, publicSpans, ended } = createHook();
    hook.enable();
    hook.enable();
    await generate(
      nextId(),
      () => ({ limit: 5 }),
      () => clock.advance(5),
    );
    expect(shown()).toEqual([
      "chat gpt-4o < invoke_agent teller",
      "execute_tool find_card < invoke_agent teller",
      "chat gpt-4o < invoke_agent teller",
      "invoke_agent teller",
    ]);
    expect(JSON.stringify(publicSpans().map(({ attributes }) => attributes))).not.toMatch(
      /CARD-77|nice/,
    );
    expect(ended[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": "openai",
      "gen_ai.response.id": "chatcmpl-1",
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.input_tokens": 21,
      "gen_ai.usage.output_tokens": 11,
      "gen_ai.usage.cache_read.input_tokens": 4,
    });
    expect(told()).toEqual([
      `user_message teller: ${QUESTION}`,
      'tool_call teller: find_card {"card_id":"CARD-77"}',
      'tool_result teller: find_card {"limit":5}',
      `agent_response teller: ${ANSWER}`,
    ]);
  });

  it("makes what runs inside its child, for all of OpenTelemetry", async () => {
    await withContextManager(async () => {
      const { hook, tracer, shown } = createHook();
      hook.enable();
      await generate(nextId(), () => tracer.startSpan("SELECT card").end());
      expect(shown()).toContain("SELECT card < execute_tool find_card");
      expect(trace.getSpan(context.active())).toBeUndefined();
    });
  });

  it("nests agents without a context manager", async () => {
    const { hook, shown } = createHook();
    hook.enable();
    const inner = nextId();
    await generate(nextId(), () =>
      publish("generateText", { callId: inner, ...MODEL, functionId: "desk" }, () => ({
        steps: [],
      })),
    );
    expect(shown()).toContain("invoke_agent desk < execute_tool find_card");
  });

  it("tells of a tool that fails", async () => {
    const { hook, shown, told } = createHook();
    hook.enable();
    await generate(nextId(), () => {
      throw new TypeError("no such card");
    });
    expect(shown()).toContain('execute_tool find_card < invoke_agent teller !"TypeError"');
    expect(told().at(2)).toContain("tool_result teller: find_card");
  });

  it("tells of a call that fails, and gives the error to its caller", async () => {
    const { hook, shown } = createHook();
    hook.enable();
    const callId = nextId();
    const failure = Object.assign(new Error("overloaded"), { name: "AI_APICallError" });
    const run = publish("generateText", { callId, ...MODEL }, () =>
      publish("languageModelCall", { callId, ...MODEL, messages: [USER] }, () =>
        Promise.reject(failure),
      ),
    );
    await expect(run).rejects.toBe(failure);
    expect(shown()).toEqual([
      'chat gpt-4o < invoke_agent !"AI_APICallError"',
      'invoke_agent !"AI_APICallError"',
    ]);
  });

  it("leaves a stream open until its step ends, or its run", async () => {
    const { hook, shown } = createHook();
    hook.enable();
    const callId = nextId();
    const aborted = new DOMException("This operation was aborted", "AbortError");
    const run = publish("streamText", { callId, ...MODEL }, async () => {
      await publish("step", { callId }, () => callModel(callId, [USER], { stream: {} }));
      expect(shown()).toEqual(["chat gpt-4o"]);
      await callModel(callId, [USER], { stream: {} });
      throw aborted;
    });
    await expect(run).rejects.toBe(aborted);
    expect(shown().slice(1)).toEqual([
      'chat gpt-4o < invoke_agent !"AbortError"',
      'invoke_agent !"AbortError"',
    ]);
  });

  it("gives up a stream that its reader has left", async () => {
    const { hook, clock, shown, bridge } = createHook();
    hook.enable();
    const callId = nextId();
    void publish("streamText", { callId, ...MODEL }, async () => {
      await callModel(callId, [USER], { stream: {} });
      return new Promise(() => undefined);
    });
    await clock.advance(0);
    await clock.advance(10 * 60_000);
    expect(shown()).toEqual([
      'chat gpt-4o < invoke_agent !"span_abandoned"',
      'invoke_agent !"span_abandoned"',
    ]);
    expect(clock.pending).toBe(0);
    // Nothing waits for a span that nobody will end.
    expect(bridge.stats().abandoned).toBe(2);
  });

  it("keeps a thousand spans at most", async () => {
    const { hook, shown } = createHook();
    hook.enable();
    for (let index = 0; index <= 1000; index++) {
      void publish(
        "generateText",
        { callId: nextId(), ...MODEL },
        () => new Promise(() => undefined),
      );
    }
    expect(shown()).toEqual(['invoke_agent !"span_abandoned"']);
  });

  it.each([
    ["nothing", undefined],
    ["no event", { type: "generateText" }],
    ["another kind", { type: "embed", event: { callId: "e" } }],
    ["content of other types", { type: "languageModelCall", event: { messages: 5, system: [[]] } }],
    [
      "a getter that throws",
      {
        type: "generateText",
        get event() {
          throw new Error("no");
        },
      },
    ],
  ])("passes %s", async (_what, message: object | undefined) => {
    const { hook } = createHook();
    hook.enable();
    const result = await channel.tracePromise(async () => "result", message);
    expect(result).toBe("result");
  });

  it("ends with the hook", async () => {
    const { hook, shown, opened } = createHook();
    hook.enable();
    void publish(
      "generateText",
      { callId: nextId(), ...MODEL },
      () => new Promise(() => undefined),
    );
    hook.disable();
    hook.disable();
    expect(shown()).toEqual(['invoke_agent !"span_abandoned"']);
    await generate(nextId(), () => 5);
    expect(opened).toHaveLength(1);
  });
});

describe("versions 5 and 6, by their tracer", () => {
  const ROOT = {
    "ai.operationId": "ai.generateText",
    "ai.model.id": "gpt-4o",
    "ai.telemetry.functionId": "teller",
    "ai.request.headers.authorization": "Bearer secret",
    "ai.prompt": JSON.stringify({ prompt: QUESTION }),
  };
  const CHAT = {
    "ai.operationId": "ai.generateText.doGenerate",
    "ai.model.id": "gpt-4o",
    "ai.model.provider": "openai.chat",
    "ai.prompt.messages": JSON.stringify([
      { role: "user", content: [{ type: "text", text: QUESTION }] },
    ]),
  };
  const TOOL = {
    "ai.operationId": "ai.toolCall",
    "ai.toolCall.name": "find_card",
    "ai.toolCall.id": "c1",
    "ai.toolCall.args": '{"card_id":"CARD-77"}',
  };

  const work = async (inner: Span): Promise<void> => {
    inner.setAttributes({ "ai.response.text": ANSWER, "ai.response.id": "chatcmpl-2" });
    inner.end();
  };

  it("tells of whole runs, nested, without content and headers in public", async () => {
    const { hook, clock, shown, told, publicSpans, ended } = createHook();
    await hook.tracer.startActiveSpan("ai.generateText", { attributes: ROOT }, async (root) => {
      await hook.tracer.startActiveSpan("ai.toolCall", { attributes: TOOL }, async (tool) => {
        tool.setAttribute("ai.toolCall.result", '{"limit":5}').addEvent("first").end();
      });
      await clock.advance(5);
      await hook.tracer.startActiveSpan("ai.generateText.doGenerate", { attributes: CHAT }, work);
      root.setAttribute("ai.response.text", ANSWER);
      root.end();
      root.end();
    });
    expect(shown()).toEqual([
      "execute_tool find_card < invoke_agent teller",
      "chat gpt-4o < invoke_agent teller",
      "invoke_agent teller",
    ]);
    const everything = JSON.stringify(
      [publicSpans(), ended].map((all) => all.map(({ attributes }) => attributes)),
    );
    expect(everything).not.toContain("Bearer");
    expect(JSON.stringify(publicSpans().map(({ attributes }) => attributes))).not.toContain(
      "CARD-77",
    );
    expect(ended).toHaveLength(3);
    const events = told();
    expect(events).toContain('tool_result teller: find_card {"limit":5}');
    expect(events.at(-1)).toBe(`agent_response teller: ${ANSWER}`);
  });

  it("shows content by the policy", async () => {
    const { hook, publicSpans } = createHook({ toPublicContent: (content) => content });
    await hook.tracer.startActiveSpan("ai.generateText.doGenerate", { attributes: CHAT }, work);
    expect(publicSpans()[0]?.attributes).toMatchObject({ "ai.response.text": ANSWER });
  });

  it("tells of failures, and ends what an aborted run leaves open", () => {
    const { hook, shown } = createHook();
    hook.tracer.startActiveSpan("ai.streamText", { attributes: ROOT }, (root) => {
      const chat = hook.tracer.startSpan("ai.streamText.doStream", { attributes: CHAT });
      expect(chat.isRecording()).toBe(true);
      root.recordException(new TypeError("no"));
      root.setStatus({ code: SpanStatusCode.ERROR, message: QUESTION });
      root.end();
      chat.setAttribute("ai.response.text", ANSWER);
      chat.end();
    });
    expect(shown()).toEqual([
      'invoke_agent teller !"TypeError"',
      'chat gpt-4o < invoke_agent teller !"span_abandoned"',
    ]);
  });

  it("makes what runs inside its child", async () => {
    await withContextManager(async () => {
      const { hook, tracer, shown } = createHook();
      hook.tracer.startActiveSpan("ai.toolCall", { attributes: TOOL }, (tool) => {
        tracer.startSpan("SELECT card").end();
        tool.end();
      });
      expect(shown()[0]).toBe("SELECT card < execute_tool find_card");
    });
  });

  it("goes on when a span can't be made", () => {
    const { hook, lines } = createHook({
      onStart: () => {
        throw new Error("no");
      },
    });
    const result = hook.tracer.startActiveSpan("ai.generateText", (span) => {
      span.end();
      return 5;
    });
    expect(result).toBe(5);
    expect(lines).toEqual(["a span of a library could not be made"]);
  });
});

describe("version 6, by its integration", () => {
  it("tells of tools", () => {
    const { hook, shown, ended } = createHook();
    const toolCall = { type: "tool-call", ...CALL };
    hook.integration.onToolCallStart({ toolCall });
    hook.integration.onToolCallFinish({ toolCall, success: true, output: { limit: 5 } });
    const failing = { type: "tool-call", ...CALL };
    hook.integration.onToolCallStart({ toolCall: failing });
    hook.integration.onToolCallFinish({ toolCall: failing, error: new TypeError("no") });
    expect(shown()).toEqual(["execute_tool find_card", 'execute_tool find_card !"TypeError"']);
    expect(ended[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.arguments": '{"card_id":"CARD-77"}',
      "gen_ai.tool.call.result": '{"limit":5}',
    });
  });

  it("leaves to the tracer what it tells of", async () => {
    await withContextManager(async () => {
      const { hook, shown } = createHook();
      const attributes = { "ai.operationId": "ai.toolCall", "ai.toolCall.name": "find_card" };
      hook.tracer.startActiveSpan("ai.toolCall", { attributes }, (span) => {
        hook.integration.onToolCallStart({ toolCall: CALL });
        hook.integration.onToolCallFinish({ toolCall: CALL, output: 5 });
        span.end();
      });
      expect(shown()).toEqual(["execute_tool find_card"]);
    });
  });

  it.each([undefined, null, 5, {}, { toolCall: null }])("takes %j", (event) => {
    const { hook } = createHook();
    expect(hook.integration.onToolCallStart(event)).toBeUndefined();
    expect(hook.integration.onToolCallFinish(event)).toBeUndefined();
  });
});
