import type { Clock } from "../../util/clock.ts";
import { ProvisionalEvents, type StoredEvent } from "../event-store.ts";
import {
  toDeliveredMembers,
  writeDeliveredJson,
  type EventJson,
  type PendingEvent,
} from "../pending-event.ts";
import { KeptExchanges, type KeepingOptions } from "./kept-exchanges.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Bytes that are read at a time when events are rewritten. */
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

/** Reads the events of a file, in their final form as far as there is one. */
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
 * Replaces provisional events in the files by their final forms.
 *
 * The files are written anew as a whole and synced, and the old ones are removed after that: a process that is killed
 * in between leaves each event in one form or in both, and nobody has planned a batch of it.
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
  /** Called when the disk refuses a write. */
  readonly onDegraded: (error: unknown) => void;
  /** Called when events that were provisional may be read. */
  readonly onFinal: () => void;
}

/** Takes the final forms of events, and writes them to the files in place of the provisional ones. */
export class FinalForms {
  readonly #options: FinalFormsOptions;
  /** Exchanges from which other processes would make the final forms; not needed once these are in the files. */
  readonly #exchanges: KeptExchanges;
  readonly #provisional = new ProvisionalEvents();
  /** Final forms that are not in the files yet, by sequence. */
  #forms = new Map<number, PendingEvent>();
  #firstForm = Infinity;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FinalFormsOptions) {
    this.#options = options;
    this.#exchanges = new KeptExchanges(options);
  }

  /** Sequence of the oldest event whose final form is not in the files; `Infinity` when there is none. */
  get first(): number {
    return Math.min(this.#provisional.first, this.#firstForm);
  }

  /** Keeps the exchange of a provisional event that is still to be written. */
  keep(event: PendingEvent, sequence: number): void {
    this.#exchanges.keep(event, sequence);
  }

  /** Resolves once the kept exchanges would survive a power cut, or can't. Never rejects. */
  sync(): Promise<void> {
    return this.#exchanges.sync();
  }

  /** Records an event that is in the files now, if it is provisional. */
  note(event: PendingEvent, sequence: number): void {
    this.#provisional.note(event, sequence);
  }

  /** Takes the final form of an event; when no event is provisional any more, all are written. */
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

  /** Resolves when a running write has ended, or failed for now; `undefined` when none runs. Never rejects. */
  get settled(): Promise<void> | undefined {
    return this.#writing;
  }

  /** Stops writing: events whose final form is not in the files stay provisional. */
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
      // More events may have become final meanwhile.
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
    // Events that come meanwhile go into another file.
    this.#options.writer.rotate();
    await writeForms(this.#options, forms, this.#options.newest());
    for (const sequence of forms.keys()) this.#forms.delete(sequence);
    this.#firstForm = Math.min(Infinity, ...this.#forms.keys());
    this.#endExchanges();
  }

  /** Removes the kept exchanges, unless some of them are still needed. */
  #endExchanges(): void {
    if (this.first === Infinity) this.#exchanges.clear();
  }
}
