import type { Clock } from "../../util/clock.ts";
import type { StoredEvent } from "../event-store.ts";
import { toDeliveredMembers, writeDeliveredJson, type PendingEvent } from "../pending-event.ts";
import { ProvisionalEvents } from "../provisional-events.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;
/** Bytes that are read at a time when events are written again. */
const CHUNK_BYTES = 1024 * 1024;

export interface FinalFormsOptions {
  readonly writerId: string;
  readonly clock: Clock;
  readonly writer: SegmentWriter;
  readonly segments: SegmentSet;
  /** Sequence of the newest event that is in the files. */
  readonly newest: () => number;
  /** Told when the disk refuses a write. */
  readonly onDegraded: (error: unknown) => void;
  /** Told when events that were provisional may be read. */
  readonly onFinal: () => void;
}

/**
 * Puts the last form of events into the files that hold a provisional one.
 *
 * The files are written again, whole, and the old ones removed behind that: a process that is killed in between leaves
 * each event in one form or in both, and nobody has planned a batch of it.
 */
export class FinalForms {
  readonly #options: FinalFormsOptions;
  readonly #members: string;
  readonly #provisional = new ProvisionalEvents();
  /** Last forms that are not in the files yet, by sequence. */
  #forms = new Map<number, PendingEvent>();
  #firstForm = Infinity;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FinalFormsOptions) {
    this.#options = options;
    this.#members = toDeliveredMembers(options.writerId);
  }

  /** Sequence of the oldest event whose last form is not in the files; `Infinity` when there is none. */
  get first(): number {
    return Math.min(this.#provisional.first, this.#firstForm);
  }

  /** Takes note of an event that is in the files now. */
  note(event: PendingEvent, sequence: number): void {
    this.#provisional.note(event, sequence);
  }

  /** Takes the last form of an event; when all have theirs, they are written. */
  replace(provisional: PendingEvent, final: PendingEvent): void {
    const sequence = this.#provisional.take(provisional);
    if (sequence === undefined) return;
    this.#forms.set(sequence, final);
    this.#firstForm = Math.min(this.#firstForm, sequence);
    if (this.#provisional.size === 0) this.#write();
  }

  forget(upToSequence: number): void {
    this.#provisional.forget(upToSequence);
  }

  /** Resolves when what is being written is, or can't be for now; `undefined` when nothing is. Never rejects. */
  get settled(): Promise<void> | undefined {
    return this.#writing;
  }

  /** What is not in the files stays as it is. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
  }

  #write(): void {
    if (this.#isClosed) return;
    this.#cancelRetry?.();
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    const { clock, onDegraded, onFinal } = this.#options;
    try {
      // More may have become final meanwhile.
      while (this.#forms.size > 0 && this.#provisional.size === 0 && !this.#isClosed)
        await this.#writeForms([...this.#forms.keys()]);
    } catch (error) {
      if (this.#isClosed) return;
      onDegraded(error);
      this.#cancelRetry = clock.schedule(() => this.#write(), RETRY_MILLIS);
    }
    onFinal();
  }

  async #writeForms(sequences: readonly number[]): Promise<void> {
    const { writer, segments, newest } = this.#options;
    const end = newest();
    // What comes meanwhile goes into another file.
    writer.rotate();
    const files = segments.segments.filter(({ first }) => first <= end);
    for (const first of new Set(files.map((file) => file.first))) {
      const last = (files.find((file) => file.first > first)?.first ?? end + 1) - 1;
      if (!sequences.some((sequence) => sequence >= first && sequence <= last)) continue;
      await writer.writeApart(first, this.#readAll(first, last));
      await segments.retire(files.filter((file) => file.first === first));
    }
    for (const sequence of sequences) this.#forms.delete(sequence);
    this.#firstForm = Math.min(Infinity, ...this.#forms.keys());
  }

  /** Gives the events of a file, in their last form as far as there is one. */
  async *#readAll(first: number, last: number): AsyncGenerator<StoredEvent> {
    for (let next = first; next <= last;) {
      const bounds = { maxCount: Infinity, maxBytes: CHUNK_BYTES };
      const { events, end } = await this.#options.segments.read({ first: next, last, ...bounds });
      for (const event of events) {
        const form = this.#forms.get(event.sequence);
        yield form ? this.#toStored(form, event) : event;
      }
      next = end + 1;
    }
  }

  #toStored(form: PendingEvent, { sequence, timestamp }: StoredEvent): StoredEvent {
    const members = `${this.#members}${sequence}}`;
    const json = Buffer.allocUnsafe(form.bytes - 1 + members.length);
    writeDeliveredJson(form, members, json, 0);
    return { sequence, timestamp, json };
  }
}
