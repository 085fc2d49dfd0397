// A service on NodeSDK adds the monitor's processors beside its own, and everything else stays as it was.
import { AgentMonitor } from "agent-monitor";
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { NodeSDK } from "./support/otel.ts";

const pipeline = createPipeline();
const monitor = new AgentMonitor();
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [pipeline.spanProcessor, monitor.spanProcessor],
  logRecordProcessors: [pipeline.logRecordProcessor, monitor.logRecordProcessor],
});
sdk.start();

run(async () => {
  serveRequest();
  const exported = await pipeline.collect();
  // Flushes the way to the platform as well, and does not close the monitor.
  await sdk.shutdown();
  const isOpen = monitor.stats().acked > 0;
  monitor.trackUserMessage("assistant", "session-1", "Hello");
  await monitor.shutdown();
  report({ ...exported, isOpen, stats: monitor.stats() });
});
