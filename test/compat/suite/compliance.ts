// Findings on the service's own spans, without a platform.
import { ComplianceSpanProcessor } from "agent-monitor";
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { NodeSDK } from "./support/otel.ts";

const pipeline = createPipeline();
const compliance = new ComplianceSpanProcessor();
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [compliance, pipeline.spanProcessor],
  logRecordProcessors: [compliance.logRecordProcessor, pipeline.logRecordProcessor],
});
sdk.start();

run(async () => {
  await compliance.ready();
  serveRequest();
  report(await pipeline.collect());
  await sdk.shutdown();
});
