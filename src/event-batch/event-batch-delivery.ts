import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { BridgeLoss } from "../bridge/bridge-counts.ts";
import type { EventBridge } from "../bridge/event-bridge.ts";
import { toEventName } from "../bridge/bridge-span.ts";
import type { AgentMonitoringConfig } from "../config/config.ts";
import { parseConfig } from "../config/parse-config.ts";
import type { DropReason } from "../delivery/ledger.ts";
import type { RecordResult } from "../delivery/platform-path.ts";
import { createEventBridge } from "../monitor/deferred-observers.ts";
import { createPipeline } from "../monitor/deferred-pipeline.ts";
import type { MonitorStats, Pipeline } from "../monitor/pipeline.ts";
import { createLog, toIgnoredSettings, warnAtStart } from "../monitor/start-up.ts";
import type { EncodedRecord } from "../telemetry/decode-log-record.ts";
import { startCountdown, systemClock, withDeadline } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { readOwnEvent, toEncodedRecords, toOrigin, type OwnEventCounts } from "./own-events.ts";
import { PendingExport, TraceWatchers } from "./pending-export.ts";

/** Outcome of the exported items and of every event. */
export interface EventBatchStats extends MonitorStats {
  /** The monitor's own events; all 0 without `includeOwn`. */
  readonly own: Readonly<OwnEventCounts>;
}

/**
 * Waits of the bridge. Callers wait for an export's result before they export more, so a long wait for the rest of a
 * trace is in vain; but spans that end together may come one by one.
 */
const LIMITS = { settleMillis: 20, orphanMillis: 100, recordMillis: 100 };

/** Configuration of a monitor, and the options of a delivery. */
interface EventBatchSettings {
  readonly config: Partial<AgentMonitoringConfig>;
  /** Whether the monitor's own telemetry is delivered as well. */
  readonly includeOwn: boolean;
  /** Deadline of an export in ms. */
  readonly exportTimeout: number;
  /** Whether each export waits for a result in time. */
  readonly isExport: boolean;
}

/** Makes events of spans and log records, and delivers them; returns a result for each export. */
export class EventBatchDelivery {
  readonly #pipeline: Pipeline;
  readonly #bridge: EventBridge;
  readonly #log: BurstLogger;
  readonly #settings: EventBatchSettings;
  readonly #shutdownTimeout: number;
  readonly #ignoredSettings: readonly string[];
  readonly #removeExitHook: () => void;
  readonly #own: OwnEventCounts = { events: 0, truncated: 0, withoutContent: 0, unreadable: 0 };
  readonly #watchers = new TraceWatchers();
  readonly #running = new Set<Promise<void>>();
  /** Results of the events recorded since the last trace was over. */
  #results: (RecordResult | undefined)[] = [];
  #shutdown: Promise<void> | undefined;

