import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import { observeOpenAI } from "@langfuse/openai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const OPENS = "When does the Delft branch open?";

let server: ModelServer;
let test: TestMonitor;
let exporter: InMemorySpanExporter;
let tracerProvider: BasicTracerProvider;

beforeEach(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  server = await startModelServer();
  exporter = new InMemorySpanExporter();
  test = await startMonitor();
  tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter), test.monitor.spanProcessor],
  });
  trace.setGlobalTracerProvider(tracerProvider);
});
afterEach(async () => {
  context.disable();
  trace.disable();
  await test.close();
  await server.close();
});

const makeClient = (): OpenAI =>
  new OpenAI({
    apiKey: "sk-test",
    baseURL: `${server.url}/v1`,
    maxRetries: 0,
    fetch: test.monitor.fetch,
  });

const ask = (client: OpenAI, content = OPENS): Promise<unknown> =>
  client.chat.completions.create({ model: "gpt-5", messages: [{ role: "user", content }] });

it("a call that nobody else tells of keeps its span beside an open one of another question", async () => {
  const other = tracerProvider.getTracer("langfuse-sdk").startSpan("OpenAI.chat", {
    attributes: {
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "gpt-5",
      "langfuse.observation.input": JSON.stringify([{ role: "user", content: "Another question" }]),
    },
  });
  await ask(makeClient());
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["chat gpt-5"]);
  other.end();
});

/** What others hand out in place of the SDK's spans. */
const OTHERS: Record<string, () => OpenAI> = {
  Langfuse: () => observeOpenAI(makeClient()),
  // Last: it patches the class.
  OpenInference() {
    new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(OpenAI);
    return makeClient();
  },
};

describe.each(Object.entries(OTHERS))("beside %s", (_, make) => {
  it("a call has one span that counts tokens, and its events are told once", async () => {
    const client = make();
    await test.monitor.conversation({ agentId: agentInfo.id, sessionId: "s-1" }, () => ask(client));
    const events = await test.delivered();
    await test.monitor.shutdown();
    const names = exporter.getFinishedSpans().map(({ name }) => name);
    expect(names).toContainEqual(expect.stringMatching(/^OpenAI/));
    expect(names).not.toContain("chat gpt-5");
    const kinds = events.map(({ interactionType }) => interactionType);
    expect(kinds).toEqual(["user_message", "agent_response"]);
  });
});
