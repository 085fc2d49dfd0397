import { join } from "node:path";
import type { StoredEvent } from "../event-store.ts";
import {
  toDeliveredMembers,
  writeDeliveredJson,
  type EventJson,
  type PendingEvent,
} from "../pending-event.ts";
import { AppendFile, toUniqueName, type FrameDirectory } from "./frame-file.ts";
import { FRAME_HEADER_BYTES, FRAME_TYPES, sealFrame } from "./frame.ts";
import type { Segment } from "./segment-reader.ts";
import type { SegmentSet } from "./segment-set.ts";

/** Bytes that are read at a time when events are written again. */
const CHUNK_BYTES = 1024 * 1024;
const SCRATCH_BYTES = 64 * 1024;
const MAX_SEQUENCE_DIGITS = 16;
/** Bytes that a disk must accept to count as recovered: a full disk may have room for names. */
const TRIAL = Buffer.alloc(64 * 1024);

const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;
/** A small budget must not be used up by one file. */
const SEGMENTS_PER_BUDGET = 8;

/** Returns the maximum length of a file in a directory of so many bytes. */
export function toMaxSegmentBytes(maxSpoolBytes: number): number {
  return Math.min(MAX_SEGMENT_BYTES, Math.floor(maxSpoolBytes / SEGMENTS_PER_BUDGET));
}

export interface SegmentWriterOptions extends FrameDirectory {
  readonly writerId: string;
  readonly segments: SegmentSet;
  /** Length at which a file is followed by another one. */
  readonly maxSegmentBytes: number;
  /** Whether the files are to be synced. */
  readonly isPowerSafe: boolean;
}

interface Active {
  readonly segment: Segment;
  readonly file: AppendFile;
}

