import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { PendingEvent } from "../pending-event.ts";
import { AppendFile } from "./append-file.ts";
import type { SpoolBudget } from "./budget.ts";
import type { FileSystem } from "./file-system.ts";
import { encodeFrame, FRAME_TYPES, FrameReader, type FrameCipher } from "./frame.ts";

// Same ending as the files of events: versions that don't know it remove it with the others of a writer.
const NAME = /^(\d{16})-[0-9a-f]{32}\.exchanges\.seg$/;
/** Maximum bytes of one file, and so of those read into memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Divisor of the budget that limits a file of exchanges: events need the space. */
const FILES_PER_BUDGET = 8;

/** Directory and encryption of the exchanges. */
export interface KeptExchangesOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
}

/** Directory of the exchanges, and their budget. */
export interface KeepingOptions extends KeptExchangesOptions {
  readonly budget: SpoolBudget;
  readonly maxSpoolBytes: number;
}

/** Creates a unique file name: no name is used twice, since keys derive from it. */
function toName(first: number): string {
  return `${String(first).padStart(16, "0")}-${randomBytes(16).toString("hex")}.exchanges.seg`;
}

interface Open {
  readonly file: AppendFile;
  readonly cipher: FrameCipher | undefined;
  /** Highest sequence so far: nothing is sealed twice under one number. */
  newest: number;
}

/**
 * Keeps, beside provisional events, the exchanges from which another process would make their final form, in a file of
 * their own that is removed once they have it.
 *
 * A failure here costs no event: without the exchange the next process delivers the provisional form.
 */
export class KeptExchanges {
  readonly #options: KeepingOptions;
  readonly #maxFileBytes: number;
  #open: Open | undefined;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#maxFileBytes = Math.min(MAX_FILE_BYTES, options.maxSpoolBytes / FILES_PER_BUDGET);
  }

  /** Writes the exchange of an event, ahead of the event itself. */
  keep({ toExchange, timestamp }: PendingEvent, sequence: number): void {
    const json = toExchange?.();
    if (json === undefined) return;
    try {
      const open = (this.#open ??= this.#begin(sequence));
      const { file, cipher } = open;
      // An event that the disk refused comes again.
      if (sequence <= open.newest) return;
      open.newest = sequence;
      const text = Buffer.from(json);
      const payload = cipher?.seal(text, sequence) ?? text;
      const isEncrypted = cipher !== undefined;
      const head = { type: FRAME_TYPES.exchange, sequence, timestamp, isEncrypted };
      const frame = encodeFrame(payload, head);
      const { budget } = this.#options;
      const isFull = file.bytes + frame.length > this.#maxFileBytes;
      if (isFull || !budget.hasRoomFor(frame.length)) return;
      file.append(frame, frame.length);
      budget.addOwn(frame.length);
    } catch {
      // The event itself meets the same disk, and its failure is reported.
    }
  }

  /** Resolves once the kept exchanges would survive a power cut, or can't. Never rejects. */
  async sync(): Promise<void> {
    try {
      await this.#open?.file.sync();
    } catch {
      // As in `keep`.
    }
  }

  /** Removes the kept exchanges. */
  clear(): void {
    const { file } = this.#open ?? {};
    if (!file) return;
    this.close();
    this.#options.budget.addOwn(-file.bytes);
    removeFile(this.#options.fs, file.path);
  }

  close(): void {
    this.#open?.file.close();
    this.#open = undefined;
  }

  #begin(first: number): Open {
    const { directory, fs, cipherOf } = this.#options;
    const name = toName(first);
    return { file: new AppendFile(fs, join(directory, name)), cipher: cipherOf(name), newest: 0 };
  }
}

function removeFile(fs: FileSystem, path: string): void {
  try {
    fs.remove(path);
  } catch {
    // It is removed with the directory; a reader sees that its events have their final form.
  }
}

/** A file of exchanges that a process has left. */
export interface LeftExchanges {
  /** Lowest sequence, or less: no exchange in it is of an older event. */
  readonly first: number;
  readonly name: string;
}

/** Lists the files of exchanges in a directory. @throws the error of the file system. */
export function listExchanges({ directory, fs }: KeptExchangesOptions): LeftExchanges[] {
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
  { directory, fs, cipherOf }: KeptExchangesOptions,
  { name }: LeftExchanges,
): Promise<Map<number, Buffer>> {
  const path = join(directory, name);
  const cipher = cipherOf(name);
  const exchanges = new Map<number, Buffer>();
  const reader = new FrameReader(fs, path);
  try {
    await reader.read(Math.min(fs.size(path), MAX_FILE_BYTES), (frame) => {
      const { type, sequence, payload, isEncrypted } = frame;
      const json = isEncrypted ? cipher?.open(payload, sequence) : payload;
      if (type === FRAME_TYPES.exchange && json) exchanges.set(sequence, json);
      return true;
    });
  } finally {
    reader.close();
  }
  return exchanges;
}

/** Removes a file of exchanges. */
export function removeExchanges(
  { directory, fs }: KeptExchangesOptions,
  { name }: LeftExchanges,
): void {
  removeFile(fs, join(directory, name));
}
