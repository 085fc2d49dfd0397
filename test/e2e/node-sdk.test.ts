import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { logs as logsApi } from "@opentelemetry/api-logs";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { logs, NodeSDK, tracing, type NodeSDKConfiguration } from "@opentelemetry/sdk-node";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

type Settings = Partial<NodeSDKConfiguration>;

let sink: Sink;
beforeEach(async () => {
  sink = await startSink();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `${sink.url}/backend`);
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  vi.stubEnv("OTEL_METRICS_EXPORTER", "none");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const api of [trace, context, propagation, metrics, logsApi]) api.disable();
  await sink.close();
});

const toSpans = (): tracing.SpanProcessor =>
  new tracing.BatchSpanProcessor(new OTLPTraceExporter());
const toRecords = (): logs.LogRecordProcessor =>
  new logs.BatchLogRecordProcessor({ exporter: new OTLPLogExporter() });

/** How services set NodeSDK up, and what the README makes of each. */
const withMonitor = (monitor: AgentMonitor): Settings => ({
  spanProcessors: [toSpans(), monitor.spanProcessor],
  logRecordProcessors: [toRecords(), monitor.logRecordProcessor],
});
const SET_UPS: readonly (readonly [name: string, settings: () => Settings])[] = [
  [
    "traceExporter",
    () => ({ traceExporter: new OTLPTraceExporter(), logRecordProcessors: [toRecords()] }),
  ],
  ["spanProcessors", () => ({ spanProcessors: [toSpans()], logRecordProcessors: [toRecords()] })],
  ["the environment", () => ({})],
];

const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

/** A request with a model call, as an instrumentation writes it, and a log record. */
function serveRequest(): void {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-5",
    "gen_ai.input.messages": messages("user", "Is the fund safe?"),
    "gen_ai.output.messages": messages("assistant", "This bond fund guarantees 8 % a year."),
  };
  trace.getTracer("app").startActiveSpan("POST /chat", (request) => {
    trace.getTracer("some-instrumentation").startSpan("chat gpt-5", { attributes }).end();
    logsApi.getLogger("app").emit({ eventName: "app.done", body: "done" });
    request.end();
  });
}

interface Exported {
  readonly spans: { name: string; attributes: { key: string; value: object }[] }[];
  readonly records: { eventName: string }[];
}

/** Takes what the backend has got so far. */
function takeExported(): Exported {
  const requests = sink.requests.splice(0);
  const read = (path: string, ...names: readonly string[]): any[] =>
    requests
      .filter((request) => request.path === `/backend/v1/${path}`)
      .flatMap(({ json }) =>
        names.reduce((list, name) => list.flatMap((item) => item[name]), [json]),
      );
  return {
    spans: read("traces", "resourceSpans", "scopeSpans", "spans"),
    records: read("logs", "resourceLogs", "scopeLogs", "logRecords"),
  };
}

async function exportWith(settings: Settings): Promise<Exported> {
  const sdk = new NodeSDK({ autoDetectResources: false, ...settings });
  sdk.start();
  serveRequest();
  await sdk.shutdown();
  for (const api of [trace, context, propagation, metrics, logsApi]) api.disable();
  return takeExported();
}

it.each(SET_UPS)("the exporter of %s gets what it got before", async (_, settings) => {
  const before = await exportWith(settings());
  expect(before.spans.map(({ name }) => name)).toEqual(["chat gpt-5", "POST /chat"]);
  expect(before.records).toHaveLength(1);
  expect(sink.events).toEqual([]);

  const monitor = new AgentMonitor({
    endpoint: sink.url,
    apiKey: "key",
    organizationId: "first-bank",
    enableLogging: false,
  });
  await monitor.ready();
  const after = await exportWith(withMonitor(monitor));
  expect(after.spans.map(({ name }) => name)).toEqual(before.spans.map(({ name }) => name));
  for (const [index, { attributes }] of before.spans.entries()) {
    expect(after.spans[index]?.attributes).toEqual(expect.arrayContaining(attributes));
  }
  expect(after.records.map(({ eventName }) => eventName)).toEqual(
    expect.arrayContaining(["app.done", "agent_monitor.compliance.finding"]),
  );
  // The shutdown of the SDK has delivered, and the finding is on the span.
  expect(sink.events.map(({ interactionType }) => interactionType)).toEqual([
    "user_message",
    "agent_response",
  ]);
  const keys = after.spans[0]?.attributes.map(({ key }) => key);
  expect(keys).toContain("agent_monitor.compliance.rule_ids");
  await monitor.shutdown();
});

it.each(SET_UPS)("what is tracked goes to the exporter of %s as it is", async (_, settings) => {
  const sdk = new NodeSDK({ autoDetectResources: false, ...settings() });
  const monitor = new AgentMonitor({
    endpoint: sink.url,
    apiKey: "key",
    organizationId: "first-bank",
    enableLogging: false,
  });
  sdk.start();
  serveRequest();
  monitor.trackUserMessage("assistant", "session-1", "Hello");
  monitor.trackConversationEnd("assistant", "session-1");
  await monitor.shutdown();
  await sdk.shutdown();
  const { spans, records } = takeExported();
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["chat gpt-5", "POST /chat", "conversation assistant"]),
  );
  expect(records.map(({ eventName }) => eventName)).toEqual(
    expect.arrayContaining(["app.done", "agent_monitor.user.message"]),
  );
  expect(sink.events).toHaveLength(2);
});
