import { context, SpanKind, trace, TraceFlags } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";
import { createProviders } from "../helpers/otel.ts";

const BAD = "You can't lose money in this fund: a 5 % return is guaranteed every year.";
const RULE = "consumer-protection-guaranteed-returns";

const FLAGGED: unknown = expect.arrayContaining([expect.objectContaining({ rule: RULE })]);

/** Ids and times, which are never the same. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /("(?:timestamp|[\w.]+_ms)":)[\d.]+/g;

/** Gives something as text in which nothing differs from run to run. */
function toStory(told: unknown): string {
  return JSON.stringify(told).replaceAll(ID, "id").replaceAll(TIME, "$1 0");
}

let words = 0;

/** Has a monitor's rules prepared anew, as they are at the start of a process: words are added that no table has. */
function unprepare(monitor: AgentMonitor): void {
  monitor.complianceEngine?.addRule(
    defineRule({
      id: "custom-word",
      name: "Word",
      description: "Flags a word.",
      explanation: "It says the word.",
      category: "custom",
      severity: "info",
      law: { citation: "None", asOf: "2026-11-22", status: "guidance" },
      recommendation: "Say another one.",
      impact: { customer: "minimal", business: "minimal" },
      phrases: { said: { match: [`unheard${words++} of`] } },
    }),
  );
}

const open: TestMonitor[] = [];

async function start(config: Partial<AgentMonitoringConfig> = {}): Promise<TestMonitor> {
  const test = await startMonitor({ enableLogging: false, ...config });
  open.push(test);
  await test.monitor.ready();
  return test;
}

async function startEarly(config?: Partial<AgentMonitoringConfig>): Promise<TestMonitor> {
  const test = await start(config);
  unprepare(test.monitor);
  return test;
}

afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});

