import { createContextKey, ROOT_CONTEXT, type Context, type HrTime } from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import {
  LoggerProvider,
  type LogRecordProcessor,
  type ReadWriteLogRecord,
} from "@opentelemetry/sdk-logs";
import type { EncryptionOptions } from "../events/protection.ts";
import { keepAliveUntil, startCountdown, withDeadline, type Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import { createBatchEncoder, type BatchEncoder } from "./batch-encoding.ts";
import { createBatchSender, type BatchSenderOptions } from "./batch-sender.ts";
import type { Compression } from "./batch.ts";
import type { ChainKey } from "./chain/chain.ts";
import type { RetryOptions } from "./circuit.ts";
import { Confirmations, type ConfirmedDelivery } from "./confirmations.ts";
import { createDeliveryMetrics, toDeliveryStats, type DeliveryStats } from "./delivery-stats.ts";
import { flushAtExit } from "./flush-at-exit.ts";
import type { Transport } from "./http-transport.ts";
import { createLossTeller, Ledger, toLossMessage, type DropReason } from "./ledger.ts";
import { openStorage } from "./open-storage.ts";
import type { CompleteEvent, PendingEvent } from "./pending-event.ts";
import { createReleaseClock, type ReleaseClock } from "./release-clock.ts";
import { Sender } from "./sender.ts";
import type { SpoolSettings } from "./spool/spool-room.ts";
import type { Storage } from "./storage.ts";

/** Carries the full event beside its log record, out of reach of attribute limits. */
const SLOT_KEY = createContextKey("agent-monitor.event");

/** The event itself has its time, so no log record needs one converted. */
const UNUSED_TIME: HrTime = [0, 0];

/** Holds the event of the record that is being emitted: one context serves all, since `emit` is synchronous. */
interface EventSlot {
  event: PendingEvent | undefined;
  /** Result of recording the event. */
  result: RecordResult;
}

/** Sequence of an event that is stored, or the reason for which it is not. */
export type RecordResult = number | DropReason;

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
  /** Keeps events on disk; `undefined` keeps them in memory. */
  readonly spool?: SpoolSettings | undefined;
  readonly chainKey?: ChainKey | undefined;
  readonly encryption?: EncryptionOptions | undefined;
  /** Makes the final form of provisional events of earlier processes. */
  readonly completeEvent?: CompleteEvent | undefined;
  /** Whether an export waits for each event with a timeout, and then drops it unless it is on disk. */
  readonly isExport?: boolean | undefined;
}

/** Private path of events to the platform. */
export interface PlatformPath extends ConfirmedDelivery {
  /** Stores an event for delivery, or counts it as dropped when there is no room. */
  record(eventName: string, event: PendingEvent): RecordResult;
  /** Replaces a provisional event by its final form: now it may be sent. */
  replace(provisional: PendingEvent, final: PendingEvent): void;
  /** Resolves after the first look for events of ended processes, or at the deadline: whether some need completion. */
  looked(timeoutMillis: number): Promise<boolean>;
  /** Resolves once all events of ended processes are completed, or at the deadline; the process stays until then. */
  completed(timeoutMillis?: number): Promise<void>;
  /** Counts an item that could not become an event. */
  refuse(reason: DropReason): void;
  flush(timeoutMillis?: number): Promise<void>;
  shutdown(timeoutMillis: number): Promise<void>;
  stats(): DeliveryStats;
}

interface ProcessorOptions {
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly clock: ReleaseClock;
  readonly log: BurstLogger;
}

/** Creates a processor that stores the event of a record before `emit` returns, then notes it in the release clock. */
function createStoringProcessor(options: ProcessorOptions): LogRecordProcessor {
  const { ledger, clock, log } = options;
  const { store, outbox } = options.storage;
  return {
    onEmit(record: ReadWriteLogRecord, context?: Context) {
      const slot = context?.getValue(SLOT_KEY) as EventSlot | undefined;
      if (!slot?.event) return;
      const { event } = slot;
      const sequence = store.append(event);
      slot.result = sequence;
      if (typeof sequence === "string") {
        ledger.refuse(sequence);
        outbox.noteRefused(sequence);
        log.log("error", `drop:${sequence}`, toLossMessage(sequence, 1), { reason: sequence });
        return;
      }
      ledger.track();
      outbox.noteAppended(sequence, event.timestamp);
      clock.note(record, sequence);
    },
    forceFlush: () => clock.forceFlush(),
    shutdown: () => clock.shutdown(),
  };
}

/** Creates a recorder that emits events as log records, one at a time; a provisional event waits for its final form. */
function createRecorder(
  provider: LoggerProvider,
  { store }: Storage,
  sender: Sender,
): Pick<PlatformPath, "record" | "replace"> {
  const logger = provider.getLogger("agent-monitor");
  const slot: EventSlot = { event: undefined, result: "after_shutdown" };
  const context = ROOT_CONTEXT.setValue(SLOT_KEY, slot);
  return {
    record(eventName, event) {
      slot.event = event;
      slot.result = "after_shutdown";
      logger.emit({ eventName, timestamp: UNUSED_TIME, observedTimestamp: UNUSED_TIME, context });
      slot.event = undefined;
      return slot.result;
    },
    replace(provisional, final) {
      store.replace(provisional, final);
      sender.wake();
    },
  };
}

