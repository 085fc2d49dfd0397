/*
 * What the programs use of OpenTelemetry, as an application of the 2.x line imports it. For applications of the 3.x
 * line the bundler puts otel-3.mjs in its place.
 */
import { logs, tracing } from "@opentelemetry/sdk-node";

export { logs as logsApi } from "@opentelemetry/api-logs";
export { NodeSDK } from "@opentelemetry/sdk-node";

export const { AlwaysOffSampler, InMemorySpanExporter } = tracing;
export const { InMemoryLogRecordExporter } = logs;

/** Registers providers without NodeSDK. */
export { BasicTracerProvider as TracerProvider } from "@opentelemetry/sdk-trace-base";
export { LoggerProvider } from "@opentelemetry/sdk-logs";

/** Gives the batch processor of spans. */
export function batchSpans(exporter: tracing.SpanExporter): tracing.SpanProcessor {
  return new tracing.BatchSpanProcessor(exporter);
}

/** Gives the batch processor of log records. */
export function batchRecords(exporter: logs.LogRecordExporter): logs.LogRecordProcessor {
  return new logs.BatchLogRecordProcessor({ exporter });
}