/** Writes events to files, each with one system call; it throws the errors of the file system. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #members: string;
  #active: Active | undefined;
  #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  /** Files that were written to since the last `takeUnsynced`. */
  #unsynced: AppendFile[] = [];
  /** Files that are being synced: the descriptor of a closed one may be another file's by then. */
  #syncing: readonly AppendFile[] = [];

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#members = toDeliveredMembers(options.writerId);
  }

  /** The file to which events are written. */
  get activeSegment(): Segment | undefined {
    return this.#active?.segment;
  }

  /** Returns the maximum bytes of an event's frame in the file. */
  toFrameBytes(event: PendingEvent): number {
    return FRAME_HEADER_BYTES + event.bytes + this.#members.length + MAX_SEQUENCE_DIGITS;
  }

  /** Appends an event: after this it is with the kernel, and survives the end of the process. */
  append(event: PendingEvent, sequence: number): void {
    const active = this.#activate(sequence);
    const payloadBytes = this.#encode(event, sequence);
    const head = { type: FRAME_TYPES.event, sequence, timestamp: event.timestamp };
    if (active.file.isEncrypted) {
      const payload = this.#scratch.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + payloadBytes);
      const frame = active.file.toFrame(head, payload);
      this.#write(active, frame, frame.length);
    } else {
      const bytes = sealFrame(this.#scratch, payloadBytes, { ...head, isEncrypted: false });
      this.#write(active, this.#scratch, bytes);
    }
  }

  /** Writes the active file anew if somebody has removed it. @returns Whether it was removed. */
  restore(): boolean {
    const { fs, cipherOf, segments, isPowerSafe } = this.#options;
    if (!this.#active || fs.exists(this.#active.segment.path)) return false;
    const { file: removed, segment: before } = this.#active;
    const file = new AppendFile(fs, removed.path, cipherOf(before.name));
    try {
      file.append(removed.readBack());
    } catch (error) {
      file.close();
      fs.remove(file.path);
      throw error;
    }
    // Another object: a reader of the removed file continues with that one, and not after it.
    const segment = { ...before };
    segments.replace(before, segment);
    this.#active = { segment, file };
    this.#unsynced = this.#unsynced.filter((other) => other !== removed);
    if (isPowerSafe) this.#unsynced.push(file);
    this.#closeUnwanted(removed);
    return true;
  }

  /** Creates the file of an event that is still to come, and checks whether the disk accepts writes. */
  tryRoom(sequence: number): void {
    this.#activate(sequence).file.tryRoom(TRIAL);
  }

  /** Writes events that were written before to a file of their own, and syncs it; all of them or none. */
  async writeApart(
    first: number,
    events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  ): Promise<void> {
    const { fs, segments } = this.#options;
    const { file, segment } = this.#open(first);
    try {
      for await (const { sequence, timestamp, json } of events)
        file.append(file.toFrame({ type: FRAME_TYPES.event, sequence, timestamp }, json));
      await file.sync();
    } catch (error) {
      fs.remove(file.path);
      throw error;
    } finally {
      file.close();
    }
    // Not before it is complete: a reader would look for an event in this file only.
    segments.add(segment);
    segments.grow(segment, file.bytes);
  }

  /**
   * Writes events again, into other files: after a failed sync, the kernel may drop the unwritten data of a file and
   * report success for the next sync.
   *
   * @param after - Newest sequence that is safe already.
   * @param onSafe - Called with every sequence up to which everything is safe by now.
   */
  async rewrite(after: number, upTo: number, onSafe: (sequence: number) => void): Promise<void> {
    // One new file for each old one: the first sequence of a file shows where an event may be found.
    const starts = new Set([
      after + 1,
      ...this.#options.segments.segments.map(({ first }) => first),
    ]);
    const firsts = [...starts].filter((first) => first > after).toSorted((a, b) => a - b);
    for (const [index, first] of firsts.entries()) {
      const last = Math.min(upTo, (firsts[index + 1] ?? Infinity) - 1);
      if (first > last) continue;
      await this.writeApart(first, this.#readAll(first, last));
      // Safe by now: these events are not written once more when the next file fails.
      onSafe(last);
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
  async writeForms(forms: ReadonlyMap<number, EventJson>, newest: number): Promise<void> {
    const { segments } = this.#options;
    const sequences = [...forms.keys()];
    const old = segments.segments.filter(({ first }) => first <= newest);
    for (const first of new Set(old.map((file) => file.first))) {
      const last = (old.find((file) => file.first > first)?.first ?? newest + 1) - 1;
      if (!sequences.some((sequence) => sequence >= first && sequence <= last)) continue;
      await this.writeApart(first, this.#readAll(first, last, forms));
      await segments.retire(old.filter((file) => file.first === first));
    }
  }

  /** Reads the events of files, in their final form as far as there is one. */
  async *#readAll(
    first: number,
    last: number,
    forms?: ReadonlyMap<number, EventJson>,
  ): AsyncGenerator<StoredEvent> {
    for (let next = first; next <= last;) {
      const bounds = { maxCount: Infinity, maxBytes: CHUNK_BYTES };
      const { events, end } = await this.#options.segments.read({ first: next, last, ...bounds });
      for (const event of events) {
        const form = forms?.get(event.sequence);
        yield form ? this.#toFinal(event, form) : event;
      }
      next = end + 1;
    }
  }

  #toFinal({ sequence, timestamp }: StoredEvent, form: EventJson): StoredEvent {
    const members = `${this.#members}${sequence}}`;
    const json = Buffer.allocUnsafe(form.bytes - 1 + members.length);
    writeDeliveredJson(form, members, json, 0);
    return { sequence, timestamp, json };
  }

  /** Ends the active file: the next event goes into another one. */
  rotate(): void {
    if (!this.#active) return;
    // It stays open while it may still be synced.
    const { file, segment } = this.#active;
    this.#active = undefined;
    this.#closeUnwanted(file);
    // A disk that refuses writes is tried often, and must not fill with empty files.
    if (segment.bytes === 0) this.#options.segments.remove(segment);
  }

  /** Returns the files that were written to since the last call, and starts a new list. */
  takeUnsynced(): readonly AppendFile[] {
    this.#syncing = this.#unsynced;
    this.#unsynced = [];
    return this.#syncing;
  }

  /** Closes a synced file, unless it is still written to. */
  release(file: AppendFile): void {
    this.#syncing = this.#syncing.filter((other) => other !== file);
    this.#closeUnwanted(file);
  }

  close(): void {
    this.rotate();
    // A file that is being synced is closed after that.
    for (const file of this.#unsynced) if (!this.#syncing.includes(file)) file.close();
    this.#unsynced = [];
  }

  #closeUnwanted(file: AppendFile): void {
    const isWanted = [this.#active?.file, ...this.#unsynced, ...this.#syncing].includes(file);
    if (!isWanted) file.close();
  }

  /** Writes the event's JSON, with its writer and sequence, after the space for the header. */
  #encode(event: PendingEvent, sequence: number): number {
    const members = `${this.#members}${sequence}}`;
    const room = FRAME_HEADER_BYTES + event.bytes + members.length;
    if (this.#scratch.length < room) this.#scratch = Buffer.allocUnsafe(2 * room);
    return (
      writeDeliveredJson(event, members, this.#scratch, FRAME_HEADER_BYTES) - FRAME_HEADER_BYTES
    );
  }

  #activate(sequence: number): Active {
    if (this.#active && this.#active.file.bytes < this.#options.maxSegmentBytes)
      return this.#active;
    this.rotate();
    this.#active = this.#open(sequence);
    this.#options.segments.add(this.#active.segment);
    return this.#active;
  }

  #open(sequence: number): Active {
    const { directory, fs, cipherOf } = this.#options;
    const name = toUniqueName(sequence, "seg");
    const path = join(directory, name);
    const segment = { name, path, first: sequence, bytes: 0 };
    return { segment, file: new AppendFile(fs, path, cipherOf(name)) };
  }

  #write({ file, segment }: Active, frame: Uint8Array, bytes: number): void {
    file.append(frame, bytes);
    this.#options.segments.grow(segment, bytes);
    if (this.#options.isPowerSafe && this.#unsynced.at(-1) !== file) this.#unsynced.push(file);
  }
}