interface SendingOptions {
  readonly ledger: Ledger;
  readonly encoder: BatchEncoder;
  readonly storage: Storage;
}

/** Creates the sender with its counts and metrics. */
function createSending(options: PlatformPathOptions, { ledger, encoder, storage }: SendingOptions) {
  const retry: RetryOptions = {
    ...options.retry,
    onRetry: (reason, delayMillis) => {
      ledger.noteRetry();
      options.retry.onRetry?.(reason, delayMillis);
    },
  };
  const stats = (): DeliveryStats => toDeliveryStats(ledger, storage, sender, options.clock.now());
  const metrics = createDeliveryMetrics(stats);
  const onAttempt: BatchSenderOptions["onAttempt"] = (durationMillis, errorType) => {
    metrics.look();
    metrics.recordAttempt(durationMillis, errorType);
  };
  const sender: Sender = new Sender(storage.outbox, {
    ...options,
    url: options.transport.url,
    keepsEvents: options.isExport !== true || options.spool !== undefined,
    sendBatch: createBatchSender({ ...options, encoder, retry, onAttempt }),
    onDrained: (drained) => storage.release(drained),
  });
  metrics.look();
  return { sender, metrics, stats };
}

type Waits = Pick<PlatformPath, "looked" | "completed">;

/** Creates the waits for the first look for events of others, and for the completion of those that a new look finds. */
function createWaits(clock: Clock, storage: Storage): Waits {
  return {
    async looked(timeoutMillis) {
      await withDeadline(clock, storage.ready(), timeoutMillis);
      return storage.completed() !== undefined;
    },
    async completed(timeoutMillis) {
      const completed = storage.look().then(() => storage.completed());
      const wait = withDeadline(clock, completed, timeoutMillis);
      await keepAliveUntil(clock, wait, timeoutMillis);
    },
  };
}

interface DrainOptions extends Pick<Waits, "completed"> {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly storage: Storage;
  readonly sender: Sender;
}

/**
 * Sends the events of earlier processes as well: those found meanwhile, after the process's own.
 *
 * The first look comes before: reports of others' losses go with a batch of this process, and a process that
 * lives shortly may have no other batch.
 */
function createDrain({ completed, clock, ledger, storage, sender }: DrainOptions) {
  return async (timeoutMillis?: number, isLast?: boolean): Promise<void> => {
    const remaining = startCountdown(clock, timeoutMillis);
    const stayed = completed(timeoutMillis);
    await withDeadline(clock, storage.ready(), timeoutMillis);
    const before = ledger.recovered;
    const isCompleting = storage.completed() !== undefined;
    const settled = storage.store.settled();
    if (settled) await withDeadline(clock, settled, remaining());
    await Promise.all([sender.drain(remaining(), isLast), stayed]);
    if (ledger.recovered > before || isCompleting) await sender.drain(remaining());
  };
}

/**
 * Creates the platform path on a provider of its own, so that no sampler, no attribute limit and no other
 * exporter of the application can touch an event, and nothing the platform does can touch the application.
 */
export function createPlatformPath(options: PlatformPathOptions): PlatformPath {
  const { clock, log, transport } = options;
  const ledger = new Ledger();
  const encoder = createBatchEncoder(options);
  const { encryptionInfo } = encoder;
  const { organizationId, compression, chainKey } = options;
  const origin = { organizationId, platform: transport.url, compression, encryptionInfo, chainKey };
  const confirmations = new Confirmations(options);
  const storage = openStorage({ ...options, ledger, origin, onRecord: confirmations.note });
  const { outbox } = storage;
  const { sender, metrics, stats } = createSending(options, { ledger, encoder, storage });
  const releaseClock = createReleaseClock({
    ...options,
    release: (sequence) => {
      metrics.look();
      outbox.release(sequence);
      sender.wake();
    },
  });
  const provider = new LoggerProvider({
    resource: emptyResource(),
    processors: [createStoringProcessor({ storage, ledger, clock: releaseClock, log })],
  });
  storage.start(sender);

  const waits = createWaits(clock, storage);
  const drain = createDrain({ ...waits, clock, ledger, storage, sender });
  const flushLast = (): Promise<void> => drain(options.shutdownTimeout, true);
  const reportLosses = createLossTeller(stats, log);
  const removeExitHooks = flushAtExit(sender, storage, flushLast, reportLosses);

  return {
    ...createRecorder(provider, storage, sender),
    ...confirmations.over({ storage, sender }),
    ...waits,
    refuse(reason) {
      ledger.refuse(reason);
      outbox.noteRefused(reason);
    },
    async flush(timeoutMillis) {
      const remaining = startCountdown(clock, timeoutMillis);
      const safe = storage.store.sync();
      await drain(timeoutMillis);
      // It releases everything at once, and would not wait for the first look.
      await releaseClock.forceFlush();
      await withDeadline(clock, safe, remaining());
    },
    async shutdown(timeoutMillis) {
      removeExitHooks();
      const remaining = startCountdown(clock, timeoutMillis);
      await drain(timeoutMillis, true);
      await sender.close("shutdown");
      await withDeadline(clock, storage.store.sync(), remaining());
      await provider.shutdown();
      storage.giveUpMemory("shutdown");
      storage.close();
      metrics.close();
      transport.close();
      reportLosses();
    },
    stats,
  };
}
