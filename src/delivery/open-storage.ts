import type { BurstLogger } from "../util/logger.ts";
import type { BatchOrigin } from "./batch.ts";
import { openSpool } from "./deferred-spool.ts";
import { toLossMessage, type Ledger } from "./ledger.ts";
import type { SpoolSettings } from "./spool/spool-room.ts";
import { openMemoryStorage, type Storage, type StorageOptions } from "./storage.ts";

export interface OpenStorageOptions extends Pick<
  StorageOptions,
  "clock" | "completeEvent" | "maxQueueSize" | "maxQueueBytes" | "onRecord"
> {
  readonly log: BurstLogger;
  readonly ledger: Ledger;
  readonly origin: Omit<BatchOrigin, "writerId">;
  /** Keeps events on disk; `undefined` keeps them in memory. */
  readonly spool?: SpoolSettings | undefined;
}

/** Opens the storage of events: the spool if configured, else memory. */
export function openStorage(options: OpenStorageOptions): Storage {
  const { log, spool } = options;
  const storageOptions: StorageOptions = {
    ...options,
    onLoss: (reason, count) => {
      log.log("error", `drop:${reason}`, toLossMessage(reason, count), { reason, count }, count);
    },
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
