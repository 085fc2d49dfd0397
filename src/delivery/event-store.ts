import type { IntegerRange } from "../util/ranges.ts";
import type { DropReason } from "./ledger.ts";
import { toDeliveredMembers, writeDeliveredJson, type PendingEvent } from "./pending-event.ts";

/** An event as it goes into a batch: its JSON carries writer and sequence. */
export interface StoredEvent {
  readonly sequence: number;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** UTF-8. */
  readonly json: Buffer;
}

/** Bounds of a read; at least one event is returned, however large. */
export interface ReadRange extends IntegerRange {
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
  /** Starts to prepare the events of the next read while a batch is being sent; absent where the kernel does. */
  readAhead?(range: ReadRange): void;
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

/** Stored events whose final form is still to come. */
export class ProvisionalEvents {
  // In the order of their sequences.
  readonly #sequences = new Map<PendingEvent, number>();

  get size(): number {
    return this.#sequences.size;
  }

  /** Sequence of the oldest; `Infinity` when there is none. */
  get first(): number {
    for (const sequence of this.#sequences.values()) return sequence;
    return Infinity;
  }

  /** Records an event that is stored now, if it is provisional. */
  note(event: PendingEvent, sequence: number): void {
    if (event.isProvisional) this.#sequences.set(event, sequence);
  }

  /** Removes an event that gets its final form. @returns Its sequence; `undefined` when it is not kept any more. */
  take(event: PendingEvent): number | undefined {
    const sequence = this.#sequences.get(event);
    this.#sequences.delete(event);
    return sequence;
  }

  /** Forgets everything up to a sequence. */
  forget(upToSequence: number): void {
    for (const [event, sequence] of this.#sequences) {
      if (sequence > upToSequence) return;
      this.#sequences.delete(event);
    }
  }
}

interface MemoryStoreOptions {
  readonly writerId: string;
  readonly maxCount: number;
  readonly maxBytes: number;
  /** Sequence of the event before the first. Default: 0. */
  readonly startAfter?: number;
}

/** Keeps events in memory, bounded by count and bytes; when it is full, new events are refused. */
export class MemoryStore implements EventStore {
  readonly #options: MemoryStoreOptions;
  readonly #members: string;
  readonly #provisional = new ProvisionalEvents();
  #events: (PendingEvent | undefined)[] = [];
  /** Events of the array that are forgotten. */
  #head = 0;
  #forgotten: number;
  #bytes = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#members = toDeliveredMembers(options.writerId);
    this.#forgotten = options.startAfter ?? 0;
  }

  get newestSequence(): number {
    return this.#forgotten + this.#size;
  }

  get finalSequence(): number {
    return Math.min(this.newestSequence, this.#provisional.first - 1);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The oldest event, `undefined` when there is none. */
  get oldest(): { readonly event: PendingEvent; readonly sequence: number } | undefined {
    const event = this.#events[this.#head];
    return event && { event, sequence: this.#forgotten + 1 };
  }

  append(event: PendingEvent): number | DropReason {
    const { maxCount, maxBytes } = this.#options;
    if (this.#size >= maxCount || this.#bytes + event.approximateBytes > maxBytes)
      return "queue_full";
    this.#bytes += event.approximateBytes;
    this.#events.push(event);
    if (event.isProvisional) this.#provisional.note(event, this.newestSequence);
    return this.newestSequence;
  }

  /** Replaces a provisional event by its final form. @returns Whether it was kept here. */
  replace(provisional: PendingEvent, final: PendingEvent): boolean {
    const sequence = this.#provisional.take(provisional);
    if (sequence === undefined) return false;
    this.#bytes += final.approximateBytes - provisional.approximateBytes;
    this.#events[this.#head + sequence - this.#forgotten - 1] = final;
    return true;
  }

  settled(): undefined {
    return undefined;
  }

  read(range: ReadRange): Promise<ReadResult> {
    const events = this.#take(range);
    return Promise.resolve({ events, end: events.at(-1)?.sequence ?? range.last });
  }

  /** Serialises the events of the next read. */
  readAhead({ first, last, maxCount, maxBytes }: ReadRange): void {
    let bytes = 0;
    for (let sequence = first; sequence <= last; sequence++) {
      bytes += this.#at(sequence)?.bytes ?? Infinity;
      if (sequence - first === maxCount || bytes > maxBytes) return;
    }
  }

  forget(upToSequence: number): void {
    this.#provisional.forget(upToSequence);
    while (this.#forgotten < upToSequence && this.#head < this.#events.length) {
      this.#bytes -= this.#events[this.#head]?.approximateBytes ?? 0;
      this.#events[this.#head] = undefined;
      this.#head++;
      this.#forgotten++;
    }
    // At least half of the array, so that an event is moved once on average.
    if (this.#head * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }

  findExpired(): number {
    return 0;
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  get #size(): number {
    return this.#events.length - this.#head;
  }

  #at(sequence: number): PendingEvent | undefined {
    return this.#events[this.#head + sequence - this.#forgotten - 1];
  }

  #take({ first, last, maxCount, maxBytes }: ReadRange): StoredEvent[] {
    const taken: StoredEvent[] = [];
    let bytes = 0;
    for (let sequence = Math.max(first, this.#forgotten + 1); sequence <= last; sequence++) {
      const event = this.#at(sequence);
      if (!event || taken.length === maxCount) break;
      const members = `${this.#members}${sequence}}`;
      const eventBytes = event.bytes - 1 + members.length;
      bytes += eventBytes;
      if (taken.length > 0 && bytes > maxBytes) break;
      const json = Buffer.allocUnsafe(eventBytes);
      writeDeliveredJson(event, members, json, 0);
      taken.push({ sequence, timestamp: event.timestamp, json });
    }
    return taken;
  }
}
