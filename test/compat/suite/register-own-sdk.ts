// Behind `--import agent-monitor/register`: a service that starts NodeSDK and knows nothing of the monitor.
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { NodeSDK } from "./support/otel.ts";

const pipeline = createPipeline();
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [pipeline.spanProcessor],
  logRecordProcessors: [pipeline.logRecordProcessor],
});
sdk.start();

run(async () => {
  // The logger provider is looked for after the service's own set-up.
  await Promise.resolve();
  serveRequest();
  report(await pipeline.collect());
});
