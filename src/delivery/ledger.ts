/** Every reason for which an event is given up. */
export const DROP_REASONS = [
  "invalid_argument",
  "no_trace_context",
  "queue_full",
  "spool_full",
  "export_timeout",
  "export_blocked",
  "after_shutdown",
  "shutdown",
  "exit",
  "expired",
  "corrupt",
  "spool_removed",
  "internal_error",
] as const;
/** Why an event was dropped: one of `DROP_REASONS`. */
export type DropReason = (typeof DROP_REASONS)[number];

/** The books of delivery: at any moment `tracked + recovered == acked + pending + dead + dropped`. */
export interface LedgerEntries {
  /** Events handed to `track*`. */
  tracked: number;
  /** Events taken over from an earlier process. */
  recovered: number;
  /** Events that the platform has accepted. */
  acked: number;
  /** Events that wait for delivery or are on their way. */
  pending: number;
  /** Events that the platform refused for good. */
  dead: number;
  /** Events that were given up, for any reason. */
  dropped: number;
}

/** Counts what became of every event. */
export class Ledger {
  #tracked = 0;
  #acked = 0;
  #dead = 0;
  readonly #dropped = new Map<DropReason, number>();
  #duplicates = 0;
  #recovered = 0;
  #retries = 0;

  /** Counts an event that was tracked and is now kept for delivery. */
  track(): void {
    this.#tracked++;
  }

  /** Counts an event that was tracked and refused at once. */
  refuse(reason: DropReason): void {
    this.#tracked++;
    this.#addDropped(reason, 1);
  }

  /** Counts events that an earlier process had tracked. */
  recover(count: number): void {
    this.#recovered += count;
  }

  ack(count: number): void {
    this.#acked += count;
  }

  /** Counts events that the platform had already; they are acked as well. */
  noteDuplicates(count: number): void {
    this.#duplicates += count;
  }

  bury(count: number): void {
    this.#dead += count;
  }

  /** Counts stored events that are given up. */
  drop(reason: DropReason, count: number): void {
    this.#addDropped(reason, count);
  }

  /** Counts a request that is made again. */
  noteRetry(): void {
    this.#retries++;
  }

  get recovered(): number {
    return this.#recovered;
  }

  get retries(): number {
    return this.#retries;
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  droppedByReason(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped);
  }

  /** @param pending - What the store holds: counted apart, so that the books can be checked against it. */
  entries(pending: number): LedgerEntries {
    let dropped = 0;
    for (const count of this.#dropped.values()) dropped += count;
    return {
      tracked: this.#tracked,
      recovered: this.#recovered,
      acked: this.#acked,
      pending,
      dead: this.#dead,
      dropped,
    };
  }

  #addDropped(reason: DropReason, count: number): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
  }
}
