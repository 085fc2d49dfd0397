import { join } from "node:path";
import type { StoredEvent } from "../event-store.ts";
import { toDeliveredMembers, writeDeliveredJson, type PendingEvent } from "../pending-event.ts";
import { AppendFile } from "./append-file.ts";
import type { FileSystem } from "./file-system.ts";
import {
  encodeFrame,
  FRAME_HEADER_BYTES,
  FRAME_TYPES,
  sealFrame,
  type FrameCipher,
} from "./frame.ts";
import type { Segment } from "./segment-reader.ts";
import { toSegmentName, type SegmentSet } from "./segment-set.ts";

const SCRATCH_BYTES = 64 * 1024;
const MAX_SEQUENCE_DIGITS = 16;
/** What a disk must take to count as one that takes events: a full one may have room for names. */
const TRIAL = Buffer.alloc(64 * 1024);

const MAX_SEGMENT_BYTES = 4 * 1024 * 1024;
/** A small budget is not to be used up by one file. */
const SEGMENTS_PER_BUDGET = 8;

/** Gives how long a file may get in a directory of so many bytes. */
export function toMaxSegmentBytes(maxSpoolBytes: number): number {
  return Math.min(MAX_SEGMENT_BYTES, Math.floor(maxSpoolBytes / SEGMENTS_PER_BUDGET));
}

export interface SegmentWriterOptions {
  readonly writerId: string;
  readonly directory: string;
  readonly fs: FileSystem;
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
  readonly segments: SegmentSet;
  /** A longer file is followed by another one. */
  readonly maxSegmentBytes: number;
  /** Whether somebody will ask for the files to sync. */
  readonly isPowerSafe: boolean;
}

interface Active {
  readonly segment: Segment;
  readonly file: AppendFile;
  readonly cipher: FrameCipher | undefined;
}

/** Writes events to files, each with one system call; it throws what the file system throws. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #members: string;
  #active: Active | undefined;
  #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  /** Files that were written to since `takeUnsynced` was called. */
  #unsynced: AppendFile[] = [];
  /** Files whose sync is under way: the number of one that is closed may be another file's by then. */
  #syncing: readonly AppendFile[] = [];

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#members = toDeliveredMembers(options.writerId);
  }

  /** The file that is written to. */
  get activeSegment(): Segment | undefined {
    return this.#active?.segment;
  }

  /** Bytes that an event will take in the file, at most. */
  toFrameBytes(event: PendingEvent): number {
    return FRAME_HEADER_BYTES + event.bytes + this.#members.length + MAX_SEQUENCE_DIGITS;
  }

  /** Appends an event: behind this it is with the kernel, whatever becomes of the process. */
  append(event: PendingEvent, sequence: number): void {
    const active = this.#activate(sequence);
    const payloadBytes = this.#encode(event, sequence);
    const head = { type: FRAME_TYPES.event, sequence, timestamp: event.timestamp };
    if (active.cipher) {
      const payload = this.#scratch.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + payloadBytes);
      const frame = encodeFrame(active.cipher.seal(payload, sequence), {
        ...head,
        isEncrypted: true,
      });
      this.#write(active, frame, frame.length);
    } else {
      const bytes = sealFrame(this.#scratch, payloadBytes, { ...head, isEncrypted: false });
      this.#write(active, this.#scratch, bytes);
    }
  }

  /** Writes the file anew that is written to, if somebody has removed it. @returns Whether that was so. */
  restore(): boolean {
    const { fs, segments, isPowerSafe } = this.#options;
    if (!this.#active || fs.exists(this.#active.segment.path)) return false;
    const { file: removed, segment: before, cipher } = this.#active;
    const bytes = removed.readBack();
    const file = new AppendFile(fs, removed.path);
    try {
      file.append(bytes, bytes.length);
    } catch (error) {
      file.close();
      fs.remove(file.path);
      throw error;
    }
    // Another object: who is reading the one that was removed goes on with it, and not behind it.
    const segment = { ...before };
    segments.replace(before, segment);
    this.#active = { segment, file, cipher };
    this.#unsynced = this.#unsynced.filter((other) => other !== removed);
    if (isPowerSafe) this.#unsynced.push(file);
    this.#closeUnwanted(removed);
    return true;
  }

  /** Begins the file of an event that is still to come, and sees whether the disk takes anything. */
  tryRoom(sequence: number): void {
    this.#activate(sequence).file.tryRoom(TRIAL);
  }

  /** Writes events that were written before into a file of their own, and syncs it; all of them or none. */
  async writeApart(first: number, events: AsyncIterable<StoredEvent>): Promise<void> {
    const { fs, segments } = this.#options;
    const { file, segment, cipher } = this.#open(first);
    try {
      for await (const { sequence, timestamp, json } of events) {
        const payload = cipher?.seal(json, sequence) ?? json;
        const head = { type: FRAME_TYPES.event, sequence, timestamp };
        const frame = encodeFrame(payload, { ...head, isEncrypted: cipher !== undefined });
        file.append(frame, frame.length);
      }
      await file.sync();
    } catch (error) {
      fs.remove(file.path);
      throw error;
    } finally {
      file.close();
    }
    // Not before it is whole: who looks for an event would look for it in this file only.
    segments.add(segment);
    segments.grow(segment, file.bytes);
  }

  /** Ends the file: the next event goes into another one. */
  rotate(): void {
    if (!this.#active) return;
    // While somebody may want to sync it, it stays open.
    const { file, segment } = this.#active;
    this.#active = undefined;
    this.#closeUnwanted(file);
    // A disk that refuses writes is asked often, and must not fill with files that are empty.
    if (segment.bytes === 0) this.#options.segments.remove(segment);
  }

  /** Gives the files that were written to since the last call, and forgets them. */
  takeUnsynced(): readonly AppendFile[] {
    this.#syncing = this.#unsynced;
    this.#unsynced = [];
    return this.#syncing;
  }

  /** Closes a file that is synced, unless it is still written to. */
  release(file: AppendFile): void {
    this.#syncing = this.#syncing.filter((other) => other !== file);
    this.#closeUnwanted(file);
  }

  close(): void {
    this.rotate();
    // What is being synced is closed behind that.
    for (const file of this.#unsynced) if (!this.#syncing.includes(file)) file.close();
    this.#unsynced = [];
  }

  #closeUnwanted(file: AppendFile): void {
    const isWanted = [this.#active?.file, ...this.#unsynced, ...this.#syncing].includes(file);
    if (!isWanted) file.close();
  }

  /** Writes the event's JSON, with its writer and sequence, behind where the header will be. */
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
    this.#active = this.#create(sequence);
    return this.#active;
  }

  #create(sequence: number): Active {
    const active = this.#open(sequence);
    this.#options.segments.add(active.segment);
    return active;
  }

  #open(sequence: number): Active {
    const { directory, fs, cipherOf } = this.#options;
    const name = toSegmentName(sequence);
    const path = join(directory, name);
    const segment = { name, path, first: sequence, bytes: 0 };
    const file = new AppendFile(fs, path);
    return { segment, file, cipher: cipherOf(name) };
  }

  #write({ file, segment }: Active, frame: Uint8Array, bytes: number): void {
    file.append(frame, bytes);
    this.#options.segments.grow(segment, bytes);
    if (this.#options.isPowerSafe && this.#unsynced.at(-1) !== file) this.#unsynced.push(file);
  }
}
