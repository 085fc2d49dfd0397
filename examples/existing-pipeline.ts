import { trace } from "@opentelemetry/api";
import { logs, NodeSDK, tracing } from "@opentelemetry/sdk-node";
import { AgentMonitor } from "agent-monitor";

// The service's own pipeline as it is. These exporters keep everything in memory, so that the example runs
// offline; a service has BatchSpanProcessor(new OTLPTraceExporter()) and its like here.
const spanExporter = new tracing.InMemorySpanExporter();
const logExporter = new logs.InMemoryLogRecordExporter();
const sdk = new NodeSDK({
  serviceName: "mobile-banking-api",
  autoDetectResources: false,
  spanProcessors: [new tracing.SimpleSpanProcessor(spanExporter)],
  logRecordProcessors: [new logs.SimpleLogRecordProcessor({ exporter: logExporter })],
});
sdk.start();

// Without `otlp` and without providers of its own, the monitor writes to the global ones, which NodeSDK has set.
const monitor = new AgentMonitor({ environment: "development" });
const agentId = "personal-banking";
const sessionId = "session-2042";

monitor.trackConversationStart(agentId, sessionId);
trace.getTracer("mobile-banking-api").startActiveSpan("POST /chat", (request) => {
  // The turn becomes a child of the request, because its span is active here.
  monitor.trackUserMessage(agentId, sessionId, "Did my salary arrive?");
  monitor.trackAgentResponse(agentId, sessionId, "Yes, $4,250.00 arrived on 18 November.");
  request.end();
});
monitor.trackConversationEnd(agentId, sessionId, { resolutionStatus: "resolved" });

// The monitor first: it never shuts down the service's providers.
await monitor.shutdown();
for (const span of spanExporter.getFinishedSpans()) {
  console.log(`span ${span.name}, trace ${span.spanContext().traceId.slice(0, 8)}`);
}
for (const record of logExporter.getFinishedLogRecords()) {
  console.log(`log record ${record.eventName}, trace ${record.spanContext?.traceId.slice(0, 8)}`);
}
await sdk.shutdown();
