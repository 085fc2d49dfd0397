import { ROOT_CONTEXT, type HrTime } from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import {
  LoggerProvider,
  type LogRecordProcessor,
  type ReadWriteLogRecord,
} from "@opentelemetry/sdk-logs";
import { keepAliveUntil, startCountdown, withDeadline } from "../util/clock.ts";
import { onExit, onNaturalExit } from "../util/exit-hook.ts";
import {
  createBatchEncoder,
  createBatchSender,
  type BatchEncoder,
  type BatchEncoderOptions,
  type BatchSenderOptions,
} from "./batch-sender.ts";
import type { ChainKey } from "./chain/chain.ts";
import type { RetryOptions } from "./circuit.ts";
import { Confirmations, type ExpectedEvent } from "./confirmations.ts";
import { openSpool } from "./deferred-spool.ts";
import { createDeliveryMetrics, toDeliveryStats, type DeliveryStats } from "./delivery-stats.ts";
import { createLossReporter, Ledger, toLossMessage, type DropReason } from "./ledger.ts";
import type { PendingEvent } from "./pending-event.ts";
import { createReleaseClock, type ReleaseClockOptions } from "./release-clock.ts";
import { Sender } from "./sender.ts";
import type { SpoolSettings } from "./spool/spool-context.ts";
import { openMemoryStorage, type Storage, type StorageOptions } from "./storage.ts";

/** The event itself has its time, so no log record needs one converted. */
const UNUSED_TIME: HrTime = [0, 0];

/** Sequence of an event that is stored, or the reason for which it is not. */
export type RecordResult = number | DropReason;

export interface PlatformPathOptions
  extends
    BatchEncoderOptions,
    Omit<BatchSenderOptions, "encoder" | "onAttempt">,
    Omit<ReleaseClockOptions, "release">,
    Pick<StorageOptions, "maxQueueBytes" | "completeEvent"> {
  readonly maxBatchBytes: number;
  readonly shutdownTimeout: number;
  /** Keeps events on disk; `undefined` keeps them in memory. */
  readonly spool?: SpoolSettings | undefined;
  readonly chainKey?: ChainKey | undefined;
  /** Whether an export waits for each event with a timeout, and then drops it unless it is on disk. */
  readonly isExport?: boolean | undefined;
}

/** Number of exit hook calls that may flush: an application that tracks at each would never end. */
const MAX_EXIT_FLUSHES = 10;

/**
 * Private path of events to the platform, on a provider of its own, so that no sampler, no attribute limit and no other
 * exporter of the application can touch an event, and nothing the platform does can touch the application.
 */
export class PlatformPath {
  readonly #options: PlatformPathOptions;
  readonly #ledger = new Ledger();
  readonly #confirmations: Confirmations;
  readonly #storage: Storage;
  readonly #sender: Sender;
  readonly #metrics = createDeliveryMetrics(() => this.stats());
  readonly #releaseClock: ReturnType<typeof createReleaseClock>;
  readonly #provider: LoggerProvider;
  readonly #logger: ReturnType<LoggerProvider["getLogger"]>;
  /** The event of the record that is being emitted, since `emit` is synchronous: no attribute limit can touch it. */
  #emitted: PendingEvent | undefined;
  #result: RecordResult = "after_shutdown";
  /** Logs everything that was lost. */
  readonly #reportLosses: () => void;
  readonly #removeExitHooks: () => void;

