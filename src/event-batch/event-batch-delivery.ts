import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { BridgeLoss } from "../bridge/bridge-counts.ts";
import type { EventBridge } from "../bridge/event-bridge.ts";
import { toEventName } from "../bridge/reading/record-name.ts";
import type { ResolvedConfig } from "../config/config.ts";
import { parseConfig } from "../config/parse-config.ts";
import type { DropReason } from "../delivery/ledger.ts";
import type { RecordResult } from "../delivery/platform-path.ts";
import { createEventBridge } from "../monitor/deferred-observers.ts";
import type { MonitorStats } from "../monitor/monitor-stats.ts";
import { Pipeline } from "../monitor/pipeline.ts";
import { createLog, toIgnoredSettings, warnAtStart } from "../monitor/start-up.ts";
import type { EncodedRecord } from "../telemetry/decode-log-record.ts";
import { startCountdown, systemClock, withDeadline } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { readOptions, type EventBatchConfig, type ResolvedEventBatchOptions } from "./options.ts";
import {
  createOwnEventCounts,
  readOwnEvent,
  toEncodedRecords,
  toOrigin,
  type OwnEventCounts,
} from "./own-events.ts";
import { PendingExport, TraceWatchers } from "./pending-export.ts";

/** What became of what was exported, and of every event. */
export interface EventBatchStats extends MonitorStats {
  /** The monitor's own events; all 0 without `includeOwn`. */
  readonly own: Readonly<OwnEventCounts>;
}

/**
 * Times of gathering. Who exports waits for the answer before it exports more, so that waiting long for the rest of a
 * trace is in vain; but spans that end together may come one by one.
 */
const LIMITS = { settleMillis: 20, orphanMillis: 100, recordMillis: 100 };

function toPipelineConfig(
  config: ResolvedConfig,
  { exportTimeout }: ResolvedEventBatchOptions,
): ResolvedConfig {
  // One request that is never answered must leave time for another.
  const requestTimeout = Math.min(config.requestTimeout, exportTimeout / 2);
  // What is exported goes to its other destinations by itself.
  return { ...config, requestTimeout, otlp: undefined };
}

/** What an exporter is told of the batch processor in front of it. */
export interface ExporterDefaults {
  /** Its timeout as the environment gives it. */
  readonly otelTimeout: string | undefined;
}

/** Makes events of spans and log records, and delivers them; tells for each call what became of its own. */
export class EventBatchDelivery {
  readonly #pipeline: Pipeline;
  readonly #bridge: EventBridge;
  readonly #log: BurstLogger;
  readonly #options: ResolvedEventBatchOptions;
  readonly #shutdownTimeout: number;
  readonly #ignoredSettings: readonly string[];
  readonly #removeExitHook: () => void;
  readonly #own = createOwnEventCounts();
  readonly #watchers = new TraceWatchers();
  readonly #running = new Set<Promise<void>>();
  /** What was told since the last trace was over. */
  #results: RecordResult[] = [];
  #shutdown: Promise<void> | undefined;

