import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import { EventBatchDelivery, type EventBatchStats } from "./event-batch-delivery.ts";
import type { EventBatchConfig } from "./options.ts";

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
   * @param config - That of a monitor and `includeOwn`; fields of the former that are absent are read from
   *   `AGENT_MONITOR_*` variables.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: Omit<EventBatchConfig, "exportTimeout"> = {}) {
    this.#delivery = new EventBatchDelivery(config);
  }

  /** Takes a record; never throws. */
  onEmit(record: Parameters<LogRecordProcessor["onEmit"]>[0]): void {
    if (!this.#isShutDown) this.#delivery.emit(record);
  }

  /** Sends what there is, within `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#delivery.forceFlush();
  }

  /** Sends what is left within `shutdownTimeout` and releases everything; resolves in every case. */
  shutdown(): Promise<void> {
    this.#isShutDown = true;
    return this.#delivery.shutdown();
  }

  /** Tells what became of the records and of every event. */
  stats(): EventBatchStats {
    return this.#delivery.stats();
  }
}
