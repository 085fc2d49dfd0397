import { logs as logsApi } from "@opentelemetry/api-logs";
import { context, trace, TraceFlags } from "@opentelemetry/api";
import { logs, NodeSDK } from "@opentelemetry/sdk-node";
import { EventBatchLogRecordExporter } from "agent-monitor";

// #region exporter
const exporter = new EventBatchLogRecordExporter({ environment: "development" });
const sdk = new NodeSDK({
  logRecordProcessors: [new logs.BatchLogRecordProcessor({ exporter })],
  metricReaders: [], // or the service's own
});
// #endregion exporter
sdk.start();

// What an instrumentation of the model's client writes about one call, in the context of its span.
const messages = (role: string, content: string) => [{ role, parts: [{ type: "text", content }] }];
const traceId = "5b8efff798038103d269b633813fc60c";
const spanContext = { traceId, spanId: "eee19b7ec3c1b174", traceFlags: TraceFlags.SAMPLED };
logsApi.getLogger("some-instrumentation").emit({
  eventName: "gen_ai.client.inference.operation.details",
  context: trace.setSpanContext(context.active(), spanContext),
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-5",
    "gen_ai.input.messages": messages("user", "Is my card blocked?"),
    "gen_ai.output.messages": messages("assistant", "No, it is active."),
  },
});

await sdk.shutdown();
console.log(`platform: ${exporter.stats().acked} events`);
