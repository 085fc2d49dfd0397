import { join } from "node:path";
import { sleep } from "../../util/clock.ts";
import type { EventSource } from "../event-store.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import type { CompletedEvent, EventJson } from "../pending-event.ts";
import { toErrorCode, tryRemove } from "./file-system.ts";
import { listExchanges, readExchanges, type LeftExchanges } from "./final-forms.ts";
import type { FrameDirectory } from "./frame-file.ts";
import { readJournal, SpoolJournal } from "./journal.ts";
import { createExpiry, createSegments, type SegmentSet } from "./segment-set.ts";
import { SegmentWriter, toMaxSegmentBytes } from "./segment-writer.ts";
import { createOutbox, type SpoolContext } from "./spool-context.ts";
import type { WriterEntry } from "./writers.ts";

/** Wait in ms before a disk that refused a write is tried again. */
const RETRY_MILLIS = 1000;
/** After so many tries events are delivered as they are: their delivery may be what makes room. */
const MAX_TRIES = 5;

interface CompletionOptions {
  readonly context: SpoolContext;
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
 */
class Completion {
  readonly #options: CompletionOptions;
  readonly #files: FrameDirectory;
  readonly #left: readonly LeftExchanges[];
  readonly #abort = new AbortController();
  /** Sequence of the oldest event that may still change; `Infinity` when there is none. */
  first: number;

  /** @throws the error of the file system. */
  constructor(options: CompletionOptions) {
    const { context, entry, next } = options;
    this.#options = options;
    this.#files = { ...context, directory: entry.path };
    this.#left = context.completeEvent ? listExchanges(this.#files) : [];
    const firsts = this.#left.map(({ first }) => Math.max(first, next));
    this.first = Math.min(Infinity, ...firsts);
  }

  get isDone(): boolean {
    return this.first === Infinity;
  }

  /**
   * Completes the events, if there are any; resolves when they have their final form, or can't have it now. Never
   * rejects.
   */
  async start(): Promise<void> {
    if (this.#left.length === 0) return;
    const { clock, onFault } = this.#options.context;
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
    this.first = Infinity;
    this.#options.onCompleted();
  }

  /** Stops; events that are not completed are left to the next process. */
  close(): void {
    this.#abort.abort();
  }

  /** Completes all events. @returns Whether nothing is left to do. @throws the error of the file system. */
  async #tryAll(): Promise<boolean> {
    for (const left of this.#left) {
      const exchanges = await readExchanges(this.#files, left);
      const forms = await this.#makeForms(exchanges);
      if (!forms || this.#abort.signal.aborted) return false;
      if (forms.size > 0) await this.#write(forms);
      this.#options.segments.rest();
      tryRemove(this.#files.fs, join(this.#files.directory, left.name));
    }
    return true;
  }

  /** Makes the final forms one at a time, so that the application has its turn in between. */
  async #makeForms(
    exchanges: ReadonlyMap<number, Buffer>,
  ): Promise<Map<number, EventJson> | undefined> {
    const { context, next, newest } = this.#options;
    const { signal } = this.#abort;
    const forms = new Map<number, EventJson>();
    for (const [sequence, exchange] of exchanges) {
      if (sequence < next || sequence > newest) continue;
      const form = await this.#makeForm(sequence, exchange);
      if (form === "not_now" || signal.aborted) return undefined;
      if (form === "unchanged") continue;
      forms.set(sequence, form);
      await sleep(context.clock, 0, signal);
    }
    return forms;
  }

  async #makeForm(sequence: number, exchange: Buffer): Promise<CompletedEvent> {
    const range = { first: sequence, last: sequence, maxCount: 1, maxBytes: Infinity };
    const { context, segments } = this.#options;
    const [event] = (await segments.read(range)).events;
    return (event && (await context.completeEvent?.(event.json, exchange))) ?? "unchanged";
  }

  async #write(forms: ReadonlyMap<number, EventJson>): Promise<void> {
    const { context, entry, segments, newest } = this.#options;
    const { path: directory, writerId } = entry;
    const maxSegmentBytes = toMaxSegmentBytes(context.maxSpoolBytes);
    const writer = new SegmentWriter({
      ...context,
      directory,
      writerId,
      segments,
      maxSegmentBytes,
    });
    await writer.writeForms(forms, newest);
  }

  #reportGivenUp(error: unknown): void {
    const { context, entry } = this.#options;
    const message = `spool: answers of an earlier process are delivered unchecked, since the disk refuses their findings in ${entry.path}`;
    context.log.log("warn", "spool_unchecked", message, { code: toErrorCode(error) });
  }
}

/** A writer directory whose events are being delivered. */
export type AdoptedWriter = Awaited<ReturnType<typeof openAdopted>>;

/**
 * Opens the events of a claimed directory for delivery.
 *
 * @param onCompleted - Called when events that were provisional may be read.
 * @throws the error of the file system.
 */
export async function openAdopted(
  context: SpoolContext,
  entry: WriterEntry,
  onCompleted: () => void,
) {
  const { path: directory, writerId } = entry;
  const segments = createSegments(context, directory);
  try {
    segments.load();
    const toFirstState = (): OutboxState => createOutboxState(segments.segments[0]?.first);
    const read = await readJournal({ ...context, directory }, toFirstState);
    const state = read.kind === "state" ? read.state : toFirstState();
    const newest = Math.max(await segments.findNewest(), state.next - 1);
    const rest = { first: state.next, last: newest, maxCount: 1, maxBytes: 0 };
    const { events } = await segments.read(rest);
    segments.rest();
    // There may be very many: each opens a file only at its turn.
    const lazily = { isLazy: true, onFailure: context.onFault };
    const journal = new SpoolJournal({ ...context, directory, state, ...lazily });
    const { next } = state;
    const completion = new Completion({ context, entry, segments, next, newest, onCompleted });
    const source: EventSource = {
      newestSequence: newest,
      get finalSequence() {
        return Math.min(newest, completion.first - 1);
      },
      get bytes() {
        return segments.bytes;
      },
      read: (range) => segments.read(range),
      forget: (upToSequence) => segments.forget(upToSequence),
      findExpired: createExpiry(context, segments),
    };
    const parts = { source, state, journal, ...(events[0] && { oldestAt: events[0].timestamp }) };
    const outbox = createOutbox(context, writerId, parts, () => directory);
    const close = (): void => {
      completion.close();
      segments.close();
      journal.close();
    };
    return { entry, outbox, completion, close };
  } catch (error) {
    segments.close();
    throw error;
  }
}
