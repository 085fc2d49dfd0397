import { join } from "node:path";
import type { IntegerRange } from "../../util/ranges.ts";
import type { ReadRange, ReadResult, StoredEvent } from "../event-store.ts";
import { tryRemove } from "./file-system.ts";
import type { FrameDirectory } from "./frame-file.ts";
import { FRAME_TYPES, openPayload, type Frame, type FrameCipher } from "./frame.ts";
import { SegmentReader, type Segment, type SegmentReaderOptions } from "./segment-reader.ts";
import type { SpoolBudget, SpoolContext } from "./spool-context.ts";

export interface SegmentSetOptions extends SegmentReaderOptions, FrameDirectory {
  /** Counts the bytes of the files. */
  readonly budget?: SpoolBudget;
}

const SEGMENT_NAME = /^(\d{16})-[0-9a-f]{32}\.seg$/;

/** Parses the first sequence from a name; `undefined` when it is not that of a segment. */
export function parseSegmentName(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Reads an event; a payload that can't be opened is lost, since somebody changed it. */
function toStoredEvent(frame: Frame, cipher: FrameCipher | undefined): StoredEvent | undefined {
  const { sequence, timestamp } = frame;
  const json = openPayload(frame, cipher);
  return json && { sequence, timestamp, json };
}

/** The event files of a writer, in order: read from the oldest on, and removed when they are no longer needed. */
export class SegmentSet {
  readonly #options: SegmentSetOptions;
  readonly #reader: SegmentReader;
  #segments: Segment[] = [];
  #bytes = 0;
  /** End of the last read: reads take turns, since they share the reader. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SegmentSetOptions) {
    this.#options = options;
    this.#reader = new SegmentReader(options);
  }

  /** Lists the files of the directory. @throws the error of the file system. */
  load(): void {
    const { directory, fs } = this.#options;
    const found = fs.list(directory).flatMap((name) => {
      const first = parseSegmentName(name);
      const path = join(directory, name);
      return first === undefined ? [] : [{ name, path, first, bytes: fs.size(path) }];
    });
    this.#segments = found.toSorted((a, b) => a.first - b.first || (a.name < b.name ? -1 : 1));
    this.#addBytes(this.#segments.reduce((sum, { bytes }) => sum + bytes, 0));
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a file that has just been made. */
  add(segment: Segment): void {
    const index = this.#segments.findLastIndex(({ first }) => first <= segment.first);
    this.#segments.splice(index + 1, 0, segment);
  }

  /** Replaces a removed file by the one that is written in its place. */
  replace(removed: Segment, segment: Segment): void {
    this.#segments = this.#segments.map((other) => (other === removed ? segment : other));
  }

  /** Adds the bytes that were appended to a file. */
  grow(segment: Segment, bytes: number): void {
    segment.bytes += bytes;
    this.#addBytes(bytes);
  }

  /** Reads events in ascending order; each sequence once, in whichever files it is. */
  read(range: ReadRange): Promise<ReadResult> {
    return this.#takeTurn(() => this.#read(range));
  }

  async #read({ first, last, maxCount, maxBytes }: ReadRange): Promise<ReadResult> {
    const events: StoredEvent[] = [];
    let bytes = 0;
    let isFull = false;
    let isRemoved = false;
    let end = last;
    const take = (frame: Frame, cipher: FrameCipher | undefined): boolean => {
      const lowest = (events.at(-1)?.sequence ?? first - 1) + 1;
      if (frame.type !== FRAME_TYPES.event || frame.sequence < lowest) return true;
      isFull = frame.sequence > last;
      if (isFull) return false;
      const event = toStoredEvent(frame, cipher);
      if (!event) return true;
      isFull =
        events.length > 0 && (events.length >= maxCount || bytes + event.json.length > maxBytes);
      if (isFull) {
        end = lowest - 1;
        return false;
      }
      bytes += event.json.length;
      events.push(event);
      return true;
    };
    const segments = this.#segments.slice(this.#findStart(first));
    for (const segment of segments) {
      if (isFull || segment.first > last) break;
      const isThere = await this.#reader.read(segment, first, take);
      isRemoved ||= !isThere;
    }
    if (events.length === end - first + 1) return { events, end };
    const found = await this.#fillGaps(segments, events, { first, last: end });
    return { events: found, end, ...(isRemoved && { isRemoved }) };
  }

  /** Looks for missing events in all files: after a fault of the disk an event may be in two files. */
  async #fillGaps(
    segments: readonly Segment[],
    events: readonly StoredEvent[],
    { first, last }: IntegerRange,
  ): Promise<StoredEvent[]> {
    const found = new Map(events.map((event) => [event.sequence, event]));
    for (const segment of segments) {
      if (segment.first > last) break;
      await this.#reader.read(segment, 0, (frame, cipher) => {
        const { type, sequence } = frame;
        const isWanted = type === FRAME_TYPES.event && sequence >= first && sequence <= last;
        const event = isWanted && !found.has(sequence) ? toStoredEvent(frame, cipher) : undefined;
        if (event) found.set(sequence, event);
        return true;
      });
      this.#reader.close();
    }
    return [...found.values()].toSorted((a, b) => a.sequence - b.sequence);
  }

  /** Returns whether the oldest event is encrypted with another key. */
  async isLocked(): Promise<boolean> {
    let isLocked: boolean | undefined;
    for (const segment of this.#segments) {
      await this.#reader.read(segment, 0, (frame, cipher) => {
        if (frame.type === FRAME_TYPES.event) isLocked = !openPayload(frame, cipher);
        return isLocked === undefined;
      });
      if (isLocked !== undefined) return isLocked;
    }
    return false;
  }

  /** Finds the sequence of the newest event by reading the newest files; 0 when there is none. */
  findNewest(): Promise<number> {
    return this.#takeTurn(async () => {
      let newest = 0;
      let first = Infinity;
      for (const segment of this.#segments.toReversed()) {
        if (newest > 0 && segment.first < first) return newest;
        first = segment.first;
        await this.#reader.read(segment, 0, ({ type, sequence }) => {
          if (type === FRAME_TYPES.event) newest = Math.max(newest, sequence);
          return true;
        });
        this.#reader.close();
      }
      return newest > 0 ? newest : (this.#segments[0]?.first ?? 1) - 1;
    });
  }

  /** Removes the files of which every event is at or below a sequence, but for the file to keep. */
  forget(upToSequence: number, kept?: Segment): void {
    for (;;) {
      const [oldest] = this.#segments;
      if (!oldest || oldest === kept) return;
      const next = this.#segments.find(({ first }) => first > oldest.first);
      if (!next || next.first - 1 > upToSequence) return;
      this.remove(oldest);
    }
  }

  /** Removes every file. */
  clear(): void {
    for (const segment of this.#segments.slice()) this.remove(segment);
  }

  /** Closes the open file; the next read opens it again. */
  rest(): void {
    this.#reader.close();
  }

  /** Closes the open file; the files belong to another owner from now on. */
  close(): void {
    this.#reader.close();
    this.#addBytes(-this.#bytes);
  }

  #addBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#options.budget?.addOwn(bytes);
  }

  /** Removes a file. */
  remove(segment: Segment): void {
    this.#addBytes(-segment.bytes);
    this.#reader.leave(segment);
    this.#segments = this.#segments.filter((other) => other !== segment);
    // One that stays is removed with the directory, and its events are not sent again.
    tryRemove(this.#options.fs, segment.path);
  }

  /** Removes files whose events are in others; not while one is read. */
  retire(segments: readonly Segment[]): Promise<void> {
    return this.#takeTurn(() => {
      for (const segment of segments) this.remove(segment);
      return Promise.resolve();
    });
  }

  /** Finds the first file that may have an event: files that begin with the same sequence may have the same events. */
  #findStart(sequence: number): number {
    const newest = this.#segments.findLast(({ first }) => first <= sequence);
    return newest ? this.#segments.findIndex(({ first }) => first === newest.first) : 0;
  }

  #takeTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** Creates the set of event files of a writer directory. */
