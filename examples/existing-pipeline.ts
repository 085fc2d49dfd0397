import { trace } from "@opentelemetry/api";
import { logs, NodeSDK, tracing } from "@opentelemetry/sdk-node";
import { AgentMonitor } from "agent-monitor";

// In the place of the service's exporters, OTLPTraceExporter and OTLPLogExporter, so that the example runs offline.
const exporter = {
  export(items: readonly { name?: string; eventName?: string }[], done: (r: { code: 0 }) => void) {
    for (const { name, eventName } of items) console.log(`exported: ${name ?? eventName}`);
    done({ code: 0 });
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

// #region pipeline
const monitor = new AgentMonitor({ environment: "development" });
const sdk = new NodeSDK({
  serviceName: "mobile-banking-api",
  spanProcessors: [new tracing.BatchSpanProcessor(exporter), monitor.spanProcessor],
  logRecordProcessors: [new logs.BatchLogRecordProcessor({ exporter }), monitor.logRecordProcessor],
  metricReaders: [], // or the service's own; else NodeSDK sends metrics to localhost:4318
});
sdk.start();
// #endregion pipeline

const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

// What an instrumentation of the model's client writes; nothing of it is tracked by hand.
trace.getTracer("mobile-banking-api").startActiveSpan("POST /chat", (request) => {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-5",
    "session.id": "session-2042",
    "gen_ai.input.messages": messages("user", "Is the fund safe?"),
    "gen_ai.output.messages": messages("assistant", "It guarantees a 5 % return every year."),
  };
  trace.getTracer("some-instrumentation").startSpan("chat gpt-5", { attributes }).end();
  request.end();
});

// What is tracked by hand becomes spans and log records in the same pipeline.
monitor.trackConversationEnd("mobile-banking-api", "session-2042", {
  resolutionStatus: "resolved",
});

// The monitor first, so that its last spans are exported; it never shuts down the service's providers.
await monitor.shutdown();
await sdk.shutdown();
const { acked, bridge } = monitor.stats();
console.log(`platform: ${acked} events, ${bridge?.events} of them out of spans`);
