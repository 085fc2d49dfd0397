import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import {
  EventBatchLogRecordExporter,
  EventBatchLogRecordProcessor,
  EventBatchSpanExporter,
  type EventBatchConfig,
} from "../../src/event-batch/exporters.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startPlatform } from "../../src/platform/index.ts";
import { agentInfo } from "../helpers/monitor.ts";
import { configFor, isBalanced, listen, startService } from "./kit.ts";

const LONG = 3_600_000;

/** Each way in which the monitor's own telemetry becomes batches again. */
const WAYS = {
  spans(config: EventBatchConfig) {
    const exporter = new EventBatchSpanExporter(config);
    const answers = listen(exporter);
    const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: LONG });
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] });
    return { answers, end: () => exporter, providers: { tracerProvider }, processor };
  },
  records(config: EventBatchConfig) {
    const exporter = new EventBatchLogRecordExporter(config);
    const answers = listen(exporter);
    const processor = new BatchLogRecordProcessor({ exporter, scheduledDelayMillis: LONG });
    const loggerProvider = new LoggerProvider({ processors: [processor] });
    return { answers, end: () => exporter, providers: { loggerProvider }, processor };
  },
  processor(config: EventBatchConfig) {
    const processor = new EventBatchLogRecordProcessor(config);
    const loggerProvider = new LoggerProvider({ processors: [processor] });
    return { answers: [], end: () => processor, providers: { loggerProvider }, processor };
  },
};

/** Tells a whole conversation, with every kind of event. */
function converse(monitor: AgentMonitor): void {
  const ids = ["assistant", "s-1"] as const;
  monitor.trackConversationStart(...ids, "customer-7", { channel: "web", campaign: "spring" });
  monitor.trackUserMessage(...ids, "How do I deposit it?", "customer-7", { language: "en" });
  monitor.trackToolCall(...ids, "get_balance", { account: "1", deep: [{ a: null }] }, '{"a":1}', 5);
  monitor.trackAgentResponse(
    ...ids,
    "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    {
      llmLatency: 12,
      tokensUsed: { input: 1, output: 2, total: 3 },
    },
  );
  monitor.trackError(...ids, new TypeError("limit"), { severity: "high", contextInfo: { a: 1 } });
  monitor.track(...([ids[0]] as const), {
    sessionId: ids[1],
    interactionType: "compliance_violation",
    metadata: { violationType: "x", severity: "warning", description: "d", ruleId: "r" },
  });
  monitor.trackConversationEnd(...ids, { resolutionStatus: "resolved", followUpRequired: true });
}

/** Leaves out what delivery adds. */
const withoutDelivery = (events: readonly DetailedEvent[]): object[] =>
  events
    .map((event) => ({ ...event, writerId: undefined, sequence: undefined }))
    .toSorted((a, b) => a.eventId.localeCompare(b.eventId));

