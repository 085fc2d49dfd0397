import { TraceFlags } from "@opentelemetry/api";
import { BatchLogRecordProcessor, type LogRecordProcessor } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { type Clock, keepAliveUntil, withDeadline } from "../util/clock.ts";
import {
  type OtlpContent,
  type OtlpItem,
  type OtlpSignal,
  createOtlpSender,
} from "./otlp-exporter.ts";
import { type OtlpBounds, type OtlpLedger, OtlpOutbox } from "./otlp-outbox.ts";
import { type OtlpEndpoint, type OtlpTransport, createOtlpTransport } from "./otlp-transport.ts";

/** One signal's way to one destination: batch processor, queue, content policy, exporter, transport. */
interface OtlpPipeline<Processor> {
  /** Belongs into the provider. */
  readonly processor: Processor;
  readonly outbox: OtlpOutbox<OtlpItem>;
  readonly transport: OtlpTransport;
}

export interface OtlpPipelineOptions extends OtlpContent, OtlpBounds {
  readonly onDropped: (signal: OtlpSignal, count: number, reason: string) => void;
  readonly clock: Clock;
}

type Way = Omit<OtlpPipeline<unknown>, "processor">;

function createWay(signal: OtlpSignal, endpoint: OtlpEndpoint, options: OtlpPipelineOptions): Way {
  const transport = createOtlpTransport(endpoint, options.clock);
  const outbox = new OtlpOutbox<OtlpItem>({
    ...options,
    send: createOtlpSender(signal, endpoint, options, transport),
    abort: () => transport.abort(),
    onDropped: (count, reason) => options.onDropped(signal, count, reason),
  });
  return { outbox, transport };
}

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

/** Creates the way of spans to an endpoint. */
function createSpanPipeline(
  endpoint: OtlpEndpoint,
  options: OtlpPipelineOptions,
): OtlpPipeline<SpanProcessor> {
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

/** Creates the way of log records to an endpoint. */
function createRecordPipeline(
  endpoint: OtlpEndpoint,
  options: OtlpPipelineOptions,
): OtlpPipeline<LogRecordProcessor> {
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

/** What became of the telemetry of one destination; a signal that it does not get is missing. */
export interface OtlpDestinationStats {
  /** Base URL of the destination. */
  readonly url: string;
  /** Absent where the destination gets no traces. */
  readonly spans?: OtlpLedger | undefined;
  /** Absent where the destination gets no logs. */
  readonly logRecords?: OtlpLedger | undefined;
}

/** Where the signals of one destination go; one that it does not get is missing. */
export interface OtlpTarget extends OtlpPipelineOptions {
  readonly url: string;
  readonly traces?: OtlpEndpoint | undefined;
  readonly logs?: OtlpEndpoint | undefined;
}

/** Several destinations, none of which waits for another. */
export interface OtlpFanOut {
  readonly spanProcessors: SpanProcessor[];
  readonly logRecordProcessors: LogRecordProcessor[];
  /** Sends what is there; a destination where nothing moves is not waited for any longer. Never rejects. */
  forceFlush(timeoutMillis?: number): Promise<void>;
  /** Sends what can be sent within a time in ms and drops the rest, so that the process can end. Never rejects. */
  flushAtExit(timeoutMillis: number): Promise<void>;
  /** Does what `flushAtExit` does, and closes everything. Never rejects. */
  shutdown(timeoutMillis: number): Promise<void>;
  /** What became of the telemetry, one entry for each destination. */
  stats(): OtlpDestinationStats[];
}

/**
 * Joins destinations.
 *
 * @param stallMillis - A flush waits no longer for a destination that settles no batch in this time.
 */
export function createOtlpFanOut(
  targets: readonly OtlpTarget[],
  stallMillis: number,
  clock: Clock,
): OtlpFanOut {
  const destinations = targets.map((target) => ({
    url: target.url,
    spans: target.traces && createSpanPipeline(target.traces, target),
    logRecords: target.logs && createRecordPipeline(target.logs, target),
  }));
  const pipelines = destinations.flatMap(({ spans, logRecords }) =>
    [spans, logRecords].filter((pipeline) => pipeline !== undefined),
  );
  // The sockets don't keep the process alive, so whoever waits for them must.
  const forceFlush = async (timeoutMillis?: number): Promise<void> => {
    const flushed = pipelines.map(async ({ processor, outbox }) => {
      await processor.forceFlush();
      await outbox.drain(stallMillis);
    });
    await keepAliveUntil(clock, withDeadline(clock, Promise.allSettled(flushed), timeoutMillis));
  };
  const flushAndGiveUp = async (timeoutMillis: number, reason: string): Promise<void> => {
    await forceFlush(timeoutMillis);
    for (const { outbox } of pipelines) outbox.giveUp(reason);
  };
  const close = async (): Promise<void> => {
    const closed = pipelines.map(async ({ processor, outbox, transport }) => {
      await processor.shutdown();
      outbox.giveUp("shutdown");
      transport.shutdown();
    });
    await Promise.allSettled(closed);
  };
  let closing: Promise<void> | undefined;

  return {
    spanProcessors: destinations.flatMap(({ spans }) => spans?.processor ?? []),
    logRecordProcessors: destinations.flatMap(({ logRecords }) => logRecords?.processor ?? []),
    forceFlush,
    flushAtExit: (timeoutMillis) => flushAndGiveUp(timeoutMillis, "exit"),
    shutdown: (timeoutMillis) =>
      (closing ??= flushAndGiveUp(timeoutMillis, "shutdown").then(close)),
    stats: () =>
      destinations.map(({ url, spans, logRecords }) => ({
        url,
        ...(spans && { spans: spans.outbox.ledger() }),
        ...(logRecords && { logRecords: logRecords.outbox.ledger() }),
      })),
  };
}
