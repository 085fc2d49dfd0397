import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { isTracingSuppressed } from "@opentelemetry/core";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { createLibraryTracer } from "../../src/instrumentation/hooks/library-tracer.ts";
import { startHookSpan } from "../../src/instrumentation/hooks/hook-span.ts";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { currentConversationScope, runUnobserved } from "../../src/scope/scopes.ts";
import { createHookHost } from "../instrumentation/hooks/hook-host.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";

const BAD = "You can't lose money in this fund.";
const NOTHING = '{"findings": []}';

let open: JudgedMonitor[] = [];
let servers: ModelServer[] = [];

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

async function startModel(): Promise<ModelServer> {
  const server = await startModelServer([
    { question: "Judge the exchange above", answer: NOTHING },
    { question: "hours", answer: BAD },
  ]);
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const test of open) await test.close();
  for (const server of servers) await server.close();
  context.disable();
  open = [];
  servers = [];
});

const kindsOf = (events: readonly DetailedEvent[]): string[] =>
  events.map(({ interactionType }) => interactionType).toSorted();

/** Asks an OpenAI model, as the page about the judge shows it. */
const askOpenAi =
  (client: OpenAI): JudgeModel =>
  async ({ system, user }, { signal }) => {
    const completion = await client.chat.completions.create(
      {
        model: "judge-model",
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
      },
      { signal },
    );
    return completion.choices[0]?.message.content ?? "";
  };

describe("a call of the judge's model", () => {
  it("through an observed fetch is neither recorded nor judged; the application's are", async () => {
    const server = await startModel();
    const test = await start({ gate: "everything" }, { instrumentations: ["fetch"] });
    const { monitor, judge, delivered, lines } = test;
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
    judge.reply = askOpenAi(client);
    monitor.trackAgentResponse("assistant", "s", "Your balance is 120 dollars.");
    expect(kindsOf(await delivered())).toEqual(["agent_response"]);
    expect(server.requests).toHaveLength(5);
    expect(monitor.stats()).toMatchObject({ judge: { judged: 5 }, calls: { open: 0, missed: 0 } });
    // The same client, in the application's own hands, is observed, and its answer is judged.
    await monitor.conversation({ agentId: "assistant", sessionId: "t" }, () =>
      client.chat.completions.create({
        model: "m",
        messages: [{ role: "user", content: "What are the hours?" }],
      }),
    );
    await delivered();
    const bridged = (test.sink.events as DetailedEvent[]).filter(
      ({ sessionId }) => sessionId === "t",
    );
    expect(kindsOf(bridged)).toEqual(["agent_response", "compliance_violation", "user_message"]);
    expect(server.requests).toHaveLength(11);
    expect(lines.filter((line) => /not observed/.test(line))).toEqual([]);
  });

  it("runs in no trace, no span and no conversation of the application", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const seen: unknown[] = [];
    const { monitor, judge, delivered } = await start();
    judge.reply = () => {
      const active = context.active();
      seen.push(isTracingSuppressed(active), trace.getSpan(active), currentConversationScope());
      return Promise.resolve(NOTHING);
    };
    const tracer = new BasicTracerProvider().getTracer("app");
    const around = trace.setSpan(context.active(), tracer.startSpan("request"));
    context.with(around, () =>
      monitor.conversation({ agentId: "assistant", sessionId: "s" }, () =>
        monitor.trackAgentResponse("assistant", "s", BAD),
      ),
    );
    await delivered();
    expect(seen).toEqual([true, undefined, undefined]);
  });

  it("makes no events of other instrumentations' spans, also without a context manager", async () => {
    const test = await start();
    const { monitor, judge, delivered } = test;
    const provider = new BasicTracerProvider({ spanProcessors: [monitor.spanProcessor] });
    const tracer = provider.getTracer("other");
    const tell = (answer: string): void => {
      const parts = [{ type: "text", content: answer }];
      const attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts }]),
      };
      tracer.startSpan("chat m", { attributes }).end();
    };
    judge.reply = () => {
      tell(BAD);
      return Promise.resolve(NOTHING);
    };
    monitor.trackAgentResponse("assistant", "s", BAD);
    expect(kindsOf(await delivered())).toEqual(["agent_response", "compliance_violation"]);
    tell("Hello.");
    expect(kindsOf(await delivered())).toContain("agent_response");
    expect(judge.requests).toHaveLength(1);
    const answers = (test.sink.events as DetailedEvent[]).filter(
      ({ interactionType }) => interactionType === "agent_response",
    );
    expect(answers).toHaveLength(2);
  });

  it("may track answers of its own, which are recorded and not judged", async () => {
    const holder: { monitor?: AgentMonitor } = {};
    const { monitor, judge, delivered } = await start({ gate: "everything" });
    holder.monitor = monitor;
    judge.reply = () => {
      holder.monitor?.trackAgentResponse("reviewer", "r", BAD);
      return Promise.resolve(NOTHING);
    };
    monitor.trackAgentResponse("assistant", "s", "Your balance is 120 dollars.");
    const events = await delivered();
    const own = events.filter(({ agentId }) => agentId === "reviewer");
    expect(kindsOf(own)).toEqual(Array.from({ length: 5 }, () => "agent_response"));
    expect(judge.requests).toHaveLength(5);
  });
});

describe("hooks of libraries", () => {
  it("tell nothing of what runs unobserved", () => {
    const { host, opened, ended, shown } = createHookHost();
    const library = {
      name: "test",
      scope: "test",
      content: /^$/,
      toOperation: () => "chat" as const,
    };
    const run = (): void => {
      startHookSpan(host, { operation: "chat", attributes: {} }).end();
      createLibraryTracer(host, library).startActiveSpan("chat", (span) => span.end());
    };
    runUnobserved(run);
    expect([opened, ended, shown()]).toEqual([[], [], []]);
    run();
    expect([opened, ended, shown()].map((list) => list.length)).toEqual([2, 2, 2]);
  });
});
