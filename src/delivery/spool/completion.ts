import { sleep } from "../../util/clock.ts";
import type { CompletedEvent, CompleteEvent, EventJson } from "../pending-event.ts";
import { toErrorCode } from "./file-system.ts";
import { writeForms } from "./final-forms.ts";
import {
  listExchanges,
  readExchanges,
  removeExchanges,
  type KeptExchangesOptions,
  type LeftExchanges,
} from "./kept-exchanges.ts";
import type { SegmentSet } from "./segment-set.ts";
import { SegmentWriter, toMaxSegmentBytes } from "./segment-writer.ts";
import type { SpoolContext } from "./spool-room.ts";
import type { WriterEntry } from "./writers.ts";

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;
/** After so many tries events are delivered as they are: their delivery may be what makes room. */
const MAX_TRIES = 5;

export interface CompletionOptions {
  readonly room: SpoolContext;
  readonly entry: WriterEntry;
  readonly segments: SegmentSet;
  /** Lowest sequence that is in no batch. */
  readonly next: number;
  readonly newest: number;
  /** Called when events that were provisional may be read. */
  readonly onCompleted: () => void;
}

/**
 * Makes the final form of events that a killed process left provisional, from the exchanges that it kept beside them.
 *
 * Until the final forms are in the files nobody plans a batch of these events, and a process that is killed in between
 * leaves all of them to the next one.
 * the next one.
 */
export class Completion {
  readonly #options: CompletionOptions;
  readonly #complete: CompleteEvent | undefined;
  readonly #files: KeptExchangesOptions;
  readonly #left: readonly LeftExchanges[];
  readonly #abort = new AbortController();
  #first: number;

  /** @throws the error of the file system. */
  constructor(options: CompletionOptions) {
    const { room, entry, next } = options;
    this.#options = options;
    this.#complete = room.completeEvent;
    this.#files = { ...room, directory: entry.path };
    this.#left = this.#complete ? listExchanges(this.#files) : [];
    const firsts = this.#left.map(({ first }) => Math.max(first, next));
    this.#first = Math.min(Infinity, ...firsts);
  }

  /** Sequence of the oldest event that may still change; `Infinity` when there is none. */
  get first(): number {
    return this.#first;
  }

  get isDone(): boolean {
    return this.#first === Infinity;
  }

  /**
   * Completes the events, if there are any; resolves when they have their final form, or can't have it now. Never
   * rejects.
   */
  async start(): Promise<void> {
    if (this.#left.length > 0) await this.#run();
  }

  /** Stops; events that are not completed are left to the next process. */
  close(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { clock, onFault } = this.#options.room;
    const { signal } = this.#abort;
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        if (!(await this.#tryAll())) return;
        break;
      } catch (error) {
        if (signal.aborted) return;
        onFault(error);
        if (tries === MAX_TRIES) {
          this.#reportGivenUp(error);
          break;
        }
        await sleep(clock, RETRY_MILLIS, signal);
      }
    }
    if (signal.aborted) return;
    this.#first = Infinity;
    this.#options.onCompleted();
  }

  /** Completes all events. @returns Whether nothing is left to do. @throws the error of the file system. */
  async #tryAll(): Promise<boolean> {
    for (const left of this.#left) {
      const exchanges = await readExchanges(this.#files, left);
      const forms = await this.#makeForms(exchanges);
      if (!forms || this.#abort.signal.aborted) return false;
      if (forms.size > 0) await this.#write(forms);
      this.#options.segments.rest();
      removeExchanges(this.#files, left);
    }
    return true;
  }

  /** Makes the final forms one at a time, so that the application has its turn in between. */
  async #makeForms(
    exchanges: ReadonlyMap<number, Buffer>,
  ): Promise<Map<number, EventJson> | undefined> {
    const { room, next, newest } = this.#options;
    const { signal } = this.#abort;
    const forms = new Map<number, EventJson>();
    for (const [sequence, exchange] of exchanges) {
      if (sequence < next || sequence > newest) continue;
      const form = await this.#makeForm(sequence, exchange);
      if (form === "not_now" || signal.aborted) return undefined;
      if (form === "unchanged") continue;
      forms.set(sequence, form);
      await sleep(room.clock, 0, signal);
    }
    return forms;
  }

  async #makeForm(sequence: number, exchange: Buffer): Promise<CompletedEvent> {
    const range = { first: sequence, last: sequence, maxCount: 1, maxBytes: Infinity };
    const { events } = await this.#options.segments.read(range);
    const [event] = events;
    return event && this.#complete ? this.#complete(event.json, exchange) : "unchanged";
  }

  async #write(forms: ReadonlyMap<number, EventJson>): Promise<void> {
    const { room, entry, segments, newest } = this.#options;
    const { path: directory, writerId } = entry;
    const maxSegmentBytes = toMaxSegmentBytes(room.maxSpoolBytes);
    const writer = new SegmentWriter({ ...room, directory, writerId, segments, maxSegmentBytes });
    await writeForms({ writerId, writer, segments }, forms, newest);
  }

  #reportGivenUp(error: unknown): void {
    const { room, entry } = this.#options;
    const message = `spool: answers of an earlier process are delivered unchecked, since the disk refuses their findings in ${entry.path}`;
    room.log.log("warn", "spool_unchecked", message, { code: toErrorCode(error) });
  }
}
