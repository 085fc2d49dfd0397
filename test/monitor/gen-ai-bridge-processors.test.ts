import { context, ROOT_CONTEXT, trace, SpanStatusCode, type Attributes } from "@opentelemetry/api";
import { LoggerProvider } from "@opentelemetry/sdk-logs";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
  type Sampler,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import {
  GenAiBridgeLogRecordProcessor,
  GenAiBridgeSpanProcessor,
} from "../../src/monitor/span-processors.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const open: TestMonitor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((monitor) => monitor.close()));
});

const part = (content: string) => [{ type: "text", content }];

/** A model call as the conventions have it. */
const call = (question: string, answer: string, more: Attributes = {}): Attributes => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: part(question) }]),
  "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: part(answer) }]),
  "gen_ai.usage.input_tokens": 12,
  "gen_ai.usage.output_tokens": 5,
  ...more,
});

const run: Attributes = {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "teller",
};

async function start(config: Parameters<typeof startMonitor>[0] = {}, sampler?: Sampler) {
  const test = await startMonitor(config);
  open.push(test);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    ...(sampler && { sampler }),
    spanProcessors: [
      new GenAiBridgeSpanProcessor({ monitor: test.monitor }),
      new SimpleSpanProcessor(exporter),
    ],
  });
  const loggerProvider = new LoggerProvider({
    processors: [new GenAiBridgeLogRecordProcessor({ monitor: test.monitor })],
  });
  return {
    ...test,
    delivered: () => test.delivered(),
    exporter,
    provider,
    loggerProvider,
    tracer: provider.getTracer("shop"),
  };
}

const recordOnly: Sampler = {
  shouldSample: () => ({ decision: SamplingDecision.RECORD }),
  toString: () => "record only",
};

