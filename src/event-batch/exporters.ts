import type { ExportResult } from "@opentelemetry/core";
import type {
  LogRecordExporter,
  LogRecordProcessor,
  ReadableLogRecord,
} from "@opentelemetry/sdk-logs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { EventBatchDelivery, type EventBatchStats } from "./event-batch-delivery.ts";
import type { EventBatchConfig } from "./options.ts";

/**
 * Makes events of exported GenAI spans and delivers them to the platform, for pipelines that have nothing but traces
 * and no monitor. OTel's batch processor decides on size and interval.
 *
 * An exporter sees neither log records nor spans that are not sampled or never end: `monitor.spanProcessor` does.
 *
 * @example
 * ```ts
 * new BatchSpanProcessor(new EventBatchSpanExporter({ apiKey, organizationId, endpoint }));
 * ```
 */
export class EventBatchSpanExporter implements SpanExporter {
  readonly #delivery: EventBatchDelivery;

  /**
   * Creates an exporter.
   *
   * @param config - Configuration of a monitor, and `EventBatchOptions`; missing fields of the monitor's configuration
   *   are read from `AGENT_MONITOR_*` variables.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: EventBatchConfig = {}) {
    this.#delivery = new EventBatchDelivery(config, {
      otelTimeout: process.env["OTEL_BSP_EXPORT_TIMEOUT"],
    });
  }

  /**
   * Delivers the events of spans, with retries, within `exportTimeout`.
   *
   * Reports `SUCCESS` when the platform has acknowledged every event, or the spool keeps it; `FAILED` when an event is
   * dropped, which `stats()` counts.
   */
  export(spans: readonly ReadableSpan[], onResult: (result: ExportResult) => void): void {
    const delivery = this.#delivery;
    delivery.export(spans, (span, pending) => delivery.takeSpan(span, pending), onResult);
  }

  /** Sends all events, and waits for running exports; within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends all events within `shutdownTimeout` and releases all resources; always resolves. */
  shutdown(): Promise<void> {
    return this.#delivery.shutdown();
  }

  /** Returns counts of the spans and of every event, by outcome. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}

/**
 * Makes events of exported log records and delivers them to the platform, for pipelines that have nothing but logs and
 * no monitor: of the GenAI records of any instrumentation and, with `includeOwn`, of the monitor's own. OTel's batch
 * processor decides on size and interval.
 *
 * A record outside of any span becomes events by itself if it has a whole call, else with the conversation that it
 * names. The user's question is reported when its records come, the answer when it comes. Records of calls whose
 * messages are on spans become no event: `monitor.logRecordProcessor` beside `monitor.spanProcessor` joins both.
 *
 * @example
 * ```ts
 * new BatchLogRecordProcessor({
 *   exporter: new EventBatchLogRecordExporter({ apiKey, organizationId, endpoint }),
 * });
 * ```
 */
export class EventBatchLogRecordExporter implements LogRecordExporter {
  readonly #delivery: EventBatchDelivery;

  /**
   * Creates an exporter.
   *
   * @param config - Configuration of a monitor, and `EventBatchOptions`; missing fields of the monitor's configuration
   *   are read from `AGENT_MONITOR_*` variables.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: EventBatchConfig = {}) {
    this.#delivery = new EventBatchDelivery(config, {
      otelTimeout: process.env["OTEL_BLRP_EXPORT_TIMEOUT"],
    });
  }

  /**
   * Delivers the events of log records, with retries, within `exportTimeout`.
   *
   * Reports `SUCCESS` when the platform has acknowledged every event, or the spool keeps it; `FAILED` when an event is
   * dropped, which `stats()` counts.
   */
  export(records: readonly ReadableLogRecord[], onResult: (result: ExportResult) => void): void {
    const delivery = this.#delivery;
    delivery.export(records, (record, pending) => delivery.takeRecord(record, pending), onResult);
  }

  /** Sends all events, and waits for running exports; within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends all events within `shutdownTimeout` and releases all resources; always resolves. */
  shutdown(): Promise<void> {
    return this.#delivery.shutdown();
  }

  /** Returns counts of the records and of every event, by outcome. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}

/**
 * Makes events of log records as `EventBatchLogRecordExporter` does, but keeps them when they are emitted: with a
 * `spoolDirectory` an event of the monitor's own is on disk before `emit` returns, one of a GenAI record a tenth of a
 * second later, and no queue of a batch processor can drop it. `batchSize` and `flushInterval` decide when it is sent.
 *
 * @example
 * ```ts
 * new LoggerProvider({
 *   processors: [new EventBatchLogRecordProcessor({ apiKey, organizationId, endpoint, spoolDirectory })],
 * });
 * ```
 */
export class EventBatchLogRecordProcessor implements LogRecordProcessor {
  readonly #delivery: EventBatchDelivery;
  #isShutDown = false;

  /**
   * Creates a processor.
   *
   * @param config - Configuration of a monitor, and `includeOwn`; missing fields of the monitor's configuration are
   *   read from `AGENT_MONITOR_*` variables.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: Omit<EventBatchConfig, "exportTimeout"> = {}) {
    this.#delivery = new EventBatchDelivery(config);
  }

  /** Takes a record; never throws. */
  onEmit(record: Parameters<LogRecordProcessor["onEmit"]>[0]): void {
    if (!this.#isShutDown) this.#delivery.emit(record);
  }

  /** Sends all events, within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends all events within `shutdownTimeout` and releases all resources; always resolves. */
  shutdown(): Promise<void> {
    this.#isShutDown = true;
    return this.#delivery.shutdown();
  }

  /** Returns counts of the records and of every event, by outcome. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}
