import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { createAiSdkHook } from "../../src/integrations/ai-sdk.ts";
import { createLangChainHandler } from "../../src/integrations/langchain.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";

let test: TestMonitor;
let server: ModelServer;

afterEach(async () => {
  context.disable();
  await test.close();
  await server.close();
});

const scope = { agentId: agentInfo.id, sessionId: "session-1" };

async function start(hasContextManager: boolean) {
  if (hasContextManager)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  test = await startMonitor({ tracerProvider });
  server = await startModelServer();
  const { monitor } = test;
  const client = new OpenAI({
    apiKey: "sk-test",
    baseURL: `${server.url}/v1`,
    maxRetries: 0,
    fetch: monitor.fetch,
  });
  const ask = (content = "When does the Delft branch open?") =>
    client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
  /** Ends what is open, and gives all spans of a kind. */
  const spansOf = async (kind: string): Promise<ReadableSpan[]> => {
    await monitor.shutdown();
    return exporter.getFinishedSpans().filter(({ name }) => name.startsWith(kind));
  };
  return { monitor, client, ask, exporter, spansOf, tracer: tracerProvider.getTracer("app") };
}

const parentOf = (span: ReadableSpan | undefined): unknown => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined): unknown => span?.spanContext().spanId;
const traceOf = (span: ReadableSpan | undefined): unknown => span?.spanContext().traceId;

