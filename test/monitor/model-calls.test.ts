import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLangChainHandler } from "../../src/integrations/langchain.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";
import { findCard } from "../helpers/model-server/script.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const open: TestMonitor[] = [];
let server: ModelServer;
const manager = new AsyncLocalStorageContextManager();

beforeAll(() => {
  context.setGlobalContextManager(manager);
});
afterAll(() => {
  context.disable();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.close()));
  await server.close();
});

async function start(config: Parameters<typeof startMonitor>[0] = {}) {
  server = await startModelServer();
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const test = await startMonitor({ tracerProvider, ...config });
  open.push(test);
  const client = (options: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI =>
    new OpenAI({ apiKey: "sk-test", baseURL: `${server.url}/v1`, maxRetries: 0, ...options });
  return {
    monitor: test.monitor,
    lines: test.lines,
    delivered: () => test.delivered(),
    exporter,
    client,
  };
}

const scope = { agentId: agentInfo.id, sessionId: "session-1", userId: "customer-1" };
const question = (content: string) => ({
  model: "gpt-5",
  messages: [{ role: "user" as const, content }],
});

/** What events say, without ids and times. */
function tell(events: readonly DetailedEvent[]): unknown[] {
  return events.map((event) => {
    switch (event.interactionType) {
      case "user_message":
      case "agent_response":
        return [event.interactionType, event.content];
      case "tool_call":
        return [event.interactionType, event.toolName, event.toolParameters];
      case "tool_result":
        return [event.interactionType, event.toolName, event.toolResult];
      default:
        return [event.interactionType];
    }
  });
}

const OPENS = "When does the Delft branch open?";
const OPENS_AT = "The Delft branch opens at nine and closes at five.";

describe("monitor.fetch", () => {
  it("records a call of a client that it was given to", async () => {
    const { monitor, client, delivered, exporter } = await start();
    const answer = await monitor.conversation(scope, () =>
      client({ fetch: monitor.fetch }).chat.completions.create(question(OPENS)),
    );
    expect(answer.choices[0]?.message.content).toBe(OPENS_AT);
    const events = await delivered();
    expect(tell(events)).toEqual([
      ["user_message", OPENS],
      ["agent_response", OPENS_AT],
    ]);
    expect(events).toMatchObject([scope, scope]);
    expect(events[1]).toMatchObject({
      llmMetadata: { tokensUsed: { input: 21, output: 11 } },
      riskScore: 0,
    });
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 21,
      "session.id": "session-1",
    });
    // The policy is none: what was said is for the platform.
    expect(JSON.stringify(span?.attributes)).not.toContain("Delft");
  });

  it("has the answer judged, on the event and on the span", async () => {
    const script = [
      { question: "safe", answer: "This fund has a guaranteed return, you can't lose." },
    ];
    const { monitor, delivered, exporter, lines } = await start();
    await server.close();
    server = await startModelServer(script);
    const model = new OpenAI({
      apiKey: "sk-test",
      baseURL: `${server.url}/v1`,
      fetch: monitor.fetch,
    });
    await monitor.conversation(scope, () =>
      model.chat.completions.create(question("Is the fund safe?")),
    );
    const [, answer] = await delivered();
    expect(answer).toMatchObject({
      complianceFlags: expect.arrayContaining([
        expect.objectContaining({ rule: "consumer-protection-guaranteed-returns" }),
      ]),
      requiresReview: true,
    });
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      "agent_monitor.compliance.requires_review": true,
    });
    expect(lines.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
  });

  it("records streamed tool calls and what the application's tools gave back", async () => {
    const { monitor, client, delivered } = await start();
    const model = client({ fetch: monitor.fetch });
    const text = await monitor.conversation(scope, () =>
      model.chat.completions
        .runTools({
          stream: true,
          ...question("Is card CARD-77 active?"),
          tools: [
            {
              type: "function",
              function: {
                name: "find_card",
                description: "Finds a card.",
                parameters: { type: "object", properties: { card_id: { type: "string" } } },
                parse: JSON.parse,
                function: ({ card_id }: { card_id: string }) => findCard(card_id),
              },
            },
          ],
        })
        .finalContent(),
    );
    expect(text).toBe("Yes, card CARD-77 is active with a limit of 3000 EUR.");
    const events = tell(await delivered());
    expect(events.map((event) => (event as unknown[])[0])).toEqual([
      "user_message",
      "tool_call",
      "tool_result",
      "agent_response",
    ]);
    expect(events[1]).toEqual(["tool_call", "find_card", { card_id: "CARD-77" }]);
    expect(events[3]).toEqual(["agent_response", text]);
  });

  it("records a refused call once, however often the client tried", async () => {
    const { monitor, client, delivered } = await start();
    const model = client({ fetch: monitor.fetch, maxRetries: 2 });
    const failing = monitor.conversation(scope, () =>
      model.chat.completions.create(question(`${OPENS} [[status=500]]`)),
    );
    await expect(failing).rejects.toThrow("500");
    const events = await delivered();
    expect(tell(events)).toEqual([["user_message", expect.any(String)], ["error"]]);
    expect(events[1]).toMatchObject({ metadata: { retries: 2 } });
  });
});

describe("monitor.instrumentFetch()", () => {
  it("records calls of clients that use the global fetch, until it is taken back", async () => {
    const { monitor, client, delivered } = await start();
    const original = globalThis.fetch;
    const undo = monitor.instrumentFetch();
    monitor.instrumentFetch();
    await monitor.conversation(scope, () => client().chat.completions.create(question(OPENS)));
    undo();
    expect(globalThis.fetch).toBe(original);
    await monitor.conversation(scope, () => client().chat.completions.create(question(OPENS)));
    expect(await delivered()).toHaveLength(2);
  });

  it("tells a call once where both are used", async () => {
    const { monitor, client, delivered } = await start();
    monitor.instrumentFetch();
    const model = client({ fetch: monitor.fetch });
    await monitor.conversation(scope, () => model.chat.completions.create(question(OPENS)));
    expect(await delivered()).toHaveLength(2);
  });

  it("ends with the monitor", async () => {
    const original = globalThis.fetch;
    const { monitor } = await start();
    monitor.instrumentFetch();
    await monitor.shutdown();
    expect(globalThis.fetch).toBe(original);
  });
});

