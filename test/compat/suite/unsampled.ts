// Head sampling at 0 %: the service exports nothing, the platform gets everything.
import { AgentMonitor, AlwaysRecordSampler } from "agent-monitor";
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { AlwaysOffSampler, NodeSDK } from "./support/otel.ts";

const pipeline = createPipeline();
const monitor = new AgentMonitor();
const sdk = new NodeSDK({
  autoDetectResources: false,
  sampler: new AlwaysRecordSampler(new AlwaysOffSampler()),
  spanProcessors: [pipeline.spanProcessor, monitor.spanProcessor],
  logRecordProcessors: [pipeline.logRecordProcessor, monitor.logRecordProcessor],
});
sdk.start();

run(async () => {
  serveRequest();
  const exported = await pipeline.collect();
  await sdk.shutdown();
  await monitor.shutdown();
  report({ ...exported, stats: monitor.stats() });
});
