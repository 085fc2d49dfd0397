// Events of the monitor's own: to the platform, and as spans and records to the providers of the service.
import { AgentMonitor } from "agent-monitor";
import { trace } from "@opentelemetry/api";
import { createPipeline, report, run } from "./support/application.ts";
import { trackConversation } from "./support/conversation.ts";
import { LoggerProvider, logsApi, TracerProvider } from "./support/otel.ts";

const pipeline = createPipeline();
const monitor = new AgentMonitor();
// Made before the providers are there, as a module does that is loaded early.
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [pipeline.spanProcessor] }));
logsApi.setGlobalLoggerProvider(new LoggerProvider({ processors: [pipeline.logRecordProcessor] }));

run(async () => {
  trackConversation(monitor);
  await monitor.shutdown();
  report({ ...(await pipeline.collect()), stats: monitor.stats() });
});
