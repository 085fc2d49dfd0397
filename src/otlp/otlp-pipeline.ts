import { TraceFlags } from "@opentelemetry/api";
import {
  BatchLogRecordProcessor,
  type LogRecordExporter,
  type LogRecordProcessor,
  type ReadWriteLogRecord,
} from "@opentelemetry/sdk-logs";
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy } from "../config/config.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import { withContentPolicy } from "../telemetry/content-policy.ts";
import { OtlpOutbox, type OtlpDelivery, type OtlpLedger } from "./otlp-outbox.ts";
import {
  loadLogsCodec,
  loadTraceCodec,
  type OtlpItem,
  type OtlpProtocol,
} from "./otlp-protocol.ts";
import { createOtlpSender, type OtlpExporter } from "./otlp-sender.ts";
import { createOtlpTransport, type OtlpEndpoint, type OtlpTransport } from "./otlp-transport.ts";

/** One signal's way to one destination: batch processor, content policy, queue, retries. */
export interface OtlpPipeline<Processor> {
  /** Belongs into the provider. */
  readonly processor: Processor;
  /** Resolves when everything was sent or dropped, or nothing moved for a time in ms. */
  flush(stallMillis: number): Promise<void>;
  /** Drops what is not sent yet and ends requests at once. */
  giveUp(reason: string): void;
  /** Takes nothing more, drops what is left and closes the connections. */
  close(): Promise<void>;
  ledger(): OtlpLedger;
}

export interface OtlpPipelineOptions {
  readonly protocol: OtlpProtocol;
  readonly content: ContentPolicy;
  readonly redactor?: Redactor | undefined;
  /** Bounds of the queue, what is being sent included. */
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly onDropped: (count: number, reason: string) => void;
  readonly clock: Clock;
}

const done = (): Promise<void> => Promise.resolve();

function createOutbox(
  sender: SpanExporter | LogRecordExporter,
  transport: OtlpTransport,
  options: OtlpPipelineOptions,
): OtlpOutbox<OtlpItem> {
  const filtered = withContentPolicy(sender, options.content, options.redactor);
  // Of one signal alone, which is the one that is put into this queue.
  const exporter = filtered as unknown as OtlpExporter<OtlpItem>;
  return new OtlpOutbox({
    ...options,
    abort: () => transport.abort(),
    send: (items) =>
      new Promise((resolve) => {
        try {
          exporter.export(items, (result) => resolve(result as unknown as OtlpDelivery));
        } catch (error) {
          resolve({ sent: 0, reason: toErrorName(error) });
        }
      }),
  });
}

/** What the batch processor hands its batches to. */
function toExporter(outbox: OtlpOutbox<OtlpItem>): OtlpExporter<OtlpItem> {
  return {
    export: (items, finish) => outbox.export(items, finish),
    forceFlush: done,
    shutdown: done,
  };
}

function toOutlet<
  Processor extends { forceFlush(): Promise<void>; shutdown(): Promise<void> },
  Item extends OtlpItem,
>(
  processor: Processor,
  outbox: OtlpOutbox<Item>,
  transport: OtlpTransport,
): OtlpPipeline<Processor> {
  return {
    processor,
    async flush(stallMillis) {
      await processor.forceFlush();
      await outbox.drain(stallMillis);
    },
    giveUp: (reason) => outbox.giveUp(reason),
    async close() {
      await processor.shutdown();
      outbox.giveUp("shutdown");
      transport.close();
    },
    ledger: () => outbox.ledger(),
  };
}

/** Creates the way of spans to an endpoint. */
export function createSpanPipeline(
  endpoint: OtlpEndpoint,
  options: OtlpPipelineOptions,
): OtlpPipeline<SpanProcessor> {
  const transport = createOtlpTransport(endpoint, options.clock);
  const sender: SpanExporter = createOtlpSender(() => loadTraceCodec(options.protocol), transport);
  const outbox = createOutbox(sender, transport, options);
  const exporter = toExporter(outbox);
  // The outbox is the bound: what it admits, the processor must not drop.
  const batches = new BatchSpanProcessor(exporter, { maxQueueSize: options.maxItems });
  let isShutDown = false;
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      if (isShutDown || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (outbox.admit(span)) batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown() {
      isShutDown = true;
      return batches.shutdown();
    },
  };
  return toOutlet(processor, outbox, transport);
}

/** Creates the way of log records to an endpoint. */
export function createRecordPipeline(
  endpoint: OtlpEndpoint,
  options: OtlpPipelineOptions,
): OtlpPipeline<LogRecordProcessor> {
  const transport = createOtlpTransport(endpoint, options.clock);
  const sender: LogRecordExporter = createOtlpSender(
    () => loadLogsCodec(options.protocol),
    transport,
  );
  const outbox = createOutbox(sender, transport, options);
  const exporter = toExporter(outbox);
  const batches = new BatchLogRecordProcessor({ exporter, maxQueueSize: options.maxItems });
  let isShutDown = false;
  const processor: LogRecordProcessor = {
    onEmit(record: ReadWriteLogRecord) {
      if (!isShutDown && outbox.admit(record)) batches.onEmit(record);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown() {
      isShutDown = true;
      return batches.shutdown();
    },
  };
  return toOutlet(processor, outbox, transport);
}
