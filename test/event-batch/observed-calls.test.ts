import { ROOT_CONTEXT } from "@opentelemetry/api";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import OpenAI from "openai";
import { expect, it, onTestFinished } from "vitest";
import {
  EventBatchLogRecordExporter,
  EventBatchSpanExporter,
} from "../../src/event-batch/exporters.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startModelServer } from "../helpers/model-server/index.ts";
import { callAttributes, configFor, startService } from "./kit.ts";

const toIds = (events: readonly DetailedEvent[]): string[] =>
  events.map(({ interactionType, eventId }) => `${interactionType} ${eventId}`).toSorted();

async function start() {
  const [platform, own] = [await startService(), await startService()];
  const exporter = new EventBatchSpanExporter(configFor(own, { includeOwn: true }));
  const processor = new BatchSpanProcessor(exporter);
  onTestFinished(() => exporter.shutdown());
  return { platform, own, exporter, processor };
}

it("a call of another instrumentation has the same ids from the monitor and from an exporter", async () => {
  const { platform, own, processor } = await start();
  const monitor = new AgentMonitor(configFor(platform));
  const spanProcessors: SpanProcessor[] = [processor, monitor.spanProcessor];
  const tracer = new BasicTracerProvider({ spanProcessors }).getTracer("some-instrumentation");
  const agent = tracer.startSpan("invoke_agent desk", {
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk" },
  });
  const attributes = callAttributes(
    "How do I deposit it?",
    "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
  );
  tracer.startSpan("chat", { attributes }).end();
  tracer.startSpan("chat", { attributes: callAttributes("And now?", "Wait a day.") }).end();
  agent.end();
  await monitor.shutdown();
  await processor.forceFlush();
  expect(platform.events).toHaveLength(4);
  expect(toIds(own.events)).toEqual(toIds(platform.events));
});

it("a log record of no span has the same ids from every process that gets it", async () => {
  const sinks = [await startService(), await startService()];
  for (const sink of sinks) {
    const exporter = new EventBatchLogRecordExporter(configFor(sink));
    const processor = new BatchLogRecordProcessor({ exporter });
    const logger = new LoggerProvider({ processors: [processor] }).getLogger("some-logger");
    logger.emit({
      eventName: "gen_ai.client.inference.operation.details",
      attributes: callAttributes("Hello", "Good morning."),
      timestamp: 1_700_000_000_000,
      context: ROOT_CONTEXT,
    });
    await processor.shutdown();
  }
  const [first, second] = sinks.map(({ events }) => toIds(events));
  expect(first).toHaveLength(2);
  expect(second).toEqual(first);
});

it("a call that the monitor observes is not delivered again by an exporter of its spans", async () => {
  const { platform, own, exporter, processor } = await start();
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] });
  const monitor = new AgentMonitor({ ...configFor(platform), tracerProvider, content: "full" });
  const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch: monitor.fetch });
  const content = "When does the Delft branch open?";
  await client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
  await monitor.shutdown();
  await processor.forceFlush();
  expect(platform.events.map(({ interactionType }) => interactionType)).toEqual([
    "user_message",
    "agent_response",
  ]);
  expect(own.events).toEqual([]);
  expect(exporter.stats()).toMatchObject({ tracked: 0, dropped: 0 });
});
