import type { ExportResult } from "@opentelemetry/core";
import type { LogRecordExporter, ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { EventBatchDelivery, type EventBatchStats } from "./event-batch-delivery.ts";
import type { EventBatchConfig } from "./options.ts";

/**
 * Makes events of exported log records and delivers them to the platform, for pipelines that have nothing but logs and
 * no monitor: of the GenAI records of any instrumentation and, with `includeOwn`, of the monitor's own. OTel's batch
 * processor decides on size and interval.
 *
 * A record outside of any span is told by itself if it has a whole call, else with the conversation that it names. What
 * the user asked is told when its records come, the answer when it comes. Records of calls whose messages stand
 * on spans tell nothing: `monitor.logRecordProcessor` beside `monitor.spanProcessor` joins both.
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
   * @param config - That of a monitor and `EventBatchOptions`; fields of the former that are absent are read from
   *   `AGENT_MONITOR_*` variables.
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
   * Answers `SUCCESS` when the platform has acknowledged every event, or the spool keeps it; `FAILED` when one is
   * given up, which `stats()` counts.
   */
  export(records: readonly ReadableLogRecord[], onResult: (result: ExportResult) => void): void {
    const delivery = this.#delivery;
    delivery.export(records, (record, pending) => delivery.takeRecord(record, pending), onResult);
  }

  /** Sends what there is, and waits for exports under way; within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends what is left within `shutdownTimeout` and releases everything; resolves in every case. */
  shutdown(): Promise<void> {
    return this.#delivery.shutdown();
  }

  /** Tells what became of the records and of every event. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}