export function createSegments(context: SpoolContext, directory: string): SegmentSet {
  return new SegmentSet({
    ...context,
    directory,
    onDamage: (fileName, bytes) => {
      const message = `spool: damaged bytes were passed over in ${join(directory, fileName)}`;
      context.log.log("error", "spool_damage", message, { fileName, bytes });
    },
  });
}

/** A file must be found too old twice, this far apart: a wall clock that jumps must not cost an event. */
const CONFIRMATION_MILLIS = 3_600_000;

/** Creates a function that returns the newest sequence that is too old by its file's last write; 0 for none. */
export function createExpiry(
  { fs, clock, maxSpoolAge }: Pick<SpoolContext, "fs" | "clock" | "maxSpoolAge">,
  segments: SegmentSet,
): () => number {
  /** When a file was first found too old, in monotonic ms. */
  let suspects = new Map<string, number>();

  const isTooOld = ({ path }: Segment): boolean => clock.now() - fs.modifiedAt(path) > maxSpoolAge;

  return () => {
    const now = clock.monotonic();
    const files = segments.segments;
    const looked = new Map<string, number>();
    let expired = 0;
    let isConfirmed = true;
    try {
      for (const [index, segment] of files.entries()) {
        if (!isTooOld(segment)) break;
        const since = suspects.get(segment.name) ?? now;
        looked.set(segment.name, since);
        isConfirmed &&= now - since >= CONFIRMATION_MILLIS;
        if (isConfirmed) expired = (files[index + 1]?.first ?? Infinity) - 1;
      }
    } catch {
      // A file that can't be examined is not given up.
    }
    suspects = looked;
    return expired;
  };
}
