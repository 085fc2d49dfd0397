import type { Clock } from "../../util/clock.ts";
import type { StoredEvent } from "../event-store.ts";
import { ProvisionalEvents } from "../memory-store.ts";
import {
  toDeliveredMembers,
  writeDeliveredJson,
  type EventJson,
  type PendingEvent,
} from "../pending-event.ts";
import { KeptExchanges, type KeepingOptions } from "./kept-exchanges.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Bytes that are read at a time when events are written again. */
const CHUNK_BYTES = 1024 * 1024;

/** The files of one writer. */
interface WriterFiles {
  readonly writerId: string;
  readonly writer: SegmentWriter;
  readonly segments: SegmentSet;
}

function toStored(members: string, form: EventJson, { sequence, timestamp }: StoredEvent) {
  const end = `${members}${sequence}}`;
  const json = Buffer.allocUnsafe(form.bytes - 1 + end.length);
  writeDeliveredJson(form, end, json, 0);
  return { sequence, timestamp, json };
}

/** Gives the events of a file, in their last form as far as there is one. */
async function* readAll(
  { segments, writerId }: WriterFiles,
  forms: ReadonlyMap<number, EventJson>,
  first: number,
  last: number,
): AsyncGenerator<StoredEvent> {
  const members = toDeliveredMembers(writerId);
  for (let next = first; next <= last;) {
    const bounds = { maxCount: Infinity, maxBytes: CHUNK_BYTES };
    const { events, end } = await segments.read({ first: next, last, ...bounds });
    for (const event of events) {
      const form = forms.get(event.sequence);
      yield form ? toStored(members, form, event) : event;
    }
    next = end + 1;
  }
}

/**
 * Puts the last form of events into the files that hold a provisional one.
 *
 * The files are written again, whole, synced, and the old ones removed behind that: a process that is killed in between leaves
 * each event in one form or in both, and nobody has planned a batch of it.
 *
 * @param newest - Sequence of the newest event that is in the files.
 */
export async function writeForms(
  files: WriterFiles,
  forms: ReadonlyMap<number, EventJson>,
  newest: number,
): Promise<void> {
  const { writer, segments } = files;
  const sequences = [...forms.keys()];
  const old = segments.segments.filter(({ first }) => first <= newest);
  for (const first of new Set(old.map((file) => file.first))) {
    const last = (old.find((file) => file.first > first)?.first ?? newest + 1) - 1;
    if (!sequences.some((sequence) => sequence >= first && sequence <= last)) continue;
    await writer.writeApart(first, readAll(files, forms, first, last));
    await segments.retire(old.filter((file) => file.first === first));
  }
}

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;

interface FinalFormsOptions extends WriterFiles, KeepingOptions {
  readonly clock: Clock;
  /** Sequence of the newest event that is in the files. */
  readonly newest: () => number;
  /** Told when the disk refuses a write. */
  readonly onDegraded: (error: unknown) => void;
  /** Told when events that were provisional may be read. */
  readonly onFinal: () => void;
}

/** Takes the last form of events, and puts it into the files that hold a provisional one. */
export class FinalForms {
  readonly #options: FinalFormsOptions;
  /** What others would need to make the last forms; nobody does once they are in the files. */
  readonly #exchanges: KeptExchanges;
  readonly #provisional = new ProvisionalEvents();
  /** Last forms that are not in the files yet, by sequence. */
  #forms = new Map<number, PendingEvent>();
  #firstForm = Infinity;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FinalFormsOptions) {
    this.#options = options;
    this.#exchanges = new KeptExchanges(options);
  }

  /** Sequence of the oldest event whose last form is not in the files; `Infinity` when there is none. */
  get first(): number {
    return Math.min(this.#provisional.first, this.#firstForm);
  }

  /** Keeps what belongs to a provisional event, which is still to be written. */
  keep(event: PendingEvent, sequence: number): void {
    this.#exchanges.keep(event, sequence);
  }

  /** Resolves once what is kept would survive a power cut, or can't. Never rejects. */
  sync(): Promise<void> {
    return this.#exchanges.sync();
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
    if (this.#provisional.size === 0) return;
    this.#provisional.forget(upToSequence);
    this.#endExchanges();
  }

  /** Resolves when what is being written is, or can't be for now; `undefined` when nothing is. Never rejects. */
  get settled(): Promise<void> | undefined {
    return this.#writing;
  }

  /** What is not in the files stays as it is. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#exchanges.close();
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
        await this.#writeForms(new Map(this.#forms));
    } catch (error) {
      if (this.#isClosed) return;
      onDegraded(error);
      this.#cancelRetry = clock.schedule(() => this.#write(), RETRY_MILLIS);
    }
    onFinal();
  }

  async #writeForms(forms: ReadonlyMap<number, PendingEvent>): Promise<void> {
    // What comes meanwhile goes into another file.
    this.#options.writer.rotate();
    await writeForms(this.#options, forms, this.#options.newest());
    for (const sequence of forms.keys()) this.#forms.delete(sequence);
    this.#firstForm = Math.min(Infinity, ...this.#forms.keys());
    this.#endExchanges();
  }

  /** Forgets what others would need, unless some of it is wanted still. */
  #endExchanges(): void {
    if (this.first === Infinity) this.#exchanges.clear();
  }
}
