import { createContextKey, ROOT_CONTEXT, type Context, type HrTime } from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import {
  LoggerProvider,
  type LogRecordProcessor,
  type ReadWriteLogRecord,
} from "@opentelemetry/sdk-logs";
import type { Clock } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import type { BurstLogger } from "../util/logger.ts";
import { createBatchSender } from "./batch-sender.ts";
import type { Compression } from "./batch.ts";
import { createMemoryStore, type EventStore } from "./event-store.ts";
import type { Transport } from "./http-transport.ts";
import { Ledger, type DropReason, type LedgerEntries } from "./ledger.ts";
import type { PendingEvent } from "./pending-event.ts";
import { createReleaseClock, type ReleaseClock } from "./release-clock.ts";
import type { RetryOptions } from "./retry.ts";
import { Sender, type SenderState } from "./sender.ts";

/** Carries the full event beside its log record, out of reach of attribute limits. */
const SLOT_KEY = createContextKey("agent-monitor.event");

/** The event itself says when it happened; two conversions of the time for every record would be lost. */
const UNUSED_TIME: HrTime = [0, 0];

/** Holds the event of the record that is being emitted: one context serves all, since `emit` is synchronous. */
interface EventSlot {
  event: PendingEvent | undefined;
}

export interface PlatformPathOptions {
  readonly organizationId: string;
  readonly batchSize: number;
  readonly flushInterval: number;
  readonly maxQueueSize: number;
  readonly maxQueueBytes: number;
  readonly maxBatchBytes: number;
  readonly compression: Compression;
  readonly shutdownTimeout: number;
  readonly retry: RetryOptions;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** State of delivery. */
export interface DeliveryStats extends LedgerEntries {
  /** Dropped events by reason. */
  readonly droppedByReason: Partial<Record<DropReason, number>>;
  /** Events that the platform had already, acked as well. */
  readonly duplicates: number;
  /** About the bytes of the pending events. */
  readonly pendingBytes: number;
  /** Age in ms of the oldest pending event; 0 when there is none. */
  readonly oldestPendingAge: number;
  /** What the sender is doing. */
  readonly state: SenderState;
  /** Why the platform takes nothing, while the state is `blocked`. */
  readonly blockedReason?: string;
}

/** The private way of events to the platform. */
export interface PlatformPath {
  /** Keeps an event for delivery, or counts it as dropped when there is no room. */
  record(eventName: string, event: PendingEvent): void;
  /** Counts an event that never became one. */
  refuse(reason: DropReason): void;
  flush(timeoutMillis?: number): Promise<void>;
  shutdown(timeoutMillis: number): Promise<void>;
  stats(): DeliveryStats;
}

interface ProcessorOptions {
  readonly store: EventStore;
  readonly ledger: Ledger;
  readonly clock: ReleaseClock;
  readonly log: BurstLogger;
}

/** Stores the event of a record before `emit` returns, then tells the clock. */
function createStoringProcessor({
  store,
  ledger,
  clock,
  log,
}: ProcessorOptions): LogRecordProcessor {
  return {
    onEmit(record: ReadWriteLogRecord, context?: Context) {
      const event = (context?.getValue(SLOT_KEY) as EventSlot | undefined)?.event;
      if (!event) return;
      const sequence = store.append(event);
      if (sequence === undefined) {
        ledger.refuse("queue_full");
        log.log("error", "drop:queue_full", "an event is lost: the queue is full", {
          reason: "queue_full",
        });
        return;
      }
      ledger.track();
      clock.note(record, sequence);
    },
    forceFlush: () => clock.forceFlush(),
    shutdown: () => clock.shutdown(),
  };
}

/** Visits of the exit hook that may flush: an application that tracks at each would never end. */
const MAX_EXIT_FLUSHES = 10;

/** Flushes when the process is about to end by itself, once for what was tracked until then. */
function flushAtExit(
  store: EventStore,
  sender: Sender,
  { shutdownTimeout, log }: PlatformPathOptions,
): () => void {
  let lastSequence = -1;
  let visits = 0;
  return onNaturalExit(() => {
    visits++;
    // One more turn of the loop: a listener behind ours may track something yet.
    if (visits === 1) setImmediate(() => undefined);
    if (store.size === 0) return;
    if (store.newestSequence === lastSequence || visits > MAX_EXIT_FLUSHES) {
      // The flush of the last visit did not get these through; waiting on would keep the process for ever.
      sender.dropPending("exit");
      log.flush();
      return;
    }
    lastSequence = store.newestSequence;
    void sender.drain(shutdownTimeout);
  });
}

function toDeliveryStats(
  ledger: Ledger,
  store: EventStore,
  sender: Sender,
  now: number,
): DeliveryStats {
  const { oldest } = store;
  return {
    ...ledger.entries(store.size),
    droppedByReason: ledger.droppedByReason(),
    duplicates: ledger.duplicates,
    pendingBytes: store.bytes,
    oldestPendingAge: oldest ? Math.max(0, now - oldest.timestamp) : 0,
    state: sender.state,
    ...(sender.blockedReason !== undefined && { blockedReason: sender.blockedReason }),
  };
}

/**
 * Creates the platform path: a provider of its own, so that no sampler, no attribute limit and no other
 * exporter of the application can touch an event, and nothing the platform does can touch the application.
 */
export function createPlatformPath(options: PlatformPathOptions): PlatformPath {
  const { clock, log, transport } = options;
  const ledger = new Ledger();
  const store = createMemoryStore(options.maxQueueSize, options.maxQueueBytes);
  const sender = new Sender({
    ...options,
    retryAttempts: options.retry.retryAttempts,
    store,
    ledger,
    sendBatch: createBatchSender(options),
  });
  const releaseClock = createReleaseClock({
    ...options,
    release: (sequence) => sender.release(sequence),
  });
  const provider = new LoggerProvider({
    resource: emptyResource(),
    processors: [createStoringProcessor({ store, ledger, clock: releaseClock, log })],
  });
  const logger = provider.getLogger("agent-monitor");
  const slot: EventSlot = { event: undefined };
  const slotContext = ROOT_CONTEXT.setValue(SLOT_KEY, slot);
  const removeExitHook = flushAtExit(store, sender, options);

  return {
    record(eventName, event) {
      slot.event = event;
      logger.emit({
        eventName,
        timestamp: UNUSED_TIME,
        observedTimestamp: UNUSED_TIME,
        context: slotContext,
      });
      slot.event = undefined;
    },
    refuse: (reason) => ledger.refuse(reason),
    async flush(timeoutMillis) {
      const drained = sender.drain(timeoutMillis);
      await releaseClock.forceFlush();
      await drained;
    },
    async shutdown(timeoutMillis) {
      removeExitHook();
      await sender.close(timeoutMillis, "shutdown");
      await provider.shutdown();
      transport.close();
    },
    stats: () => toDeliveryStats(ledger, store, sender, clock.now()),
  };
}
