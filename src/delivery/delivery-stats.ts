import type { DropReason, Ledger, LedgerEntries } from "./ledger.ts";
import type { Sender, SenderState } from "./sender.ts";
import type { SpoolStats, Storage } from "./storage.ts";

/** State of delivery. */
export interface DeliveryStats extends LedgerEntries {
  /** Dropped events by reason. */
  readonly droppedByReason: Partial<Record<DropReason, number>>;
  /** Events that the platform had already, acked as well. */
  readonly duplicates: number;
  /** Requests that were made again. */
  readonly retries: number;
  /** Bytes that a batch may have now: `maxBatchBytes`, or less while the platform answers 413. */
  readonly maxBatchBytes: number;
  /** About the bytes of the pending events. */
  readonly pendingBytes: number;
  /** Age in ms of the oldest pending event; 0 when there is none. */
  readonly oldestPendingAge: number;
  /** What the sender is doing. */
  readonly state: SenderState;
  /** Why the platform takes nothing, while the state is `open` or `blocked`. */
  readonly blockedReason?: string;
  /** State of the spool; `undefined` in memory mode. */
  readonly spool?: SpoolStats;
  /** The batch that was planned last: kept elsewhere, it shows later that nothing before it was changed. */
  readonly chain: {
    readonly writerId: string;
    readonly sequence: number;
    readonly hash: string | null;
  };
}

/** Gathers the state of delivery. */
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
    // Files keep what is delivered for a while.
    pendingBytes: outboxes.reduce((sum, { bytes, pending }) => sum + (pending > 0 ? bytes : 0), 0),
    oldestPendingAge: Math.max(0, now - oldestAt),
    state: sender.state,
    ...(haltReason !== undefined && { blockedReason: haltReason }),
    ...(spool && { spool }),
    chain: { writerId: outbox.writerId, ...outbox.chain },
  };
}