describe("an answer that is tracked before the rules are ready", () => {
  it("is stored at once, and sent with its findings, in its place", async () => {
    const { monitor, sink } = await startEarly({ batchSize: 1 });
    monitor.trackUserMessage("assistant", "s", "Is the fund safe?");
    monitor.trackAgentResponse("assistant", "s", BAD);
    monitor.trackUserMessage("assistant", "s", "Thanks");
    expect(monitor.stats()).toMatchObject({ tracked: 3, pending: 3 });
    await monitor.ready();
    await monitor.flush();
    const events = sink.events as Record<string, unknown>[];
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const ids = events.map(({ eventId }) => eventId as string);
    expect(ids).toEqual(ids.toSorted());
    expect(events[1]).toMatchObject({
      content: BAD,
      complianceFlags: FLAGGED,
      riskScore: expect.any(Number),
      requiresReview: true,
    });
    expect(events[1]).not.toHaveProperty("metadata.evaluated");
    expect(monitor.stats()).toMatchObject({ acked: 3, pending: 0 });
  });

  it("gives the same event as one that is checked at once", async () => {
    const [early, ready] = [await startEarly(), await start()];
    const events: string[] = [];
    for (const { monitor, sink } of [early, ready]) {
      await monitor.registerAgent(agentInfo).catch(() => undefined);
      if (monitor === early.monitor) unprepare(monitor);
      monitor.trackUserMessage("assistant", "s", "Is the fund safe?", "u");
      monitor.trackAgentResponse("assistant", "s", BAD, { llmLatency: 12 });
      await monitor.flush();
      events.push(toStory(sink.events[1]));
    }
    expect(events[0]).toBe(events[1]);
    expect(events[0]).toContain(RULE);
  });

  it("is checked with what was so when it was tracked", async () => {
    const { monitor, sink } = await startEarly();
    const settings = {
      sr11_7_enabled: true,
      fair_lending_monitoring: true,
      bsa_aml_checks: true,
      risk_threshold: 100,
    };
    monitor.trackUserMessage("assistant", "s", "How should I pay in the cash from the sale?");
    monitor.trackAgentResponse(
      "assistant",
      "s",
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    );
    await monitor
      .registerAgent({ ...agentInfo, complianceSettings: { ...settings, bsa_aml_checks: false } })
      .catch(() => undefined);
    await monitor.flush();
    const rules = sink.events[1].complianceFlags.map(({ rule }: { rule: string }) => rule);
    expect(rules).toContain("bsa-aml-structuring-advice");
  });

  it("is flushed, and is part of what a shutdown sends", async () => {
    for (const end of ["flush", "shutdown"] as const) {
      const { monitor, sink } = await startEarly();
      monitor.trackAgentResponse("assistant", "s", BAD);
      await monitor[end]();
      expect(sink.events).toMatchObject([{ complianceFlags: FLAGGED }]);
    }
  });

  it("leaves as one that no rule has seen when there is no time for the rules", async () => {
    const { monitor, sink } = await startEarly();
    monitor.trackAgentResponse("assistant", "s", BAD);
    monitor.complianceEngine?.preparation.close();
    await monitor.flush();
    expect(sink.events).toMatchObject([{ requiresReview: true, metadata: { evaluated: false } }]);
    expect(sink.events[0]).not.toHaveProperty("riskScore");
    expect(sink.events[0]).not.toHaveProperty("complianceFlags");
  });

  it("is remembered when the rules are asked about the next one, which has the rest prepared at once", async () => {
    const { monitor, sink } = await startEarly();
    const seen: string[] = [];
    monitor.complianceEngine?.addRule({
      id: "custom-order",
      name: "Order",
      description: "Takes down the order.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: ({ agentResponse = "" }) => {
        seen.push(agentResponse);
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    monitor.trackAgentResponse("assistant", "s", "first");
    expect(seen).toEqual([]);
    const evaluation = monitor.complianceEngine?.evaluate({
      agentId: "assistant",
      agentCategory: "persona",
      sessionId: "s",
      timestamp: 0,
      agentResponse: "second",
    });
    expect(evaluation?.metadata.evaluated).toBe(true);
    expect(seen).toEqual(["first", "second"]);
    monitor.trackAgentResponse("assistant", "s", "third");
    expect(seen).toEqual(["first", "second", "third"]);
    await monitor.flush();
    expect(sink.events).toHaveLength(2);
  });

  it("is redacted with its findings", async () => {
    const { monitor, sink } = await startEarly({ redact: true });
    monitor.trackAgentResponse("assistant", "s", "Your card number is 4111 1111 1111 1111.");
    await monitor.flush();
    expect(sink.events[0].complianceFlags.length).toBeGreaterThan(0);
    expect(JSON.stringify(sink.events)).not.toContain("4111 1111");
  });

  it("is the last one that waits: what follows when the rules are ready is checked at once", async () => {
    const providers = createProviders();
    const { monitor } = await startEarly(providers);
    monitor.trackAgentResponse("assistant", "s", BAD);
    await monitor.ready();
    monitor.trackUserMessage("assistant", "s", "And this one?");
    monitor.trackAgentResponse("assistant", "s", BAD);
    expect(providers.spans()).toHaveLength(1);
  });
});

describe("ready", () => {
  it("resolves without checks, twice, and after the shutdown", async () => {
    const { monitor } = await start({ enableComplianceChecks: false });
    await monitor.ready();
    const early = await startEarly();
    await Promise.all([early.monitor.ready(), early.monitor.ready()]);
    unprepare(early.monitor);
    const ready = early.monitor.ready();
    await early.monitor.shutdown();
    await ready;
    await early.monitor.ready();
  });

  it("waits for rules that a single interaction asked for although checks are off", async () => {
    const { monitor, sink } = await start({ enableComplianceChecks: false });
    const options = { complianceChecks: true };
    monitor.trackAgentResponse("assistant", "s", BAD, {}, options);
    await monitor.ready();
    await monitor.flush();
    expect(sink.events).toMatchObject([{ complianceFlags: FLAGGED }]);
  });
});

describe("telemetry of an answer that is tracked early", () => {
  it("is the same as that of one that is checked at once", async () => {
    const stories: unknown[] = [];
    for (const begin of [startEarly, start]) {
      const providers = createProviders();
      const { monitor } = await begin(providers);
      monitor.trackUserMessage("assistant", "s", "Is the fund safe?");
      monitor.trackToolCall("assistant", "s", "get_fund", { id: 1 }, { risk: "high" }, 3);
      monitor.trackAgentResponse("assistant", "s", BAD);
      monitor.trackUserMessage("assistant", "s", "Sure?");
      monitor.trackAgentResponse("assistant", "s", "No.");
      monitor.trackConversationEnd("assistant", "s");
      await monitor.ready();
      const places = new Map(
        providers
          .spans()
          .map((span) => [span.spanContext().spanId, `${span.name} ${span.events.length}`]),
      );
      const spans = providers
        .spans()
        .map(({ name, attributes, events, status, parentSpanContext }) =>
          toStory({
            name,
            attributes,
            events: events.map((event) => [event.name, event.attributes]),
            status,
            isRoot: !parentSpanContext,
          }),
        );
      const records = providers
        .records()
        .map(({ eventName, attributes, spanContext }) =>
          toStory({ eventName, attributes, place: places.get(spanContext?.spanId ?? "") }),
        );
      stories.push({ spans: spans.toSorted(), records: records.toSorted() });
      expect(providers.spans().every(({ duration: [seconds] }) => seconds >= 0)).toBe(true);
    }
    expect(stories[0]).toEqual(stories[1]);
    expect(JSON.stringify(stories[0])).toContain(RULE);
  });

  it("belongs to the request in which it was tracked", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    try {
      const { loggerProvider, records } = createProviders();
      const { monitor } = await startEarly({ loggerProvider });
      const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
      const request = trace.wrapSpanContext({ ...ids, traceFlags: TraceFlags.SAMPLED });
      context.with(trace.setSpan(context.active(), request), () =>
        monitor.trackAgentResponse("assistant", "s", BAD),
      );
      await monitor.ready();
      expect(new Set(records().map(({ spanContext }) => spanContext?.spanId))).toEqual(
        new Set([ids.spanId]),
      );
    } finally {
      context.disable();
    }
  });
});

const toAnswer = (text: string): Record<string, string> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.conversation.id": "k1",
  "gen_ai.input.messages": JSON.stringify([
    { role: "user", parts: [{ type: "text", content: "Is the fund safe?" }] },
  ]),
  "gen_ai.output.messages": JSON.stringify([
    { role: "assistant", parts: [{ type: "text", content: text }] },
  ]),
});