describe.each([
  ["with a context manager", true],
  ["without a context manager", false],
])("%s", (_, hasContextManager) => {
  it("the calls of a run stand in one turn of their conversation", async () => {
    const { monitor, ask, spansOf } = await start(hasContextManager);
    await monitor.conversation(scope, async () => {
      await ask();
      await ask("And on Sundays?");
    });
    const chats = await spansOf("chat");
    const [[turn, ...moreTurns], [conversation]] = [
      await spansOf("invoke_agent"),
      await spansOf("conversation"),
    ];
    expect(chats).toHaveLength(2);
    expect(moreTurns).toEqual([]);
    expect(chats.map(parentOf)).toEqual([idOf(turn), idOf(turn)]);
    expect(parentOf(turn)).toBe(idOf(conversation));
    expect(turn?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": agentInfo.id,
      "session.id": "session-1",
    });
    // In the order in which they ended: each span measures time from a start of its own.
    const ended = await spansOf("");
    expect(ended.indexOf(turn!)).toBeGreaterThan(ended.indexOf(chats[1]!));
  });

  it("each run is a turn of its own, all in the trace of the conversation", async () => {
    const { monitor, ask, spansOf } = await start(hasContextManager);
    for (let turn = 0; turn < 2; turn++) await monitor.conversation(scope, () => ask("Yes"));
    const [chats, turns] = [await spansOf("chat"), await spansOf("invoke_agent")];
    expect(chats.map(parentOf)).toEqual(turns.map(idOf));
    expect(new Set([...chats, ...turns].map(traceOf)).size).toBe(1);
    const events = await test.delivered();
    const said = events.map(({ interactionType }) => interactionType);
    expect(said.filter((kind) => kind === "user_message")).toHaveLength(2);
    expect(said.filter((kind) => kind === "agent_response")).toHaveLength(2);
  });

  it("a turn that is tracked by hand is the turn of its calls", async () => {
    const { monitor, ask, spansOf } = await start(hasContextManager);
    await monitor.conversation(scope, async () => {
      monitor.trackUserMessage(scope.agentId, scope.sessionId, "Good morning");
      await ask();
      monitor.trackAgentResponse(scope.agentId, scope.sessionId, "Good morning to you");
    });
    const [[chat], turns] = [await spansOf("chat"), await spansOf("invoke_agent")];
    expect(turns).toHaveLength(1);
    expect(parentOf(chat)).toBe(idOf(turns[0]));
  });

  it("what hooks tell stands in the turn, and what runs inside stands there", async () => {
    const { monitor, spansOf } = await start(hasContextManager);
    const handler = createLangChainHandler(monitor);
    await monitor.conversation(scope, async () => {
      handler.handleToolStart({}, "{}", "run-1", undefined, [], {}, "find_card");
      handler.handleToolEnd("found", "run-1");
    });
    const [[tool], [turn]] = [await spansOf("execute_tool"), await spansOf("invoke_agent")];
    expect(parentOf(tool)).toBe(idOf(turn));
  });

  it("a call stands in the span of the hook that tells of it, once", async () => {
    const { monitor, ask, spansOf } = await start(hasContextManager);
    const question = "When does the Delft branch open?";
    const attributes = {
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.model.id": "m",
      "ai.prompt.messages": JSON.stringify([{ role: "user", content: question }]),
    };
    await createAiSdkHook(monitor).tracer.startActiveSpan(
      "ai.generateText.doGenerate",
      { attributes },
      async (span) => {
        await ask(question);
        span.end();
      },
    );
    const names = (await spansOf("")).map(({ name }) => name);
    expect(names).toEqual(["chat m"]);
    const said = test.sink.events.map(({ interactionType }) => interactionType);
    expect(said).toEqual(["user_message", "agent_response"]);
  });

  it("a turn ends with a stream that is read after the run", async () => {
    const { monitor, client, exporter, spansOf } = await start(hasContextManager);
    const stream = await monitor.conversation(scope, () =>
      client.chat.completions.create({
        model: "m",
        messages: [{ role: "user", content: "When does the Delft branch open?" }],
        stream: true,
      }),
    );
    expect(exporter.getFinishedSpans()).toEqual([]);
    for await (const chunk of stream) void chunk;
    const names = exporter.getFinishedSpans().map(({ name }) => name.split(" ")[0]);
    expect(names).toEqual(["chat", "invoke_agent"]);
    await spansOf("");
  });

  it("a turn of which something never ends ends with the monitor, marked as incomplete", async () => {
    const { monitor, exporter, spansOf } = await start(hasContextManager);
    const handler = createLangChainHandler(monitor);
    monitor.conversation(scope, () => {
      handler.handleChatModelStart({}, [[]], "run-1");
    });
    expect(exporter.getFinishedSpans()).toEqual([]);
    const [turn, ...others] = await spansOf("invoke_agent");
    expect(turn?.attributes["agent_monitor.conversation.incomplete"]).toBe(true);
    expect(others).toEqual([]);
  });

  it("a run without calls has no turn, and one that fails ends its turn", async () => {
    const { monitor, ask, spansOf } = await start(hasContextManager);
    expect(monitor.conversation(scope, () => 7)).toBe(7);
    const failure = new Error("no");
    await expect(
      monitor.conversation(scope, async () => {
        await ask();
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(() =>
      monitor.conversation(scope, () => {
        throw failure;
      }),
    ).toThrow(failure);
    expect(await spansOf("invoke_agent")).toHaveLength(1);
  });

  it("asks for the start of a conversation as if no call had been before", async () => {
    const { monitor, ask } = await start(hasContextManager);
    const event = {
      interactionType: "user_message" as const,
      sessionId: "session-2",
      content: "Hi",
    };
    await monitor.conversation({ ...scope, sessionId: "session-2" }, async () => {
      const asking = ask();
      monitor.track(scope.agentId, event, { trackConversationStart: true });
      await asking;
    });
    const kinds = (await test.delivered()).map(({ interactionType }) => interactionType);
    expect(kinds).toContain("conversation_start");
  });
});

it("a run whose calls all stand in spans of their own has no turn of its own", async () => {
  const { monitor, ask, spansOf, tracer } = await start(true);
  await monitor.conversation(scope, () =>
    tracer.startActiveSpan("step", async (step) => {
      await ask();
      step.end();
    }),
  );
  const [[chat], [step]] = [await spansOf("chat"), await spansOf("step")];
  expect(parentOf(chat)).toBe(idOf(step));
  expect(await spansOf("invoke_agent")).toEqual([]);
});

it("a span of the application that is active stays around, with the turn between it and its calls", async () => {
  const { monitor, ask, spansOf, tracer } = await start(true);
  await tracer.startActiveSpan("request", async (request) => {
    await monitor.conversation(scope, async () => {
      await ask();
      await tracer.startActiveSpan("step", async (step) => {
        await ask("And on Sundays?");
        step.end();
      });
    });
    request.end();
  });
  const [first, second] = await spansOf("chat");
  const [[turn], [request], [step]] = [
    await spansOf("invoke_agent"),
    await spansOf("request"),
    await spansOf("step"),
  ];
  expect([parentOf(first), parentOf(turn)]).toEqual([idOf(turn), idOf(request)]);
  expect([parentOf(second), parentOf(step)]).toEqual([idOf(step), idOf(request)]);
  expect(trace.getActiveSpan()).toBeUndefined();
});

describe("what never ends", () => {
  const never = () => new Promise(() => undefined);
  const messages = [[{ _getType: () => "human", content: "When does it open?" }]];

  it("leaves the turn open for a while when its conversation is ended by hand, and marks it", async () => {
    const { monitor, spansOf } = await start(false);
    const handler = createLangChainHandler(monitor, { publishModelCalls: true });
    void monitor.conversation(scope, () => {
      handler.handleChatModelStart({}, messages, "run-1");
      return never();
    });
    monitor.trackConversationEnd(scope.agentId, scope.sessionId);
    const [turn] = await spansOf("invoke_agent");
    expect(turn?.attributes).toMatchObject({ "agent_monitor.conversation.incomplete": true });
  });

  it("ends in public when the monitor shuts down, and is told as far as it was seen", async () => {
    const { monitor, spansOf } = await start(false);
    const handler = createLangChainHandler(monitor, { publishModelCalls: true });
    handler.handleChatModelStart({}, messages, "run-1");
    handler.handleToolStart({ name: "find_branch" }, '{"city":"Delft"}', "run-2");
    const [chat] = await spansOf("chat");
    const [tool] = await spansOf("execute_tool");
    for (const span of [chat, tool]) {
      expect(span?.attributes["error.type"]).toBe("span_abandoned");
      expect(span?.status.code).toBe(2);
    }
    const told = await test.delivered();
    const [question, answer, call] = (["user_message", "agent_response", "tool_call"] as const).map(
      (kind) => told.find(({ interactionType }) => interactionType === kind),
    );
    expect(told).toHaveLength(3);
    expect(question).toMatchObject({ content: "When does it open?" });
    expect(answer?.metadata).toMatchObject({ notCaptured: "span_never_ended" });
    expect(call).toMatchObject({ toolName: "find_branch" });
    expect(monitor.stats().bridge).toMatchObject({ abandoned: 2, waiting: 0 });
  });
});
