import type { ExportResult } from "@opentelemetry/core";
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
   * @param config - That of a monitor and `EventBatchOptions`; fields of the former that are absent are read from
   *   `AGENT_MONITOR_*` variables.
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
   * Answers `SUCCESS` when the platform has acknowledged every event, or the spool keeps it; `FAILED` when one is
   * given up, which `stats()` counts.
   */
  export(spans: readonly ReadableSpan[], onResult: (result: ExportResult) => void): void {
    const delivery = this.#delivery;
    delivery.export(spans, (span, pending) => delivery.takeSpan(span, pending), onResult);
  }

  /** Sends what there is, and waits for exports under way; within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends what is left within `shutdownTimeout` and releases everything; resolves in every case. */
  shutdown(): Promise<void> {
    return this.#delivery.shutdown();
  }

  /** Tells what became of the spans and of every event. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}
