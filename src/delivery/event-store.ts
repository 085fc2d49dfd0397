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

/** Bounds of a read; at least one event is returned, however large. */
export interface ReadRange {
  readonly first: number;
  readonly last: number;
  readonly maxCount: number;
  readonly maxBytes: number;
}

/** Events from the oldest, and the end of the range that was read: events missing up to `end` are lost. */
export interface ReadResult {
  readonly events: readonly StoredEvent[];
  readonly end: number;
  /** Whether a file that should be there is gone: missing events were then removed, not damaged. */
  readonly isRemoved?: boolean;
}

/** Events in the order of their sequences, until they are forgotten. */
export interface EventSource {
  /** Sequence of the newest event that is or was there, 0 before the first. */
  readonly newestSequence: number;
  /** Newest sequence up to which no event changes any more: a batch may have these events. */
  readonly finalSequence: number;
  /** Approximate bytes of the events that are kept. */
  readonly bytes: number;
  /** Reads events that are not forgotten. */
  read(range: ReadRange): Promise<ReadResult>;
  /** Starts to prepare the events of the next read while a batch is being sent. */
  readAhead(range: ReadRange): void;
  /** Forgets everything up to a sequence. */
  forget(upToSequence: number): void;
  /** Returns the sequence up to which events are too old to be sent, 0 for none. */
  findExpired(): number;
}

/** Stores events. */
export interface EventStore extends EventSource {
  /** Stores an event. @returns Its sequence, or the reason for which it is not stored. */
  append(event: PendingEvent): number | DropReason;
  /** Replaces a provisional event by its final form; does nothing when it is not kept any more. */
  replace(provisional: PendingEvent, final: PendingEvent): void;
  /**
   * Resolves once events in their final form may be read, or the disk refuses them; `undefined` when all may.
   * Never rejects.
   */
  settled(): Promise<void> | undefined;
  /** Resolves once everything appended is as durable as the store makes it. */
  sync(): Promise<void>;
}
