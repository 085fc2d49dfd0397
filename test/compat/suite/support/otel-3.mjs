/*
 * What the programs use of OpenTelemetry, as an application of the 3.x line imports it: the logs API is in `api`, span
 * processors take options, and NodeSDK hands out no SDK packages.
 */
import { BatchLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace";

export { logs as logsApi } from "@opentelemetry/api";
export { NodeSDK } from "@opentelemetry/sdk-node";
export { AlwaysOffSampler, InMemorySpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
export { InMemoryLogRecordExporter, LoggerProvider } from "@opentelemetry/sdk-logs";

export const batchSpans = (exporter) => new BatchSpanProcessor({ exporter });
export const batchRecords = (exporter) => new BatchLogRecordProcessor({ exporter });