async function run(
  way: keyof typeof WAYS,
  telemetry: EventBatchConfig,
  settings: Partial<AgentMonitoringConfig> = { content: "full" },
) {
  const [platform, own] = [await startService(), await startService()];
  const { answers, end, providers, processor } = WAYS[way](configFor(own, telemetry));
  const monitor = new AgentMonitor({ ...configFor(platform), ...providers, ...settings });
  onTestFinished(() => end().shutdown());
  await monitor.registerAgent(agentInfo);
  converse(monitor);
  await monitor.shutdown();
  await processor.forceFlush().catch(() => undefined);
  return { told: platform.events, again: own.events, answers, stats: end().stats() };
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])("own telemetry as %s", (way) => {
  it("gives each event back as it was told, under the same id", async () => {
    const { told, again, answers, stats } = await run(way, { includeOwn: true });
    expect(told).toHaveLength(8);
    expect(withoutDelivery(again)).toEqual(withoutDelivery(told));
    if (way !== "processor") expect(answers).toEqual(["SUCCESS"]);
    expect(stats.own).toEqual({ events: 8, truncated: 0, withoutContent: 0, unreadable: 0 });
    expect(isBalanced(stats)).toBe(true);
  });

  it("is left out unless it is asked for", async () => {
    const { again, answers } = await run(way, {});
    expect(again).toEqual([]);
    if (way !== "processor") expect(answers).toEqual(["SUCCESS"]);
  });

  it("is no event without its content, and is not said to be delivered", async () => {
    const { again, answers, stats } = await run(way, { includeOwn: true }, { content: "none" });
    expect(again).toEqual([]);
    if (way !== "processor")
      expect(answers).toEqual([expect.stringMatching(/^8 events were given up \(8 invalid_arg/)]);
    expect(stats.own).toMatchObject({ events: 0, withoutContent: 8 });
    expect(stats).toMatchObject({ dropped: 8, pending: 0 });
    expect(isBalanced(stats)).toBe(true);
  });
});

describe("own telemetry that a limit cut", () => {
  it("is marked as truncated, and keeps its id", async () => {
    const [platform, own] = [await startService(), await startService()];
    const exporter = new EventBatchLogRecordExporter(configFor(own, { includeOwn: true }));
    onTestFinished(() => exporter.shutdown());
    const processor = new BatchLogRecordProcessor({ exporter });
    const loggerProvider = new LoggerProvider({
      processors: [processor],
      logRecordLimits: { attributeValueLengthLimit: 64 },
    });
    const monitor = new AgentMonitor({
      ...configFor(platform),
      loggerProvider,
      content: "full",
    });
    monitor.trackUserMessage("assistant", "s-1", "a".repeat(100));
    await monitor.shutdown();
    await processor.forceFlush();
    const [told] = platform.events;
    expect(own.events).toMatchObject([
      {
        eventId: told.eventId,
        content: "a".repeat(64),
        contentLength: 100,
        metadata: { truncated: true },
      },
    ]);
    expect(own.events[0]).not.toHaveProperty("contentHash");
    expect(exporter.stats().own).toMatchObject({ events: 1, truncated: 1 });
  });

  it("is not said to be delivered when a span had no room for it", async () => {
    const [platform, own] = [await startService(), await startService()];
    const exporter = new EventBatchSpanExporter(configFor(own, { includeOwn: true }));
    const answers = listen(exporter);
    onTestFinished(() => exporter.shutdown());
    const processor = new BatchSpanProcessor(exporter);
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [processor],
      spanLimits: { eventCountLimit: 2 },
    });
    const monitor = new AgentMonitor({ ...configFor(platform), tracerProvider, content: "full" });
    for (let index = 0; index < 5; index++) {
      monitor.trackToolCall("assistant", "s-1", "look_up", { index });
    }
    await monitor.shutdown();
    await processor.forceFlush().catch(() => undefined);
    expect(answers).toEqual([expect.stringMatching(/^3 events were given up \(3 invalid_arg/)]);
    expect(own.events.map(({ toolParameters }) => toolParameters)).toEqual([
      { index: 3 },
      { index: 4 },
    ]);
    expect(exporter.stats().own).toMatchObject({ events: 2, unreadable: 3 });
  });
});

describe("a platform that gets events from the monitor and from its telemetry", () => {
  it("stores each of them once", async () => {
    const platform = await startPlatform({ port: 0 });
    onTestFinished(() => platform.close());
    const config = configFor(platform, { includeOwn: true });
    const spans = WAYS.spans(config);
    const records = WAYS.records(config);
    const monitor = new AgentMonitor({
      ...configFor(platform),
      ...spans.providers,
      ...records.providers,
      content: "full",
    });
    converse(monitor);
    await monitor.shutdown();
    await spans.end().forceFlush();
    await spans.processor.forceFlush();
    await records.processor.forceFlush();
    const stats = [spans.end().stats(), records.end().stats()];
    expect(monitor.stats()).toMatchObject({ acked: 8 });
    expect(stats).toMatchObject([
      { acked: 8, duplicates: 8 },
      { acked: 8, duplicates: 8 },
    ]);
    await Promise.all([spans.end().shutdown(), records.end().shutdown()]);
  });
});