describe("GenAiBridgeSpanProcessor", () => {
  it("delivers what a span tells, judged by the rules, once", async () => {
    const { tracer, provider, exporter, delivered } = await start();
    const attributes = call(
      "How do I deposit it?",
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
      {
        "gen_ai.agent.name": "teller",
        "session.id": "s-1",
        "user.id": "u-1",
      },
    );
    tracer.startSpan("chat gpt-5", { attributes }).end();
    await provider.forceFlush();
    const events = await delivered();
    expect(events.map(({ interactionType }) => interactionType)).toEqual([
      "user_message",
      "agent_response",
    ]);
    expect(events[1]).toMatchObject({
      agentId: "teller",
      sessionId: "s-1",
      userId: "u-1",
      content:
        "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
      llmMetadata: { model: "gpt-5", tokensUsed: { input: 12, output: 5, total: 17 } },
    });
    const flags = events[1] && "complianceFlags" in events[1] ? events[1].complianceFlags : [];
    expect(flags?.map(({ rule }) => rule)).toContain("bsa-aml-structuring-advice");
    const written = exporter.getFinishedSpans()[0]?.attributes ?? {};
    expect(Object.keys(written).some((key) => key.includes("compliance"))).toBe(true);
  });

  it("has every answer checked once, on its span and as an event", async () => {
    const { monitor, tracer, provider, delivered } = await start();
    const seen: unknown[] = [];
    monitor.complianceEngine?.addRule({
      id: "privacy-counting",
      name: "Counting",
      description: "Counts answers.",
      category: "privacy",
      severity: "info",
      isActive: true,
      ruleFunction: ({ agentResponse }) => {
        seen.push(agentResponse);
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    const agent = tracer.startSpan("agent", { attributes: run });
    const within = trace.setSpan(ROOT_CONTEXT, agent);
    tracer.startSpan("chat", { attributes: call("Hi", "Hello.") }, within).end();
    agent.end();
    await provider.forceFlush();
    expect(await delivered()).toHaveLength(2);
    expect(seen).toEqual(["Hello."]);
  });

  it("takes messages from log records", async () => {
    const { tracer, provider, loggerProvider, delivered } = await start();
    const logger = loggerProvider.getLogger("shop");
    const span = tracer.startSpan("chat gpt-5", {
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5" },
    });
    const within = trace.setSpan(ROOT_CONTEXT, span);
    logger.emit({ eventName: "gen_ai.user.message", body: { content: "Hi" }, context: within });
    logger.emit({
      eventName: "gen_ai.choice",
      body: { index: 0, finish_reason: "stop", message: { content: "Hello." } },
      context: within,
    });
    span.end();
    await provider.forceFlush();
    expect(await delivered()).toMatchObject([{ content: "Hi" }, { content: "Hello." }]);
  });

  it("delivers spans that are recorded and not sampled, and none that are not recorded", async () => {
    const recorded = await start({}, recordOnly);
    recorded.tracer.startSpan("chat", { attributes: call("Hi", "Hello.") }).end();
    await recorded.provider.forceFlush();
    expect(await recorded.delivered()).toHaveLength(2);
    expect(recorded.exporter.getFinishedSpans()).toEqual([]);
    const off = await start({}, new AlwaysOffSampler());
    off.tracer.startSpan("chat", { attributes: call("Hi", "Hello.") }).end();
    await off.provider.forceFlush();
    expect(await off.delivered()).toEqual([]);
  });

  it("puts what runs inside conversation() where the application said, and finds its agent's profile", async () => {
    const { monitor, tracer, provider, delivered } = await start();
    await monitor.registerAgent(agentInfo);
    monitor.conversation(
      { agentId: "assistant", sessionId: "s-7", conversationId: "c-7", userId: "u-7" },
      () => tracer.startSpan("chat", { attributes: call("Hi", "Hello.") }).end(),
    );
    await provider.forceFlush();
    const place = { agentId: "assistant", sessionId: "s-7", conversationId: "c-7", userId: "u-7" };
    expect(await delivered()).toMatchObject([place, place]);
  });

  it("never bridges what the monitor itself writes", async () => {
    const { monitor, provider, delivered } = await start();
    const own = provider.getTracer("agent-monitor");
    own.startSpan("invoke_agent", { attributes: call("Hi", "Hello.") }).end();
    monitor.trackUserMessage("a", "s", "tracked");
    await provider.forceFlush();
    expect(await delivered()).toMatchObject([{ content: "tracked" }]);
    expect(monitor.stats().bridge).toMatchObject({ spans: 0, events: 0 });
  });

  it("leaves the monitor open when the provider shuts down, and tells of spans that never ended", async () => {
    const { monitor, tracer, provider, delivered } = await start();
    tracer.startSpan("chat", { attributes: call("Hi", "") });
    await provider.shutdown();
    monitor.trackUserMessage("a", "s", "afterwards");
    expect(await delivered()).toMatchObject([
      { interactionType: "user_message", content: "Hi" },
      { interactionType: "agent_response", metadata: { notCaptured: "span_never_ended" } },
      { content: "afterwards" },
    ]);
  });

  it("has the rules look at what an agent says beside asking for a tool", async () => {
    const { tracer, provider, delivered } = await start();
    const agentText = "Your approval is guaranteed, whatever your credit history says.";
    const asks = {
      role: "assistant",
      parts: [...part(agentText), { type: "tool_call", id: "k", name: "get_rate", arguments: {} }],
    };
    const attributes = call("Can I have a loan?", "", {
      "gen_ai.output.messages": JSON.stringify([asks]),
    });
    tracer.startSpan("chat", { attributes }).end();
    await provider.forceFlush();
    const [, asked, ...found] = await delivered();
    expect(asked).toMatchObject({
      interactionType: "tool_call",
      metadata: { agentText },
    });
    expect(found.length).toBeGreaterThan(0);
    for (const event of found) {
      expect(event).toMatchObject({
        interactionType: "compliance_violation",
        metadata: { eventId: asked?.eventId },
      });
    }
  });

  it("tells a turn once that is tracked by hand as well, whichever comes first, and says so", async () => {
    const lines: string[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (message: string) => lines.push(message),
      error: () => undefined,
    };
    const { monitor, tracer, provider, delivered } = await start({ logger });
    const ask = (question: string, answer: string): void =>
      tracer.startSpan("chat", { attributes: call(question, answer) }).end();
    const track = (question: string, answer: string): void => {
      monitor.trackUserMessage("teller", "s-7", question);
      monitor.trackAgentResponse("teller", "s-7", answer);
    };
    ask("Fee?", "None.");
    track("Fee?", "None.");
    await provider.forceFlush();
    ask("Rate?", "Two.");
    await provider.forceFlush();
    track("Rate?", "Two.");
    ask("Only seen", "Once.");
    await provider.forceFlush();
    expect((await delivered()).map((event) => "content" in event && event.content)).toEqual([
      "Fee?",
      "None.",
      "Rate?",
      "Two.",
      "Only seen",
      "Once.",
    ]);
    expect(monitor.stats().bridge).toMatchObject({ doubled: 4 });
    expect(lines.filter((line) => line.includes("tracked by hand"))).toHaveLength(1);
  });

  it("tells no verdict on an answer that was not captured", async () => {
    const { tracer, provider, delivered } = await start();
    const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5" };
    tracer.startSpan("chat", { attributes }).end();
    await provider.forceFlush();
    const [question, answer] = await delivered();
    expect(question).toMatchObject({ content: "", metadata: { captured: false } });
    expect(answer).toMatchObject({ content: "", metadata: { captured: false } });
    expect(answer).not.toHaveProperty("complianceFlags");
    expect(answer).not.toHaveProperty("riskScore");
  });

  it("redacts what it delivers", async () => {
    const { tracer, provider, delivered } = await start({ redact: true });
    const attributes = call("My card is 4111 1111 1111 1111.", "Thanks.");
    tracer.startSpan("chat", { attributes }).end();
    await provider.forceFlush();
    expect(JSON.stringify(await delivered())).not.toContain("4111");
  });

  it("tells how a call failed", async () => {
    const { tracer, provider, delivered } = await start();
    const { "gen_ai.output.messages": _, ...attributes } = call("Hi", "");
    const span = tracer.startSpan("chat", { attributes });
    span.recordException(new Error("429 Too many requests"));
    span.setStatus({ code: SpanStatusCode.ERROR, message: "429 Too many requests" });
    span.end();
    await provider.forceFlush();
    expect(await delivered()).toMatchObject([
      { content: "Hi" },
      { interactionType: "error", errorCode: "429", errorMessage: "429 Too many requests" },
    ]);
  });

  it("does nothing more after the monitor is shut down", async () => {
    const { monitor, tracer, provider } = await start();
    const { spanProcessor } = monitor;
    await monitor.shutdown();
    tracer.startSpan("chat", { attributes: call("Hi", "Hello.") }).end();
    await provider.forceFlush();
    await context.with(ROOT_CONTEXT, () => spanProcessor.shutdown());
    expect(monitor.stats().bridge?.events).toBe(0);
  });
});
