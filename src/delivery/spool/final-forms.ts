import { join } from "node:path";
import { ProvisionalEvents } from "../event-store.ts";
import type { PendingEvent } from "../pending-event.ts";
import { tryRemove } from "./file-system.ts";
import { AppendFile, readFrames, toUniqueName, type FrameDirectory } from "./frame-file.ts";
import { FRAME_TYPES, type Frame } from "./frame.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import type { SpoolContext } from "./spool-context.ts";

// Same ending as the files of events: versions that don't know it remove it with the others of a writer.
const NAME = /^(\d{16})-[0-9a-f]{32}\.exchanges\.seg$/;
/** Maximum bytes of one file, and so of those read into memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Divisor of the budget that limits a file of exchanges: events need the space. */
const FILES_PER_BUDGET = 8;

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;

interface FinalFormsOptions
  extends FrameDirectory, Pick<SpoolContext, "budget" | "clock" | "maxSpoolBytes"> {
  readonly writer: SegmentWriter;
  /** Sequence of the newest event that is in the files. */
  readonly newest: () => number;
  /** Called when the disk refuses a write. */
  readonly onDegraded: (error: unknown) => void;
  /** Called when events that were provisional may be read. */
  readonly onFinal: () => void;
}

/**
 * Takes the final forms of events, and writes them to the files in place of the provisional ones.
 *
 * Beside provisional events it keeps the exchanges from which another process would make their final form, in a file of
 * their own that is removed once they have it. A failure there costs no event: without the exchange the next process
 * delivers the provisional form.
 */
export class FinalForms {
  readonly #options: FinalFormsOptions;
  /** File of the kept exchanges. */
  #exchanges: AppendFile | undefined;
  /** Highest sequence in that file so far: nothing is sealed twice under one number. */
  #newestExchange = 0;
  readonly #provisional = new ProvisionalEvents();
  /** Final forms that are not in the files yet, by sequence. */
  #forms = new Map<number, PendingEvent>();
  #firstForm = Infinity;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FinalFormsOptions) {
    this.#options = options;
  }

  /** Sequence of the oldest event whose final form is not in the files; `Infinity` when there is none. */
  get first(): number {
    return Math.min(this.#provisional.first, this.#firstForm);
  }

  /** Keeps the exchange of a provisional event that is still to be written. */
  keep({ toExchange, timestamp }: PendingEvent, sequence: number): void {
    const json = toExchange?.();
    if (json === undefined) return;
    const { budget, maxSpoolBytes } = this.#options;
    const maxBytes = Math.min(MAX_FILE_BYTES, maxSpoolBytes / FILES_PER_BUDGET);
    try {
      const file = (this.#exchanges ??= this.#beginExchanges(sequence));
      // An event that the disk refused comes again.
      if (sequence <= this.#newestExchange) return;
      this.#newestExchange = sequence;
      const head = { type: FRAME_TYPES.exchange, sequence, timestamp };
      const frame = file.toFrame(head, Buffer.from(json));
      const isFull = file.bytes + frame.length > maxBytes;
      if (isFull || !budget.hasRoomFor(frame.length)) return;
      file.append(frame);
      budget.addOwn(frame.length);
    } catch {
      // The event itself meets the same disk, and its failure is reported.
    }
  }

  /** Resolves once the kept exchanges would survive a power cut, or can't. Never rejects. */
  async sync(): Promise<void> {
    try {
      await this.#exchanges?.sync();
    } catch {
      // As in `keep`.
    }
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
    this.#exchanges?.close();
    this.#exchanges = undefined;
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
    const { writer, newest } = this.#options;
    // Events that come meanwhile go into another file.
    writer.rotate();
    await writer.writeForms(forms, newest());
    for (const sequence of forms.keys()) this.#forms.delete(sequence);
    this.#firstForm = Math.min(Infinity, ...this.#forms.keys());
    this.#endExchanges();
  }

  #beginExchanges(first: number): AppendFile {
    const { directory, fs, cipherOf } = this.#options;
    const name = toUniqueName(first, "exchanges.seg");
    this.#newestExchange = 0;
    return new AppendFile(fs, join(directory, name), cipherOf(name));
  }

  /** Removes the kept exchanges, unless some of them are still needed. */
  #endExchanges(): void {
    const file = this.#exchanges;
    if (!file || this.first < Infinity) return;
    this.#exchanges = undefined;
    file.close();
    this.#options.budget.addOwn(-file.bytes);
    // One that stays is removed with the directory; a reader sees that its events have their final form.
    tryRemove(this.#options.fs, file.path);
  }
}

/** A file of exchanges that a process has left; no exchange in it is of an event before `first`. */
export type LeftExchanges = ReturnType<typeof listExchanges>[number];

/** Lists the files of exchanges in a directory. @throws the error of the file system. */
export function listExchanges({ directory, fs }: FrameDirectory) {
  return fs.list(directory).flatMap((name) => {
    const digits = NAME.exec(name)?.[1];
    return digits === undefined ? [] : [{ first: Number(digits), name }];
  });
}

/**
 * Reads the exchanges of a file by the sequence of their events; unreadable ones are left out.
 *
 * @throws the error of the file system.
 */
export async function readExchanges(
  { directory, fs, cipherOf }: FrameDirectory,
  { name }: LeftExchanges,
): Promise<Map<number, Buffer>> {
  const exchanges = new Map<number, Buffer>();
  const take = ({ type, sequence }: Frame, json: Buffer | undefined): boolean => {
    if (type === FRAME_TYPES.exchange && json) exchanges.set(sequence, json);
    return true;
  };
  await readFrames(fs, join(directory, name), cipherOf(name), take, MAX_FILE_BYTES);
  return exchanges;
}
