import { basename, join } from "node:path";
import type { Journal } from "../batch-queue.ts";
import { applyRecord, type OutboxRecord, type OutboxState } from "../outbox-state.ts";
import { tryRemove } from "./file-system.ts";
import { AppendFile, readFrames, type FrameDirectory } from "./frame-file.ts";
import { FRAME_TYPES } from "./frame.ts";

/** A longer file is replaced by one that begins with the current state. */
const ROTATE_ABOVE_BYTES = 256 * 1024;
/** Divisor of the budget that limits a journal: events need the space. */
const JOURNALS_PER_BUDGET = 16;
const WRITER_ID_LENGTH = 36;
const JOURNAL_NAME = /^(\d{16})\.journal$/;

export interface SpoolJournalOptions extends FrameDirectory {
  /** State to which the records have led; a new file begins with it. */
  readonly state: OutboxState;
  /** Maximum bytes of all writers of the directory; a small limit makes for short files. */
  readonly maxSpoolBytes: number;
  /** Whether records must survive a power cut. */
  readonly isPowerSafe: boolean;
  /** Whether the first record creates the file: an outbox that is only read needs none. */
  readonly isLazy?: boolean;
  /** Whether the directory has no journal yet, as that of a new writer, which may itself be missing. */
  readonly isNew?: boolean;
  /** Called when a record can't be written: after a restart events may be sent again. */
  readonly onFailure: (error: unknown) => void;
}

type Line = { readonly snapshot: OutboxState } | { readonly record: OutboxRecord };

function toJournalName(number: number): string {
  return `${String(number).padStart(16, "0")}.journal`;
}

/** Returns the name from which a journal's key derives: all writers use the same file names, so the id goes before. */
function toKeyName(directory: string, name: string): string {
  return `${basename(directory).slice(0, WRITER_ID_LENGTH)}/${name}`;
}

/** Lists the numbers of the journals in a directory, the newest first. @throws the error of the file system. */
function listJournals({ directory, fs }: FrameDirectory): number[] {
  return fs
    .list(directory)
    .flatMap((name) => JOURNAL_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => b - a);
}

/** State read from a journal; `locked` if it is encrypted under another key. */
export type ReadJournal =
  | { readonly kind: "state"; readonly state: OutboxState }
  | { readonly kind: "locked" }
  | { readonly kind: "none" };

async function readFile(
  options: FrameDirectory,
  number: number,
  toFirstState?: () => OutboxState,
): Promise<ReadJournal> {
  const { directory, fs, cipherOf } = options;
  const name = toJournalName(number);
  const cipher = cipherOf(toKeyName(directory, name));
  let state: OutboxState | undefined;
  let isLocked = false;
  await readFrames(fs, join(directory, name), cipher, ({ type, isEncrypted }, json) => {
    const isLine = type === FRAME_TYPES.journal && json !== undefined;
    const line = isLine ? (JSON.parse(json.toString()) as Line) : undefined;
    if (!line) isLocked ||= isEncrypted;
    else if ("snapshot" in line) state = line.snapshot;
    else {
      state ??= toFirstState?.();
      if (state) applyRecord(state, line.record);
    }
    return true;
  });
  if (state) return { kind: "state", state };
  return { kind: isLocked ? "locked" : "none" };
}

/**
 * Reads the newest journal of a directory whose beginning is intact.
 *
 * @param toFirstState - State to start from if the newest journal is damaged at its beginning and no older one exists.
 * @throws the error of the file system.
 */
export async function readJournal(
  options: FrameDirectory,
  toFirstState?: () => OutboxState,
): Promise<ReadJournal> {
  const numbers = listJournals(options);
  for (const number of numbers) {
    const read = await readFile(options, number);
    if (read.kind !== "none") return read;
  }
  const [newest] = numbers;
  return newest === undefined ? { kind: "none" } : readFile(options, newest, toFirstState);
}

