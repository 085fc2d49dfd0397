import type { DropReason } from "./ledger.ts";
import type { PendingEvent } from "./pending-event.ts";

/** An event as it goes into a batch: its JSON carries writer and sequence. */
export interface StoredEvent {
  readonly sequence: number;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** UTF-8. */
  readonly json: Buffer;
}

/** Which events are wanted; at least one is given, however large. */
export interface ReadRange {
  readonly first: number;
  readonly last: number;
  readonly maxCount: number;
  readonly maxBytes: number;
}

/** Events from the oldest, and how far the answer reaches: what is missing up to `end` is lost. */
export interface ReadResult {
  readonly events: readonly StoredEvent[];
  readonly end: number;
  /** Whether a file is gone that should be there: then what is missing was removed, and is not damaged. */
  readonly isRemoved?: boolean;
}

/** Events in the order of their sequences, until they are forgotten. */
export interface EventSource {
  /** Sequence of the newest event that is or was there, 0 before the first. */
  readonly newestSequence: number;
  /** Up to this sequence no event changes any more: a batch may have them. */
  readonly finalSequence: number;
  /** About the bytes of the events that are kept. */
  readonly bytes: number;
  /** Gives events that are not forgotten. */
  read(range: ReadRange): Promise<ReadResult>;
  /** Begins to make what the next read will want, while a batch is on its way. */
  readAhead(range: ReadRange): void;
  /** Forgets everything up to a sequence. */
  forget(upToSequence: number): void;
  /** Tells up to which sequence events are too old to be sent, 0 for none. */
  findExpired(): number;
}

/** Takes events and keeps them. */
export interface EventStore extends EventSource {
  /** Keeps an event. @returns Its sequence, or why it is not kept. */
  append(event: PendingEvent): number | DropReason;
  /** Gives a provisional event its last form; does nothing when it is not kept any more. */
  replace(provisional: PendingEvent, final: PendingEvent): void;
  /**
   * Resolves once events that have their last form may be read, or the disk refuses it; `undefined` when all may.
   * Never rejects.
   */
  settled(): Promise<void> | undefined;
  /** Resolves once everything appended is as durable as the store makes it. */
  sync(): Promise<void>;
}