  constructor(options: PlatformPathOptions) {
    this.#options = options;
    const encoder = createBatchEncoder(options);
    this.#confirmations = new Confirmations(options.retry);
    this.#storage = this.#openStorage(encoder);
    this.#sender = this.#createSender(encoder);
    this.#metrics.look();
    this.#releaseClock = createReleaseClock({
      ...options,
      release: (sequence) => {
        this.#metrics.look();
        this.#storage.outbox.release(sequence);
        this.#sender.wake();
      },
    });
    const processor: LogRecordProcessor = {
      onEmit: (record) => {
        if (this.#emitted) this.#result = this.#store(this.#emitted, record);
      },
      forceFlush: () => this.#releaseClock.forceFlush(),
      shutdown: () => this.#releaseClock.shutdown(),
    };
    this.#provider = new LoggerProvider({ resource: emptyResource(), processors: [processor] });
    this.#logger = this.#provider.getLogger("agent-monitor");
    this.#storage.start(this.#sender);
    this.#reportLosses = createLossReporter(() => this.stats(), options.log);
    this.#removeExitHooks = this.#flushAtExit();
  }

  /** Stores an event for delivery, or counts it as dropped when there is no room. */
  record(eventName: string, event: PendingEvent): RecordResult {
    this.#emitted = event;
    this.#result = "after_shutdown";
    this.#logger.emit({
      eventName,
      timestamp: UNUSED_TIME,
      observedTimestamp: UNUSED_TIME,
      context: ROOT_CONTEXT,
    });
    this.#emitted = undefined;
    return this.#result;
  }

  /** Replaces a provisional event by its final form: now it may be sent. */
  replace(provisional: PendingEvent, final: PendingEvent): void {
    this.#storage.store.replace(provisional, final);
    this.#sender.wake();
  }

  /** Counts an item that could not become an event. */
  refuse(reason: DropReason): void {
    this.#ledger.refuse(reason);
    this.#storage.outbox.noteRefused(reason);
  }

  /** Starts to follow an event that has just been stored. */
  expect(sequence: number): ExpectedEvent {
    return this.#confirmations.expect(sequence);
  }

  /** Sends events and waits for their outcome; drops the rest at the deadline. @returns Number of dropped events. */
  confirm(events: readonly ExpectedEvent[], timeoutMillis: number): Promise<number> {
    return this.#confirmations.confirm(events, this.#storage, this.#sender, timeoutMillis);
  }

  /** Resolves after the first look for events of ended processes, or at the deadline: whether some need completion. */
  async looked(timeoutMillis: number): Promise<boolean> {
    await withDeadline(this.#options.clock, this.#storage.ready(), timeoutMillis);
    return this.#storage.completed() !== undefined;
  }

  /** Resolves once all events of ended processes are completed, or at the deadline; the process stays until then. */
  async completed(timeoutMillis?: number): Promise<void> {
    const { clock } = this.#options;
    const completed = this.#storage.look().then(() => this.#storage.completed());
    await keepAliveUntil(clock, withDeadline(clock, completed, timeoutMillis), timeoutMillis);
  }

  async flush(timeoutMillis?: number): Promise<void> {
    const { clock } = this.#options;
    const remaining = startCountdown(clock, timeoutMillis);
    const safe = this.#storage.store.sync();
    await this.#drain(timeoutMillis);
    // It releases everything at once, and would not wait for the first look.
    await this.#releaseClock.forceFlush();
    await withDeadline(clock, safe, remaining());
  }

  async shutdown(timeoutMillis: number): Promise<void> {
    const { clock, transport } = this.#options;
    const storage = this.#storage;
    this.#removeExitHooks();
    const remaining = startCountdown(clock, timeoutMillis);
    await this.#drain(timeoutMillis, true);
    await this.#sender.close("shutdown");
    await withDeadline(clock, storage.store.sync(), remaining());
    await this.#provider.shutdown();
    storage.giveUpMemory("shutdown");
    storage.close();
    this.#metrics.close();
    transport.close();
    this.#reportLosses();
  }

  stats(): DeliveryStats {
    const now = this.#options.clock.now();
    return toDeliveryStats(this.#ledger, this.#storage, this.#sender, now);
  }

  /** Opens the storage of events: the spool if configured, else memory. */
  #openStorage({ encryptionInfo }: BatchEncoder): Storage {
    const { organizationId, transport, compression, chainKey, log, spool } = this.#options;
    const storageOptions: StorageOptions = {
      ...this.#options,
      ledger: this.#ledger,
      origin: { organizationId, platform: transport.url, compression, encryptionInfo, chainKey },
      onRecord: this.#confirmations.note,
      onLoss: (reason, count) =>
        log.log("error", `drop:${reason}`, toLossMessage(reason, count), { reason, count }, count),
      onDeadLetter: ({ json }, reason) => {
        const { eventId } = JSON.parse(json.toString()) as { eventId?: unknown };
        const message = "the platform refused an event for good";
        log.log("error", "dead_event", message, { eventId, reason });
      },
    };
    return spool
      ? openSpool({ ...storageOptions, ...spool, log })
      : openMemoryStorage(storageOptions);
  }

  /** Creates the sender, which counts its attempts. */
  #createSender(encoder: BatchEncoder): Sender {
    const options = this.#options;
    const { recordAttempt: onAttempt } = this.#metrics;
    const retry: RetryOptions = {
      ...options.retry,
      onRetry: (reason, delayMillis) => {
        this.#ledger.retries++;
        options.retry.onRetry?.(reason, delayMillis);
      },
    };
    return new Sender(this.#storage.outbox, {
      ...options,
      url: options.transport.url,
      keepsEvents: options.isExport !== true || options.spool !== undefined,
      sendBatch: createBatchSender({ ...options, encoder, retry, onAttempt }),
      onDrained: (drained) => this.#storage.release(drained),
    });
  }

  /** Stores an event before `emit` returns, then notes its record in the release clock. */
  #store(event: PendingEvent, record: ReadWriteLogRecord): RecordResult {
    const { store, outbox } = this.#storage;
    const sequence = store.append(event);
    if (typeof sequence === "string") {
      this.refuse(sequence);
      const message = toLossMessage(sequence, 1);
      this.#options.log.log("error", `drop:${sequence}`, message, { reason: sequence });
      return sequence;
    }
    this.#ledger.tracked++;
    outbox.noteAppended(sequence, event.timestamp);
    this.#releaseClock.note(record, sequence);
    return sequence;
  }

  /**
   * Sends everything, then the events of earlier processes that were found meanwhile.
   *
   * The first look comes before: reports of others' losses go with a batch of this process, and a process that
   * lives shortly may have no other batch.
   */
  async #drain(timeoutMillis?: number, isLast?: boolean): Promise<void> {
    const { clock } = this.#options;
    const storage = this.#storage;
    const remaining = startCountdown(clock, timeoutMillis);
    const stayed = this.completed(timeoutMillis);
    await withDeadline(clock, storage.ready(), timeoutMillis);
    const before = this.#ledger.recovered;
    const isCompleting = storage.completed() !== undefined;
    const settled = storage.store.settled();
    if (settled) await withDeadline(clock, settled, remaining());
    await Promise.all([this.#sender.drain(remaining(), isLast), stayed]);
    if (this.#ledger.recovered > before || isCompleting) await this.#sender.drain(remaining());
  }

  /**
   * Flushes when the process is about to end by itself, once for the events tracked until then; counts and logs the
   * events that are lost in the end, however the process ends. Exit codes stay as they are.
   *
   * @returns A function that removes the hooks.
   */
  #flushAtExit(): () => void {
    let lastSequence = -1;
    let visits = 0;
    const giveUp = (): void => {
      this.#sender.dropPending("exit");
      this.#storage.giveUpMemory("exit");
      this.#reportLosses();
    };
    const onNatural = (): void => {
      visits++;
      // One more turn of the loop: a listener after ours may still track something.
      if (visits === 1) setImmediate(() => undefined);
      // The first time, also looks for events that others have left.
      if (this.#sender.pending === 0 && visits > 1) return;
      const { newestSequence } = this.#storage.outbox;
      if (newestSequence === lastSequence || visits > MAX_EXIT_FLUSHES) {
        // The last flush did not deliver these events; another wait would keep the process alive for ever.
        giveUp();
        return;
      }
      lastSequence = newestSequence;
      void this.#drain(this.#options.shutdownTimeout, true);
    };
    const removers = [onNaturalExit(onNatural), onExit(giveUp)];
    return () => removers.forEach((remove) => remove());
  }
}