  constructor(settings: EventBatchSettings) {
    const parsed = parseConfig(settings.config);
    // One request without a response must leave time for another.
    const requestTimeout = Math.min(parsed.config.requestTimeout, settings.exportTimeout / 2);
    this.#settings = settings;
    this.#log = createLog(parsed);
    this.#ignoredSettings = toIgnoredSettings(parsed);
    this.#shutdownTimeout = parsed.config.shutdownTimeout;
    this.#pipeline = createPipeline({
      // Exported items reach their other destinations without us.
      config: { ...parsed.config, requestTimeout, otlp: undefined },
      clock: systemClock,
      log: this.#log,
      random: Math.random,
      environment: process.env,
      isExport: settings.isExport,
    });
    this.#bridge = createEventBridge({
      clock: systemClock,
      log: this.#log,
      limits: LIMITS,
      emitsQuestions: true,
      onEvent: (event) =>
        this.#results.push(this.#guard(() => this.#pipeline.interactions.trackBridged(event))),
      onEmitted: (traceIds) => this.#assign(traceIds),
      onLost: (loss) => this.#results.push(this.#refuse(loss)),
    });
    this.#removeExitHook = onNaturalExit(() => {
      if (this.#bridge.stats().waiting === 0) return;
      this.#bridge.drain();
      void this.#pipeline.flush(this.#shutdownTimeout);
    });
    warnAtStart(parsed, this.#log);
  }

  /** Takes a span. @param pending - Export that gets the results of its events. */
  takeSpan(span: ReadableSpan, pending: PendingExport): void {
    const origin = toOrigin(span.instrumentationScope);
    if (origin !== "foreign" && !this.#settings.includeOwn) return;
    if (origin !== "tracked") {
      this.#bridgeItem(span.spanContext().traceId, pending, () => this.#bridge.onEnd(span));
      return;
    }
    for (const record of toEncodedRecords(span)) this.#takeOwn(record, pending);
    this.#own.unreadable += span.droppedEventsCount;
    for (let lost = span.droppedEventsCount; lost > 0; lost--) this.#loseOwn(pending);
  }

  /** Takes a log record. @param pending - Export that gets the results of its events, if one waits. */
  takeRecord(record: ReadableLogRecord, pending?: PendingExport): void {
    const origin = toOrigin(record.instrumentationScope);
    if (origin !== "foreign" && !this.#settings.includeOwn) return;
    if (origin === "tracked") {
      this.#takeOwn({ ...record, eventName: toEventName(record), hrTime: record.hrTime }, pending);
      return;
    }
    const placed = this.#bridge.placeRecord(record);
    if (typeof placed === "string") this.#lose(placed, pending);
    else if (placed)
      this.#bridgeItem(placed.traceId, pending, () => this.#bridge.takeRecord(placed));
  }

  /**
   * Takes items, and calls back when each of their events is with the platform or on disk, or is dropped.
   *
   * @param take - Takes an item.
   */
  export<T>(
    items: readonly T[],
    take: (item: T, pending: PendingExport) => void,
    onResult: (result: ExportResult) => void,
  ): void {
    if (this.#shutdown) {
      const error = new Error("the exporter is shut down");
      onResult({ code: ExportResultCode.FAILED, error });
      return;
    }
    const remaining = startCountdown(systemClock, this.#settings.exportTimeout);
    const pending = new PendingExport();
    for (const item of items) this.#takeSafely(() => take(item, pending), pending);
    const running = this.#answer(pending, remaining)
      .then(onResult)
      .catch((error: unknown) =>
        this.#log.log("error", "export", `an export could not be answered (${toErrorName(error)})`),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Sends all events, and waits for running exports; within `shutdownTimeout`. Never rejects. */
  async forceFlush(): Promise<void> {
    this.#bridge.drain();
    const running = Promise.all(this.#running);
    await Promise.all([
      this.#pipeline.flush(this.#shutdownTimeout),
      withDeadline(systemClock, running, this.#shutdownTimeout),
    ]);
  }

  /** Sends all events within `shutdownTimeout`, ends every export and releases all resources; always resolves. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#close();
    return this.#shutdown;
  }

  /** Takes a log record for which no export waits; never throws. */
  emit(record: ReadableLogRecord): void {
    this.#takeSafely(() => this.takeRecord(record));
  }

  stats(): EventBatchStats {
    const ignoredSettings = this.#ignoredSettings;
    return {
      ...this.#pipeline.stats(),
      bridge: this.#bridge.stats(),
      own: { ...this.#own },
      ...(ignoredSettings.length > 0 && { ignoredSettings }),
    };
  }

  async #close(): Promise<void> {
    this.#removeExitHook();
    this.#bridge.shutdown();
    try {
      await this.#pipeline.shutdown();
      // The remaining events are dropped by now, so no export waits any more.
      await Promise.all(this.#running);
    } catch (error) {
      this.#log.log("error", "shutdown", `shutdown failed (${toErrorName(error)})`);
    }
    this.#log.flush();
  }

  async #answer(pending: PendingExport, remaining: () => number): Promise<ExportResult> {
    await withDeadline(systemClock, pending.emitted(), remaining());
    const givenUp = await this.#pipeline.confirm(pending.events, remaining());
    return pending.toResult(givenUp, this.#pipeline.stats().blockedReason);
  }

  #takeOwn(record: EncodedRecord, pending: PendingExport | undefined): void {
    const event = readOwnEvent(record, this.#own);
    if (event === "lost") this.#loseOwn(pending);
    else if (event)
      this.#add(
        this.#guard(() => this.#pipeline.recorder.deliver(event, JSON.stringify(event).length)),
        pending ? [pending] : [],
      );
  }

  /** Counts an event of the monitor's own of which too little is left to deliver. */
  #loseOwn(pending: PendingExport | undefined): void {
    this.#lose("invalid_argument", pending);
    const message =
      "own events are not delivered: they hold no content, or a limit took what names them";
    this.#log.log("warn", "own_events", message);
  }

  /** Hands an item to the bridge; its events belong to the export when its trace is over. */
  #bridgeItem(
    traceId: string,
    pending: PendingExport | undefined,
    give: () => BridgeLoss | undefined,
  ): void {
    if (pending) this.#watchers.add(traceId, pending);
    const loss = give();
    if (loss) this.#lose(loss, pending);
    if (pending && !this.#bridge.isWaiting(traceId)) this.#assign([traceId]);
  }

  /** Counts an item that could not become an event. */
  #refuse(reason: DropReason): DropReason {
    this.#pipeline.refuse(reason);
    return reason;
  }

  #lose(reason: DropReason, pending: PendingExport | undefined): void {
    this.#refuse(reason);
    pending?.lose(reason);
  }

  /** Hands the results so far to the exports that wait for one of the traces. */
  #assign(traceIds: readonly string[]): void {
    const results = this.#results;
    this.#results = [];
    const waiting = [...this.#watchers.take(traceIds)];
    for (const result of results) this.#add(result, waiting);
    for (const pending of waiting) for (const traceId of traceIds) pending.release(traceId);
  }

  #add(result: RecordResult | undefined, waiting: readonly PendingExport[]): void {
    if (waiting.length === 0 || result === undefined) return;
    if (typeof result === "string") {
      for (const pending of waiting) pending.lose(result);
      return;
    }
    const event = this.#pipeline.expect(result);
    for (const pending of waiting) pending.events.push(event);
  }

  #guard(record: () => RecordResult | undefined): RecordResult | undefined {
    try {
      return record();
    } catch (error) {
      this.#log.log("error", "bridge:event", `an event is lost (${toErrorName(error)})`);
      return this.#refuse("internal_error");
    }
  }

  #takeSafely(take: () => void, pending?: PendingExport): void {
    try {
      take();
    } catch (error) {
      this.#lose("invalid_argument", pending);
      this.#log.log("warn", "export", `an item could not be read (${toErrorName(error)})`);
    }
  }
}
