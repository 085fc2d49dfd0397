import { TraceFlags } from "@opentelemetry/api";
import { BatchLogRecordProcessor, type LogRecordProcessor } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../util/clock.ts";
import { createOtlpSender, type OtlpContent, type OtlpSignal } from "./otlp-exporter.ts";
import { OtlpOutbox, type OtlpBounds } from "./otlp-outbox.ts";
import { createOtlpTransport, type OtlpEndpoint } from "./otlp-transport.ts";

export interface OtlpPipelineOptions extends OtlpContent, OtlpBounds {
  readonly onDropped: (signal: OtlpSignal, count: number, reason: string) => void;
  readonly clock: Clock;
}

/** Creates one signal's way to one destination behind the batch processor: queue, content policy, exporter, transport. */
function createWay(signal: OtlpSignal, endpoint: OtlpEndpoint, options: OtlpPipelineOptions) {
  const transport = createOtlpTransport(endpoint, options.clock);
  const outbox = new OtlpOutbox({
    ...options,
    send: createOtlpSender(signal, endpoint, options, transport),
    abort: () => transport.abort(),
    onDropped: (count, reason) => options.onDropped(signal, count, reason),
  });
  return { outbox, transport };
}

type Way = ReturnType<typeof createWay>;

/** Has a processor end together with its outbox: what it would not pass on any more must not be admitted. */
function toEnds(batches: SpanProcessor | LogRecordProcessor, { outbox }: Way) {
  return {
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      await outbox.shutdown();
      await batches.shutdown();
    },
  };
}

/** Creates the way of spans to an endpoint; its processor belongs into the provider. */
export function createSpanPipeline(endpoint: OtlpEndpoint, options: OtlpPipelineOptions) {
  const way = createWay("traces", endpoint, options);
  // The outbox is the bound: what it admits, the processor must not drop.
  const batches = new BatchSpanProcessor(way.outbox, { maxQueueSize: options.maxItems });
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
      if (isSampled && way.outbox.admit(span)) batches.onEnd(span);
    },
    ...toEnds(batches, way),
  };
  return { ...way, processor };
}

/** Creates the way of log records to an endpoint; its processor belongs into the provider. */
export function createRecordPipeline(endpoint: OtlpEndpoint, options: OtlpPipelineOptions) {
  const way = createWay("logs", endpoint, options);
  const settings = { exporter: way.outbox, maxQueueSize: options.maxItems };
  const batches = new BatchLogRecordProcessor(settings);
  const processor: LogRecordProcessor = {
    onEmit(record) {
      if (way.outbox.admit(record)) batches.onEmit(record);
    },
    ...toEnds(batches, way),
  };
  return { ...way, processor };
}
