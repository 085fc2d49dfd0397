import { uuidV7 } from "../util/ids.ts";
import type { BatchQueueOptions } from "./batch-queue.ts";
import type { BatchOrigin } from "./batch.ts";
import { MemoryStore, type EventStore, type StoredEvent } from "./event-store.ts";
import type { DropReason } from "./ledger.ts";
import { createOutboxState, type OutboxRecord } from "./outbox-state.ts";
import { Outbox } from "./outbox.ts";
import type { CompleteEvent } from "./pending-event.ts";
import type { Sender } from "./sender.ts";

/** State of the spool. */
export interface SpoolStats {
  /**
   * `degraded`: the disk refuses writes, and events are kept in memory until it takes them again. `unusable`: the
   * directory could not be made or written yet, and events are kept in memory until it can.
   */
  readonly state: "ok" | "degraded" | "unusable";
  /** Bytes of all writers of the directory, as far as is known. */
  readonly bytes: number;
  /** Events that are in memory only. */
  readonly eventsInMemory: number;
  /** How often the disk has refused a write or a sync. */
  readonly faults: number;
}

/** Stores events until they are delivered. */
export interface Storage {
  readonly store: EventStore;
  /** The batches of this monitor's own events. */
  readonly outbox: Outbox;
  /** Starts to take over the events of ended processes, now and from time to time. */
  start(sender: Sender): void;
  /** Resolves once the first look for events of ended processes is over. */
  ready(): Promise<void>;
  /** Looks for events of ended processes; resolves when a look is over that began after the call. */
  look(): Promise<void>;
  /**
   * Resolves when all events found so far have their final form, or can't have it now; `undefined` when they have.
   * Never rejects.
   */
  completed(): Promise<void> | undefined;
  /** Returns whether an event of this process outlives it, as far as the store can make sure of that. */
  isSafe(sequence: number): boolean;
  /** Removes the files of a writer that was taken over and whose events are all settled. */
  release(outbox: Outbox): void;
  /** Tries a last time to write events that the disk refused; drops and counts those that stay in memory only. */
  giveUpMemory(reason: DropReason): void;
  /** Releases all resources; events on disk stay there for the next process. */
  close(): void;
  /** `undefined` in memory mode. */
  spoolStats(): SpoolStats | undefined;
}

export interface StorageOptions extends Pick<BatchQueueOptions, "clock" | "ledger" | "onLoss"> {
  readonly origin: Omit<BatchOrigin, "writerId">;
  readonly maxQueueSize: number;
  readonly maxQueueBytes: number;
  /** Called for every event that the platform refused for good. */
  readonly onDeadLetter: (event: StoredEvent, reason: string) => void;
  /** Called with every record of this process's own events. */
  readonly onRecord?: ((record: OutboxRecord) => void) | undefined;
  /** Makes the final form of provisional events of ended processes. */
  readonly completeEvent?: CompleteEvent | undefined;
}

/** Opens storage in memory: events that are not delivered when the process ends are lost. */
export function openMemoryStorage(options: StorageOptions): Storage {
  const { maxQueueSize, maxQueueBytes } = options;
  const writerId = uuidV7(options.clock.now());
  const store = new MemoryStore({ writerId, maxCount: maxQueueSize, maxBytes: maxQueueBytes });
  const outbox = new Outbox({
    ...options,
    origin: { ...options.origin, writerId },
    source: store,
    state: createOutboxState(),
    journal: {
      mustSync: false,
      write: (record) => options.onRecord?.(record),
      sync: () => Promise.resolve(),
    },
    keepDeadLetter: async (event, reason) => options.onDeadLetter(event, reason),
  });
  return {
    store,
    outbox,
    start: () => undefined,
    ready: () => Promise.resolve(),
    look: () => Promise.resolve(),
    completed: () => undefined,
    isSafe: () => false,
    release: () => undefined,
    giveUpMemory: () => undefined,
    close: () => undefined,
    spoolStats: () => undefined,
  };
}
