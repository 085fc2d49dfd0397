import { trace } from "@opentelemetry/api";
import { NodeSDK, tracing } from "@opentelemetry/sdk-node";
import { EventBatchSpanExporter } from "agent-monitor";

// #region exporter
const exporter = new EventBatchSpanExporter({ environment: "development" });
const sdk = new NodeSDK({
  spanProcessors: [new tracing.BatchSpanProcessor(exporter)],
  metricReaders: [], // or the service's own
});
// #endregion exporter
sdk.start();

// What an instrumentation of the model's client writes.
const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
const attributes = {
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": messages("user", "Is my card blocked?"),
  "gen_ai.output.messages": messages("assistant", "No, it is active."),
};
trace.getTracer("some-instrumentation").startSpan("chat gpt-5", { attributes }).end();

await sdk.shutdown();
console.log(`platform: ${exporter.stats().acked} events`);