/** Keeps the records of an outbox in files. */
export class SpoolJournal implements Journal {
  readonly #options: SpoolJournalOptions;
  #number: number;
  #file: AppendFile | undefined;
  #frames = 0;
  /** Bytes of the last snapshot: a long one must not be written again for every few records. */
  #snapshotBytes = 0;
  /** Files that a newer one replaces, once it is safe itself. */
  #obsolete: string[];
  #isSynced = false;
  #syncing: AppendFile | undefined;

  /** Creates a file with the current state, or at the first record if lazy or if the disk is full now. */
  constructor(options: SpoolJournalOptions) {
    this.#options = options;
    const numbers = options.isNew === true ? [] : listJournals(options);
    this.#number = numbers[0] ?? 0;
    this.#obsolete = numbers.map((number) => join(options.directory, toJournalName(number)));
    if (options.isLazy !== true) this.renew();
  }

  /** Bytes of the current file. */
  get bytes(): number {
    return this.#file?.bytes ?? 0;
  }

  get mustSync(): boolean {
    return this.#options.isPowerSafe;
  }

  write(record: OutboxRecord): void {
    const rotateAbove = Math.min(
      ROTATE_ABOVE_BYTES,
      this.#options.maxSpoolBytes / JOURNALS_PER_BUDGET,
    );
    this.#attempt(() => {
      if (!this.#file || this.#file.bytes > Math.max(rotateAbove, 2 * this.#snapshotBytes))
        this.#begin();
      this.#append({ record });
    });
  }

  /** Starts another file with the current state, after somebody has removed the one before. */
  renew(): void {
    this.#attempt(() => this.#begin());
  }

  async sync(): Promise<void> {
    // While the disk refuses a newer file, an older one has all there is.
    if (!this.#options.isPowerSafe || this.#isSynced || !this.#file) return;
    this.#isSynced = true;
    const file = this.#file;
    this.#syncing = file;
    try {
      await file.sync();
    } catch (error) {
      if (this.#file === file) this.#retire();
      this.#options.onFailure(error);
    } finally {
      this.#syncing = undefined;
    }
    if (this.#file === file) this.#removeObsolete();
    // Another file was started meanwhile; until that is safe, the records of this one are needed.
    else file.close();
  }

  close(): void {
    // The descriptor of a closed file may be another file's when its sync is done.
    if (this.#file !== this.#syncing) this.#file?.close();
    this.#file = undefined;
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      // The state goes on in memory, and the next file begins with all of it.
      this.#retire();
      this.#options.onFailure(error);
    }
  }

  #begin(): void {
    const { directory, fs, cipherOf, state, isPowerSafe } = this.#options;
    this.#retire();
    this.#number++;
    this.#frames = 0;
    const name = toJournalName(this.#number);
    const cipher = cipherOf(toKeyName(directory, name));
    const file = new AppendFile(fs, join(directory, name), cipher);
    this.#file = file;
    try {
      this.#append({ snapshot: state });
      this.#snapshotBytes = file.bytes;
    } catch (error) {
      this.close();
      // A disk that refuses writes is tried at every record; a file without a state that stays is skipped by readers.
      tryRemove(fs, file.path);
      throw error;
    }
    if (!isPowerSafe) this.#removeObsolete();
  }

  #retire(): void {
    if (!this.#file) return;
    this.#obsolete.push(this.#file.path);
    this.close();
  }

  #append(line: Line): void {
    this.#frames++;
    this.#isSynced = false;
    const head = { type: FRAME_TYPES.journal, sequence: this.#frames, timestamp: 0 };
    const json = Buffer.from(JSON.stringify(line));
    this.#file?.append(this.#file.toFrame(head, json));
  }

  #removeObsolete(): void {
    // One that stays is not read while there is a newer one.
    for (const path of this.#obsolete) tryRemove(this.#options.fs, path);
    this.#obsolete = [];
  }
}
