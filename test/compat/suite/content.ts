// Three exporters of one provider, each with a content policy of its own.
import { AgentMonitor, withContentPolicy, type ContentPolicy } from "agent-monitor";
import { createPipeline, report, run, serveRequest } from "./support/application.ts";
import { trackConversation } from "./support/conversation.ts";
import { NodeSDK } from "./support/otel.ts";

const create = (policy: ContentPolicy) =>
  createPipeline((exporter) => withContentPolicy(exporter as never, policy));
const pipelines = { full: create("full"), redacted: create("redacted"), none: create("none") };
const all = Object.values(pipelines);
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: all.map(({ spanProcessor }) => spanProcessor),
  logRecordProcessors: all.map(({ logRecordProcessor }) => logRecordProcessor),
});
sdk.start();
const monitor = new AgentMonitor({ content: "full" });

run(async () => {
  serveRequest();
  trackConversation(monitor);
  await monitor.shutdown();
  report({
    full: await pipelines.full.collect(),
    redacted: await pipelines.redacted.collect(),
    none: await pipelines.none.collect(),
  });
  await sdk.shutdown();
});