describe("instrumentations", () => {
  it("are turned on by the configuration, which tells once what it found", async () => {
    const original = globalThis.fetch;
    const { client, delivered, lines, monitor } = await start({ instrumentations: ["fetch"] });
    expect(lines.filter((line) => line.includes("instrumentations: fetch; clients found"))).toEqual(
      [expect.stringMatching(/^info .*\bopenai 6\.\d+\.\d+/)],
    );
    await client().chat.completions.create(question(OPENS));
    expect(await delivered()).toHaveLength(2);
    await monitor.shutdown();
    expect(globalThis.fetch).toBe(original);
  });
});

describe("priceTable", () => {
  const rates = { input: 1, output: 10, cacheRead: 0.1 };

  it("fills in what a call has cost", async () => {
    const { monitor, client, delivered } = await start({ priceTable: { openai: { "*": rates } } });
    const model = client({ fetch: monitor.fetch });
    await model.chat.completions.create(question(OPENS));
    const [, answer] = await delivered();
    // 17 tokens that came from no cache, 4 that did, 11 of the answer.
    expect(answer).toMatchObject({ llmMetadata: { cost: (17 + 0.4 + 110) / 1e6 } });
  });

  it("leaves what the caller says, and what is not known", async () => {
    const { monitor, delivered } = await start({ priceTable: { openai: { "gpt-5": rates } } });
    await monitor.registerAgent(agentInfo);
    const metadata = { llmLatency: 10, tokensUsed: { input: 1000, output: 100, total: 1100 } };
    monitor.trackAgentResponse(agentInfo.id, "one", "Yes.", metadata);
    monitor.trackAgentResponse(agentInfo.id, "two", "Yes.", { ...metadata, cost: 7 });
    monitor.trackAgentResponse("unknown", "three", "Yes.", {
      ...metadata,
      provider: "acme",
      model: "m",
    });
    const costs = (await delivered()).map((event) =>
      event.interactionType === "agent_response" ? event.llmMetadata?.cost : undefined,
    );
    expect(costs).toEqual([0.002, 7, undefined]);
  });
});

describe("content", () => {
  const ssn = "536-90-4399";
  const secret = `${OPENS} My SSN is ${ssn}.`;

  const ask = async (content: "full" | "none" | "redacted", words: string): Promise<string> => {
    const { monitor, client, exporter, delivered } = await start({ content });
    const model = client({ fetch: monitor.fetch });
    await model.chat.completions.create(question(secret + words)).catch(() => undefined);
    expect(JSON.stringify(await delivered())).toContain(ssn);
    return JSON.stringify(
      exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
  };

  it.each(["", " [[status=400]]"])("goes on the span as its policy says%s", async (words) => {
    expect(await ask("full", words)).toContain(ssn);
    await server.close();
    expect(await ask("none", words)).not.toContain("SSN");
    await server.close();
    const redacted = await ask("redacted", words);
    expect(redacted).toContain("My SSN is");
    expect(redacted).not.toContain(ssn);
  });
});

describe("at the edges", () => {
  it.each(["flush", "forceFlush"])(
    "has told a call that is over when %s is called at once",
    async (way) => {
      const { monitor, client } = await start({ enableComplianceChecks: false });
      const { chat } = client({ fetch: monitor.fetch });
      const answer = await monitor.conversation(scope, () =>
        chat.completions.create(question(OPENS)),
      );
      expect(answer.choices).toHaveLength(1);
      void (way === "flush" ? monitor.flush() : monitor.spanProcessor.forceFlush());
      expect(monitor.stats().tracked).toBe(2);
    },
  );

  it("tells a call that has failed before the application's provider gives it up", async () => {
    const { monitor, client, delivered } = await start();
    const { chat } = client({ fetch: monitor.fetch });
    await monitor.conversation(scope, () =>
      expect(chat.completions.create(question(`${OPENS} [[status=500]]`))).rejects.toThrow(),
    );
    await monitor.spanProcessor.shutdown();
    const events = await delivered();
    expect(events.map((event) => event.interactionType)).toEqual(["user_message", "error"]);
    expect(events[1]).not.toMatchObject({ errorCode: "span_abandoned" });
  });

  it("observes nothing where there is no fetch, and says so", async () => {
    const { monitor, lines } = await start();
    const { fetch } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, "fetch");
      expect(() => monitor.instrumentFetch()).not.toThrow();
      expect(globalThis.fetch).toBeUndefined();
    } finally {
      globalThis.fetch = fetch;
    }
    expect(lines.join()).toContain("can't be observed");
  });

  it("makes no spans after shutdown for hooks that can't be taken out", async () => {
    const { monitor, exporter } = await start();
    const handler = createLangChainHandler(monitor);
    await monitor.shutdown();
    const told = exporter.getFinishedSpans().length;
    handler.handleToolStart({ name: "find_card" }, "{}", "run-1");
    handler.handleToolEnd("active", "run-1");
    expect(exporter.getFinishedSpans()).toHaveLength(told);
  });

  it("leaves the global fetch alone after shutdown", async () => {
    const { monitor } = await start();
    const { fetch } = globalThis;
    await monitor.shutdown();
    monitor.instrumentFetch();
    expect(globalThis.fetch).toBe(fetch);
  });
});
