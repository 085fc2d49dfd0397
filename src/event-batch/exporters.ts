import type { ExportResult } from "@opentelemetry/core";
import type {
  LogRecordExporter,
  LogRecordProcessor,
  ReadableLogRecord,
} from "@opentelemetry/sdk-logs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { AgentMonitoringConfig } from "../config/config.ts";
import {
  describeValue,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { LONGEST_TIMER_MILLIS } from "../util/clock.ts";
import { findSlip } from "../util/nearest-name.ts";
import { EventBatchDelivery, type EventBatchStats } from "./event-batch-delivery.ts";

/** Options of an EventBatch exporter or processor beside the configuration of a monitor. */
export interface EventBatchOptions {
  /**
   * Delivers the monitor's own spans and log records as well, under the ids of their events; only those written with
   * content (`full` or `redacted`), since others have no whole event. Model calls that the monitor observes are left
   * out: no span has all the data of their events, and the monitor has delivered these.
   *
   * @defaultValue false
   */
  readonly includeOwn?: boolean | undefined;
  /**
   * Deadline of `export()` in ms; longer than the batch processor waits makes no sense.
   *
   * @defaultValue nine tenths of `OTEL_BSP_EXPORT_TIMEOUT` or `OTEL_BLRP_EXPORT_TIMEOUT`, which are 30,000
   */
  readonly exportTimeout?: number | undefined;
}

/** Configuration of an EventBatch exporter or processor: that of a monitor, and its own options. */
export type EventBatchConfig = Partial<AgentMonitoringConfig> & EventBatchOptions;

const OTEL_EXPORT_TIMEOUT_MILLIS = 30_000;
/** Share of the timeout: a result after the processor has stopped waiting is ignored. */
const SHARE_OF_TIMEOUT = 0.9;

function toDefaultTimeout(text: string | undefined): number {
  const given = Number(text);
  return (given > 0 ? given : OTEL_EXPORT_TIMEOUT_MILLIS) * SHARE_OF_TIMEOUT;
}

function findFlagProblems(given: unknown): ValidationDetail[] {
  if (typeof given === "boolean") return [];
  const message = `expected true or false (got ${describeValue(given)})`;
  return [{ field: "includeOwn", message, code: "invalid_type" }];
}

function findTimeoutProblems(given: unknown): ValidationDetail[] {
  const isNumber = typeof given === "number";
  if (isNumber && given > 0 && given <= LONGEST_TIMER_MILLIS) return [];
  const got = isNumber ? String(given) : describeValue(given);
  const message = `expected ms, a number above 0 and at most ${LONGEST_TIMER_MILLIS}, the longest time of a timer (got ${got})`;
  const code = !isNumber ? "invalid_type" : given > 0 ? "too_big" : "too_small";
  return [{ field: "exportTimeout", message, code }];
}

const OPTION_NAMES = ["includeOwn", "exportTimeout"];

/** Finds misspelt options: they decide on deliveries, and a line in a log may be seen by nobody. */
function findMisspelt(config: object): ValidationDetail[] {
  return Object.keys(config).flatMap((name) => {
    const nearest = findSlip(name, OPTION_NAMES);
    if (nearest === undefined) return [];
    const message = `is unknown: did you mean ${nearest}?`;
    return [{ field: name, message, code: "unrecognized_keys" }];
  });
}

/**
 * Creates the delivery of an exporter or processor.
 *
 * @param timeoutVariable - Variable with the timeout of OTel's batch processor; absent if no export waits for a result.
 * @throws ValidationError that names an option that is not valid.
 */
function createDelivery(given: EventBatchConfig, timeoutVariable?: string): EventBatchDelivery {
  const otelTimeout = timeoutVariable && process.env[timeoutVariable];
  const { includeOwn = false, exportTimeout = toDefaultTimeout(otelTimeout), ...config } = given;
  const problems = [
    ...findFlagProblems(includeOwn),
    ...findTimeoutProblems(exportTimeout),
    ...findMisspelt(config),
  ];
  if (problems.length > 0) throw new ValidationError("config", problems);
  const isExport = timeoutVariable !== undefined;
  return new EventBatchDelivery({ config, includeOwn, exportTimeout, isExport });
}

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
    this.#delivery = createDelivery(config, "OTEL_BSP_EXPORT_TIMEOUT");
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
    this.#delivery = createDelivery(config, "OTEL_BLRP_EXPORT_TIMEOUT");
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
    this.#delivery = createDelivery(config);
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