  /** @param exporter - Who must answer for each event in time, if anybody. */
  constructor(given: EventBatchConfig, exporter?: ExporterDefaults) {
    const { options, config } = readOptions(given, exporter?.otelTimeout);
    const parsed = parseConfig(config);
    this.#options = options;
    this.#log = createLog(parsed);
    this.#ignoredSettings = toIgnoredSettings(parsed);
    this.#shutdownTimeout = parsed.config.shutdownTimeout;
    this.#pipeline = new Pipeline({
      config: toPipelineConfig(parsed.config, options),
      clock: systemClock,
      log: this.#log,
      random: Math.random,
      environment: process.env,
      isExport: exporter !== undefined,
    });
    this.#bridge = createEventBridge({
      clock: systemClock,
      log: this.#log,
      limits: LIMITS,
      tellsQuestions: true,
      onEvent: (event) => this.#results.push(this.#guard(() => this.#pipeline.trackBridged(event))),
      onTold: (traceIds) => this.#assign(traceIds),
      onLost: (loss) => this.#results.push(this.#refuse(loss)),
    });
    this.#removeExitHook = onNaturalExit(() => {
      if (this.#bridge.stats().waiting === 0) return;
      this.#bridge.drain();
      void this.#pipeline.flush(this.#shutdownTimeout);
    });
    warnAtStart(parsed, this.#log);
  }

  /** Takes a span. @param pending - Gets what comes of it. */
  takeSpan(span: ReadableSpan, pending: PendingExport): void {
    const origin = toOrigin(span.instrumentationScope);
    if (origin !== "foreign" && !this.#options.includeOwn) return;
    if (origin !== "tracked") {
      this.#bridgeItem(span.spanContext().traceId, pending, () => this.#bridge.onEnd(span));
      return;
    }
    for (const record of toEncodedRecords(span)) this.#takeOwn(record, pending);
    this.#own.unreadable += span.droppedEventsCount;
    for (let lost = span.droppedEventsCount; lost > 0; lost--) this.#loseOwn(pending);
  }

  /** Takes a log record. @param pending - Gets what comes of it, if somebody must answer for it. */
  takeRecord(record: ReadableLogRecord, pending?: PendingExport): void {
    const origin = toOrigin(record.instrumentationScope);
    if (origin !== "foreign" && !this.#options.includeOwn) return;
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
   * Takes items and answers when each event that came of them is with the platform or on disk, or is given up.
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
    const remaining = startCountdown(systemClock, this.#options.exportTimeout);
    const pending = new PendingExport();
    for (const item of items) this.#takeSafely(() => take(item, pending), pending);
    const running = this.#answer(pending, remaining).then(onResult);
    const ended = running
      .catch((error: unknown) =>
        this.#log.log("error", "export", `an export could not be answered (${toErrorName(error)})`),
      )
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }

  /** Sends what there is, and waits for exports under way; within `shutdownTimeout`. Never rejects. */
  async forceFlush(): Promise<void> {
    this.#bridge.drain();
    const running = Promise.all(this.#running);
    await Promise.all([
      this.#pipeline.flush(this.#shutdownTimeout),
      withDeadline(systemClock, running, this.#shutdownTimeout),
    ]);
  }

  /** Sends what is left within `shutdownTimeout`, answers every export and releases everything; resolves in every case. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#close();
    return this.#shutdown;
  }

  /** Takes a log record for which nobody must answer; never throws. */
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
      await this.#pipeline.shutdown(this.#shutdownTimeout);
      // What was left is given up by now, so that nobody waits any more.
      await Promise.all(this.#running);
    } catch (error) {
      this.#log.log("error", "shutdown", `shutdown failed (${toErrorName(error)})`);
    }
    this.#log.flush();
  }

  async #answer(pending: PendingExport, remaining: () => number): Promise<ExportResult> {
    await withDeadline(systemClock, pending.told(), remaining());
    const givenUp = await this.#pipeline.confirmations.confirm(pending.events, remaining());
    return pending.toResult(givenUp, this.#pipeline.stats().blockedReason);
  }

  #takeOwn(record: EncodedRecord, pending: PendingExport | undefined): void {
    const event = readOwnEvent(record, this.#own);
    if (event === "lost") this.#loseOwn(pending);
    else if (event)
      this.#add(
        this.#guard(() => this.#pipeline.deliver(event, JSON.stringify(event).length)),
        pending ? [pending] : [],
      );
  }

  /** Counts one of the monitor's own events of which there is not enough left. */
  #loseOwn(pending: PendingExport | undefined): void {
    this.#lose("invalid_argument", pending);
    const message =
      "own events are not delivered: they hold no content, or a limit took what names them";
    this.#log.log("warn", "own_events", message);
  }

  /** Hands something to the bridge; what comes of it belongs to the export when its trace is over. */
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

  /** Counts something that is no event. */
  #refuse(reason: DropReason): DropReason {
    this.#pipeline.refuse(reason);
    return reason;
  }

  #lose(reason: DropReason, pending: PendingExport | undefined): void {
    this.#refuse(reason);
    pending?.lose(reason);
  }

  /** Gives what was told to those who wait for it. */
  #assign(traceIds: readonly string[]): void {
    const results = this.#results;
    this.#results = [];
    const waiting = [...this.#watchers.take(traceIds)];
    for (const result of results) this.#add(result, waiting);
    for (const pending of waiting) for (const traceId of traceIds) pending.release(traceId);
  }

  #add(result: RecordResult, waiting: readonly PendingExport[]): void {
    if (waiting.length === 0) return;
    if (typeof result === "string") {
      for (const pending of waiting) pending.lose(result);
      return;
    }
    const event = this.#pipeline.confirmations.expect(result);
    for (const pending of waiting) pending.events.push(event);
  }

  #guard(record: () => RecordResult): RecordResult {
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