describe("an answer on a span of another instrumentation that ends early", () => {
  it("is told in records of the span's context, checked once, and on the event", async () => {
    const providers = createProviders();
    const { monitor, sink } = await startEarly({ loggerProvider: providers.loggerProvider });
    let evaluations = 0;
    monitor.complianceEngine?.addRule({
      id: "custom-count",
      name: "Count",
      description: "Counts.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: () => {
        evaluations++;
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [monitor.spanProcessor] });
    const span = tracerProvider
      .getTracer("other")
      .startSpan("chat gpt-5", { kind: SpanKind.CLIENT, attributes: toAnswer(BAD) });
    span.end();
    const { attributes } = span as unknown as ReadableSpan;
    expect(attributes).toMatchObject({ "agent_monitor.compliance.evaluated": false });
    expect(providers.records()).toEqual([]);
    await monitor.flush();
    const names = providers
      .records()
      .map(({ eventName, spanContext }) => [eventName, spanContext?.spanId]);
    expect(names).toContainEqual(["agent_monitor.compliance.finding", span.spanContext().spanId]);
    expect(
      sink.events.filter(({ interactionType }) => interactionType === "agent_response"),
    ).toMatchObject([{ complianceFlags: FLAGGED, requiresReview: true }]);
    expect(evaluations).toBe(1);
  });

  it("is checked at once when the provider shuts down: who gets the records is closing, too", async () => {
    const providers = createProviders();
    const { monitor } = await startEarly({ loggerProvider: providers.loggerProvider });
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [monitor.spanProcessor] });
    tracerProvider
      .getTracer("other")
      .startSpan("chat", { attributes: toAnswer(BAD) })
      .end();
    const isDown = tracerProvider.shutdown();
    expect(providers.records().map(({ eventName }) => eventName)).toContain(
      "agent_monitor.compliance.finding",
    );
    await isDown;
  });
});

const TOOL_CALL = {
  ...toAnswer(""),
  "gen_ai.output.messages": JSON.stringify([
    {
      role: "assistant",
      parts: [
        { type: "text", content: BAD },
        { type: "tool_call", id: "c1", name: "get_fund", arguments: { id: 1 } },
      ],
      finish_reason: "tool_call",
    },
  ]),
};

describe("a text beside a tool call that is told early", () => {
  async function tell(): Promise<TestMonitor> {
    const test = await startEarly({ loggerProvider: createProviders().loggerProvider });
    const { spanProcessor } = test.monitor;
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [spanProcessor] });
    const kind = SpanKind.CLIENT;
    tracerProvider.getTracer("other").startSpan("chat", { kind, attributes: TOOL_CALL }).end();
    return test;
  }
  const findCall = ({ events }: TestMonitor["sink"]): unknown =>
    events.find(({ interactionType }) => interactionType === "tool_call");

  it("is checked, and the call is as one that is told when the rules are ready", async () => {
    const { monitor, sink } = await tell();
    await monitor.flush();
    expect(findCall(sink)).toMatchObject({ toolName: "get_fund" });
    for (const mark of ["evaluated", "requiresReview"])
      expect(findCall(sink)).not.toHaveProperty(`metadata.${mark}`);
    const kinds = sink.events.map(({ interactionType }) => interactionType as string);
    expect(kinds).toContain("compliance_violation");
  });

  it("is told as one that no rule has seen when there is no time for the rules", async () => {
    const { monitor, sink } = await tell();
    const flushed = monitor.flush();
    monitor.complianceEngine?.preparation.close();
    await flushed;
    expect(findCall(sink)).toMatchObject({
      toolName: "get_fund",
      metadata: { evaluated: false, requiresReview: true },
    });
    const kinds = sink.events.map(({ interactionType }) => interactionType as string);
    expect(kinds).not.toContain("compliance_violation");
  });
});
