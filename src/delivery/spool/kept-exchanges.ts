import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { PendingEvent } from "../pending-event.ts";
import { AppendFile } from "./append-file.ts";
import type { SpoolBudget } from "./budget.ts";
import type { FileSystem } from "./file-system.ts";
import { encodeFrame, FRAME_TYPES, FrameReader, type FrameCipher } from "./frame.ts";

// It ends as the files of events do: versions that don't know it remove it with the others of a writer.
const NAME = /^(\d{16})-[0-9a-f]{32}\.exchanges\.seg$/;
/** Bound of one file, and so of what is read into memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Events need the room: what is kept beside them must not take it all. */
const FILES_PER_BUDGET = 8;

/** Where exchanges are kept. */
export interface KeptExchangesOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
}

/** Where they are kept, and how much room there is. */
export interface KeepingOptions extends KeptExchangesOptions {
  readonly budget: SpoolBudget;
  readonly maxSpoolBytes: number;
}

/** No name is used twice, since keys hang on it. */
function toName(first: number): string {
  return `${String(first).padStart(16, "0")}-${randomBytes(16).toString("hex")}.exchanges.seg`;
}

interface Open {
  readonly file: AppendFile;
  readonly cipher: FrameCipher | undefined;
  /** Nothing is sealed twice under one number. */
  newest: number;
}

/**
 * Keeps, beside provisional events, what another process would make their last form of, in a file of their own that goes once
 * they have it.
 *
 * Whatever fails here costs no event: without it the next process delivers the provisional form.
 */
export class KeptExchanges {
  readonly #options: KeepingOptions;
  readonly #maxFileBytes: number;
  #open: Open | undefined;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#maxFileBytes = Math.min(MAX_FILE_BYTES, options.maxSpoolBytes / FILES_PER_BUDGET);
  }

  /** Keeps what belongs to an event, ahead of the event itself. */
  keep({ toExchange, timestamp }: PendingEvent, sequence: number): void {
    const json = toExchange?.();
    if (json === undefined) return;
    try {
      const open = (this.#open ??= this.#begin(sequence));
      const { file, cipher } = open;
      // An event that the disk did not take comes again.
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
      // The event itself meets the same disk, and tells.
    }
  }

  /** Resolves once what is kept would survive a power cut, or can't. Never rejects. */
  async sync(): Promise<void> {
    try {
      await this.#open?.file.sync();
    } catch {
      // As in `keep`.
    }
  }

  /** Removes what is kept. */
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
    // It goes with the directory; who reads it sees that its events have their last form.
  }
}

/** A file of exchanges that was left. */
export interface LeftExchanges {
  /** No exchange in it is of an event with a lower sequence. */
  readonly first: number;
  readonly name: string;
}

/** Finds the files of exchanges in a directory. @throws what the file system throws. */
export function listExchanges({ directory, fs }: KeptExchangesOptions): LeftExchanges[] {
  return fs.list(directory).flatMap((name) => {
    const digits = NAME.exec(name)?.[1];
    return digits === undefined ? [] : [{ first: Number(digits), name }];
  });
}

/**
 * Reads the exchanges of a file, by the sequence of their events; what can't be read is left out.
 *
 * @throws what the file system throws.
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
