import {
  createNoopMeter,
  metrics,
  type BatchObservableCallback,
  type Histogram,
  type Meter,
  type Observable,
} from "@opentelemetry/api";
import { ATTR_ERROR_TYPE, SCOPE_NAME } from "../semconv.ts";
import { VERSION } from "../version.ts";
import { DROP_REASONS, type DropReason, type Ledger, type LedgerEntries } from "./ledger.ts";
import type { Sender, SenderState } from "./sender.ts";
import type { SpoolStats, Storage } from "./storage.ts";

/** State of delivery. */
export interface DeliveryStats extends LedgerEntries {
  /** Dropped events by reason. */
  readonly droppedByReason: Partial<Record<DropReason, number>>;
  /** Events that the platform had already; they count as acked, too. */
  readonly duplicates: number;
  /** Requests that were made again. */
  readonly retries: number;
  /** Bytes that a batch may have now: `maxBatchBytes`, or less while the platform responds with 413. */
  readonly maxBatchBytes: number;
  /** Approximate bytes of the pending events. */
  readonly pendingBytes: number;
  /** Age in ms of the oldest pending event; 0 when there is none. */
  readonly oldestPendingAge: number;
  /** State of the sender. */
  readonly state: SenderState;
  /** Reason for which the platform accepts nothing, while the state is `open` or `blocked`. */
  readonly blockedReason?: string;
  /** State of the spool; `undefined` in memory mode. */
  readonly spool?: SpoolStats;
  /** The batch that was planned last: a copy kept elsewhere proves later that nothing before it was changed. */
  readonly chain: {
    readonly writerId: string;
    readonly sequence: number;
    readonly hash: string | null;
  };
}

/** Collects the state of delivery. */
export function toDeliveryStats(
  ledger: Ledger,
  storage: Storage,
  sender: Sender,
  now: number,
): DeliveryStats {
  const { outbox } = storage;
  const { outboxes, haltReason } = sender;
  const spool = storage.spoolStats();
  const oldestAt = Math.min(...outboxes.map((one) => one.oldestAt ?? now));
  return {
    ...ledger.entries(sender.pending),
    droppedByReason: ledger.droppedByReason(),
    duplicates: ledger.duplicates,
    retries: ledger.retries,
    maxBatchBytes: sender.maxBatchBytes,
    // Files keep delivered events for a while.
    pendingBytes: outboxes.reduce((sum, { bytes, pending }) => sum + (pending > 0 ? bytes : 0), 0),
    oldestPendingAge: Math.max(0, now - oldestAt),
    state: sender.state,
    ...(haltReason !== undefined && { blockedReason: haltReason }),
    ...(spool && { spool }),
    chain: { writerId: outbox.writerId, ...outbox.chain },
  };
}

/** Reason for which events were dropped: one of `DROP_REASONS`. */
const ATTR_DROP_REASON = "agent_monitor.drop.reason";

/** Instrument, unit and description of a metric. */
export interface MetricDescription {
  readonly name: string;
  readonly instrument: "counter" | "updowncounter" | "gauge" | "histogram";
  readonly unit: string;
  readonly description: string;
  /** The only attribute that it may have. */
  readonly attribute?: string;
}

/** The metrics of delivery. */
export const DELIVERY_METRICS = {
  pending: {
    name: "agent_monitor.delivery.pending",
    instrument: "updowncounter",
    unit: "{event}",
    description: "Events that wait for delivery.",
  },
  oldestAge: {
    name: "agent_monitor.delivery.oldest_age",
    instrument: "gauge",
    unit: "s",
    description: "Age of the oldest event that waits.",
  },
  spoolSize: {
    name: "agent_monitor.delivery.spool.size",
    instrument: "updowncounter",
    unit: "By",
    description: "Size of the spool directory, all writers.",
  },
  sent: {
    name: "agent_monitor.delivery.sent",
    instrument: "counter",
    unit: "{event}",
    description: "Events that the platform has taken.",
  },
  dead: {
    name: "agent_monitor.delivery.dead",
    instrument: "counter",
    unit: "{event}",
    description: "Events that the platform refused for good.",
  },
  dropped: {
    name: "agent_monitor.delivery.dropped",
    instrument: "counter",
    unit: "{event}",
    description: "Events that were given up.",
    attribute: ATTR_DROP_REASON,
  },
  retries: {
    name: "agent_monitor.delivery.retries",
    instrument: "counter",
    unit: "{request}",
    description: "Requests that were made again.",
  },
  exportDuration: {
    name: "agent_monitor.delivery.export.duration",
    instrument: "histogram",
    unit: "s",
    description: "Duration of one request to the platform.",
    attribute: ATTR_ERROR_TYPE,
  },
} as const satisfies Record<string, MetricDescription>;

function createObservables(meter: Meter) {
  const { pending, oldestAge, spoolSize, sent, dead, dropped, retries } = DELIVERY_METRICS;
  return {
    pending: meter.createObservableUpDownCounter(pending.name, pending),
    oldestAge: meter.createObservableGauge(oldestAge.name, oldestAge),
    spoolSize: meter.createObservableUpDownCounter(spoolSize.name, spoolSize),
    sent: meter.createObservableCounter(sent.name, sent),
    dead: meter.createObservableCounter(dead.name, dead),
    dropped: meter.createObservableCounter(dropped.name, dropped),
    retries: meter.createObservableCounter(retries.name, retries),
  };
}

/** Creates the metrics of delivery on the global meter provider, as soon as there is one. */
export function createDeliveryMetrics(readStats: () => DeliveryStats) {
  let duration: Histogram | undefined;
  let isClosed = false;

  const observe = (meter: Meter): void => {
    const observables = createObservables(meter);
    const callback: BatchObservableCallback = (result) => {
      const stats = readStats();
      result.observe(observables.pending, stats.pending);
      result.observe(observables.oldestAge, stats.oldestPendingAge / 1000);
      if (stats.spool) result.observe(observables.spoolSize, stats.spool.bytes);
      result.observe(observables.sent, stats.acked);
      result.observe(observables.dead, stats.dead);
      result.observe(observables.retries, stats.retries);
      // A series that began with its first loss would show no increase.
      for (const reason of DROP_REASONS)
        result.observe(observables.dropped, stats.droppedByReason[reason] ?? 0, {
          [ATTR_DROP_REASON]: reason,
        });
      // After this collection: the provider is iterating over its callbacks.
      if (isClosed) queueMicrotask(() => meter.removeBatchObservableCallback(callback, all));
    };
    const all: Observable[] = Object.values(observables);
    meter.addBatchObservableCallback(callback, all);
    const { exportDuration } = DELIVERY_METRICS;
    duration = meter.createHistogram(exportDuration.name, exportDuration);
  };

  const look = (): void => {
    if (duration) return;
    const meter = metrics.getMeter(SCOPE_NAME, VERSION);
    if (meter !== createNoopMeter()) observe(meter);
  };

  return {
    /** Looks for a global meter provider; the first one found is used from then on. */
    look,
    /** Looks as well. @param errorType - Status or code of an attempt that failed. */
    recordAttempt: (durationMillis: number, errorType: string | undefined): void => {
      look();
      const attributes = errorType === undefined ? {} : { [ATTR_ERROR_TYPE]: errorType };
      duration?.record(durationMillis / 1000, attributes);
    },
    /** Ends the metrics after the next collection, which still has the losses at the end. */
    close: (): void => {
      isClosed = true;
    },
  };
}
