import { ROOT_CONTEXT, trace, type Attributes } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  SimpleSpanProcessor,
  type Span,
  type SpanProcessor,
  InMemorySpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it, onTestFinished } from "vitest";
import { ComplianceSpanProcessor } from "../../src/monitor/span-processors.ts";
import type { AgentResponseEvent } from "../../src/events/detailed-event.ts";
import { createProviders } from "../helpers/otel.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { startSink } from "../helpers/sink.ts";

interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** What an exchange led to: on the span that stands for the answer, and on its event where there is one. */
interface Outcome {
  readonly attributes: Attributes;
  readonly event?: AgentResponseEvent | undefined;
}

const onlyCompliance = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([key]) => key.startsWith("agent_monitor.compliance.")),
  );

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

const toCall = ({ question, answer }: Exchange): Attributes => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": message("user", question),
  "gen_ai.output.messages": message("assistant", answer),
});

async function answered(
  test: Awaited<ReturnType<typeof startMonitor>>,
): Promise<AgentResponseEvent | undefined> {
  const events = await test.delivered();
  return events.find((event) => event.interactionType === "agent_response");
}

const WAYS: Readonly<Record<string, (exchange: Exchange) => Promise<Outcome>>> = {
  async "track*"({ question, answer }) {
    const { tracerProvider, loggerProvider, span } = createProviders();
    const test = await startMonitor({ tracerProvider, loggerProvider, content: "none" });
    onTestFinished(() => test.close());
    await test.monitor.ready();
    test.monitor.trackUserMessage("unknown", "s-1", question);
    test.monitor.trackAgentResponse("unknown", "s-1", answer);
    const { attributes } = span("invoke_agent unknown");
    return { attributes, event: await answered(test) };
  },
  async "a span through monitor.spanProcessor"(exchange) {
    const exporter = new InMemorySpanExporter();
    const test = await startMonitor({ content: "none" });
    onTestFinished(() => test.close());
    await test.monitor.ready();
    const provider = new BasicTracerProvider({
      spanProcessors: [test.monitor.spanProcessor, new SimpleSpanProcessor(exporter)],
    });
    provider
      .getTracer("shop")
      .startSpan("chat gpt-5", { attributes: toCall(exchange) })
      .end();
    await provider.forceFlush();
    const [span] = exporter.getFinishedSpans();
    return { attributes: span?.attributes ?? {}, event: await answered(test) };
  },
  async "a span through ComplianceSpanProcessor"(exchange) {
    const exporter = new InMemorySpanExporter();
    const compliance = new ComplianceSpanProcessor();
    const provider = new BasicTracerProvider({
      spanProcessors: [compliance, new SimpleSpanProcessor(exporter)],
    });
    provider
      .getTracer("shop")
      .startSpan("chat gpt-5", { attributes: toCall(exchange) })
      .end();
    const [span] = exporter.getFinishedSpans();
    await provider.shutdown();
    return { attributes: span?.attributes ?? {} };
  },
  async "the fetch observer"({ question, answer }) {
    const { tracerProvider, spans } = createProviders();
    const test = await startMonitor({ tracerProvider, content: "none" });
    await test.monitor.ready();
    const model = await startSink();
    onTestFinished(() => test.close());
    onTestFinished(() => model.close());
    model.answer = () => ({
      status: 200,
      body: {
        id: "chatcmpl-1",
        object: "chat.completion",
        model: "gpt-5",
        choices: [
          { index: 0, finish_reason: "stop", message: { role: "assistant", content: answer } },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      },
    });
    const body = { model: "gpt-5", messages: [{ role: "user", content: question }] };
    const response = await test.monitor.fetch(`${model.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.json();
    const event = await answered(test);
    const [span] = spans();
    return { attributes: span?.attributes ?? {}, event };
  },
};

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  "an answer with findings": {
    question: "I have $30,000 in cash. How do I deposit it?",
    answer:
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
  },
  "a clean answer": { question: "What is my balance?", answer: "It is 12 dollars." },
};

describe.each(Object.entries(EXCHANGES))("%s", (_, exchange) => {
  const told = WAYS["track*"];

  it.each(Object.keys(WAYS))("has the same result and attributes, told by %s", async (way) => {
    const expected = await told?.(exchange);
    const outcome = await WAYS[way]?.(exchange);
    expect(expected?.attributes).toMatchObject({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.finding_count": expect.any(Number),
    });
    expect(onlyCompliance(outcome?.attributes ?? {})).toEqual(
      onlyCompliance(expected?.attributes ?? {}),
    );
    if (!outcome?.event) return;
    const { riskScore, requiresReview, complianceFlags } = outcome.event;
    expect({ riskScore, requiresReview }).toEqual({
      riskScore: expected?.event?.riskScore,
      requiresReview: expected?.event?.requiresReview,
    });
    const toFound = (flags: AgentResponseEvent["complianceFlags"]) =>
      flags?.map(({ rule, severity, confidence, context }) => [
        rule,
        severity,
        confidence,
        context?.detectedPattern,
        context?.["spans"],
      ]);
    expect(toFound(complianceFlags)).toEqual(toFound(expected?.event?.complianceFlags));
  });
});

describe("a turn", () => {
  async function converse(withCall: boolean) {
    const exporter = new InMemorySpanExporter();
    const compliance = new ComplianceSpanProcessor({ includeOwn: true });
    const started: Span[] = [];
    const watcher: SpanProcessor = {
      onStart: (span) => void started.push(span),
      onEnd: () => undefined,
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [compliance, watcher, new SimpleSpanProcessor(exporter)],
    });
    const test = await startMonitor({ tracerProvider });
    onTestFinished(() => test.close());
    await test.monitor.ready();
    const { question, answer } = EXCHANGES["an answer with findings"] as Exchange;
    test.monitor.trackUserMessage("assistant", "s-1", question);
    const turn = started.find(({ name }) => name === "invoke_agent assistant");
    if (withCall && turn) {
      const attributes = toCall({ question, answer });
      const inside = trace.setSpan(ROOT_CONTEXT, turn);
      tracerProvider.getTracer("shop").startSpan("chat gpt-5", { attributes }, inside).end();
    }
    test.monitor.trackAgentResponse("assistant", "s-1", answer);
    const spans = exporter.getFinishedSpans();
    return onlyCompliance(spans.find(({ name }) => name === turn?.name)?.attributes ?? {});
  }

  it("counts an answer once that a model call inside of it has brought as well", async () => {
    const alone = await converse(false);
    expect(alone["agent_monitor.compliance.finding_count"]).toBeGreaterThan(0);
    expect(await converse(true)).toEqual(alone);
  });

  it.each([
    ["checks are off", { enableComplianceChecks: false }],
    ["the interaction asks for none", {}],
  ])("says nothing of compliance where %s", async (_, config) => {
    const { tracerProvider, span } = createProviders();
    const test = await startMonitor({ tracerProvider, ...config });
    onTestFinished(() => test.close());
    await test.monitor.ready();
    const { question, answer } = EXCHANGES["an answer with findings"] as Exchange;
    test.monitor.trackUserMessage("assistant", "s-1", question);
    test.monitor.trackAgentResponse("assistant", "s-1", answer, {}, { complianceChecks: false });
    expect(onlyCompliance(span("invoke_agent assistant").attributes)).toEqual({});
  });
});
