import type { Clock } from "../../util/clock.ts";
import type { PendingEvent } from "../pending-event.ts";
import { ProvisionalEvents } from "../provisional-events.ts";
import { KeptExchanges, type KeepingOptions } from "./kept-exchanges.ts";
import { writeForms, type WriterFiles } from "./write-forms.ts";

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;

export interface FinalFormsOptions extends WriterFiles, KeepingOptions {
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
