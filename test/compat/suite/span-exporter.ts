// A pipeline without a monitor, in which an exporter of spans delivers events.
import { EventBatchSpanExporter } from "agent-monitor";
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { batchSpans, NodeSDK } from "./support/otel.ts";

const pipeline = createPipeline();
const exporter = new EventBatchSpanExporter();
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [pipeline.spanProcessor, batchSpans(exporter)],
  logRecordProcessors: [pipeline.logRecordProcessor],
});
sdk.start();

run(async () => {
  serveRequest();
  report(await pipeline.collect());
  await sdk.shutdown();
});
