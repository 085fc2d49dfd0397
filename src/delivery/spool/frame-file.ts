import { randomBytes, type KeyObject } from "node:crypto";
import { dirname } from "node:path";
import type { FileSystem } from "./file-system.ts";
import {
  createFrameCipher,
  encodeFrame,
  findNextFrame,
  openPayload,
  parseFrame,
  type Frame,
  type FrameCipher,
  type FrameHead,
  type ParsedFrame,
} from "./frame.ts";

/** A file system, and the encryption of the files in it. */
export interface FrameFiles {
  readonly fs: FileSystem;
  /** Returns the cipher of a file; `undefined` when there is no key. */
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
}

/** A spool directory that is read only: nothing in it is claimed, written or locked. */
export interface SpoolSource extends FrameFiles {
  readonly spoolDirectory: string;
}

/** Returns the ciphers of files; without a key there are none. */
export function toCipherOf(spoolKey: KeyObject | undefined): FrameFiles["cipherOf"] {
  return (fileName) => spoolKey && createFrameCipher(spoolKey, fileName);
}

/** A directory with files of frames. */
export interface FrameDirectory extends FrameFiles {
  readonly directory: string;
}

/** Returns a file name that begins with a number, and is used only once: keys derive from it. */
export function toUniqueName(number: number, extension: string): string {
  return `${String(number).padStart(16, "0")}-${randomBytes(16).toString("hex")}.${extension}`;
}

/** A file that is only ever appended to, in whole pieces. */
export class AppendFile {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #fd: number;
  readonly #cipher: FrameCipher | undefined;
  #bytes = 0;
  #isClosed = false;
  #isNameSafe = false;

  /** Creates the file. @throws the error of the file system. */
  constructor(fs: FileSystem, path: string, cipher?: FrameCipher) {
    this.path = path;
    this.#fs = fs;
    this.#fd = fs.openForAppend(path);
    this.#cipher = cipher;
  }

  get isEncrypted(): boolean {
    return this.#cipher !== undefined;
  }

  /** Bytes of the pieces that are whole. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a frame for this file, encrypted if the file has a key. */
  toFrame(head: Omit<FrameHead, "isEncrypted">, content: Buffer): Buffer {
    const payload = this.#cipher?.seal(content, head.sequence) ?? content;
    return encodeFrame(payload, { ...head, isEncrypted: this.isEncrypted });
  }

  /**
   * Appends a piece with one system call; a piece written in part is truncated away.
   *
   * @throws the error of the file system, or an error with the code `ENOSPC` when only a part was written.
   */
  append(piece: Uint8Array, length = piece.length): void {
    let written = 0;
    try {
      written = this.#fs.append(this.#fd, piece, length);
    } finally {
      if (written !== length) this.#takeBack();
    }
    if (written !== length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
    this.#bytes += length;
  }

  /** Returns the whole pieces, also when somebody has removed the file: its content stays as long as it is open. */
  readBack(): Buffer {
    return this.#fs.readBack(this.#fd, this.#bytes);
  }

  /**
   * Checks whether the file may grow, and leaves it unchanged.
   *
   * @throws as `append`.
   */
  tryRoom(piece: Uint8Array): void {
    const before = this.#bytes;
    this.append(piece);
    this.#bytes = before;
    this.#takeBack();
  }

  /** Resolves once everything appended before the call, and the file's name, would survive a power cut. */
  async sync(): Promise<void> {
    if (this.#isClosed) return;
    await this.#fs.sync(this.#fd);
    if (this.#isNameSafe) return;
    await this.#fs.syncDirectory(dirname(this.path));
    this.#isNameSafe = true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#fs.close(this.#fd);
  }

  #takeBack(): void {
    try {
      this.#fs.truncate(this.#fd, this.#bytes);
    } catch {
      // The rest of the piece is damage, which readers skip.
    }
  }
}

const CHUNK_BYTES = 256 * 1024;

const NOTHING: ParsedFrame = { kind: "incomplete", missingBytes: 1 };

/** Reads the frames of a file from its beginning, a chunk at a time, skipping damage. */
export class FrameReader {
  readonly #fs: FileSystem;
  readonly #fd: number;
  /** Bytes that were read and not yet taken; a new buffer for every chunk, since frames point into it. */
  #buffer = Buffer.alloc(0);
  /** Offset in the file at which the buffer ends. */
  #bufferEnd = 0;
  #offset = 0;
  /** Bytes that were skipped because they are no frame. */
  damagedBytes = 0;
  /** Frames that were skipped because only a newer version can read them. */
  newerFrames = 0;

  /** @throws the error of the file system. */
  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.#fd = fs.openForRead(path);
  }

  /**
   * Hands out frames until there is none left or `take` refuses one, which is the first of the next call.
   *
   * @param fileBytes - End of the file; later bytes are not read.
   */
  async read(fileBytes: number, take: (frame: Frame) => boolean): Promise<void> {
    for (;;) {
      const isAtEnd = this.#offset >= this.#buffer.length;
      const parsed = isAtEnd ? NOTHING : parseFrame(this.#buffer, this.#offset);
      if (parsed.kind === "frame") {
        if (!take(parsed.frame)) return;
        this.#offset += parsed.bytes;
      } else if (parsed.kind === "newer") {
        this.newerFrames++;
        this.#offset += parsed.bytes;
      } else if (parsed.kind === "damaged" || !(await this.#fill(fileBytes, parsed.missingBytes))) {
        if (isAtEnd) return;
        this.#skipDamage();
      }
    }
  }

  close(): void {
    this.#fs.close(this.#fd);
  }

  /** Reads the next chunk. @returns Whether the file has as many bytes as are missing. */
  async #fill(fileBytes: number, missingBytes: number): Promise<boolean> {
    const available = fileBytes - this.#bufferEnd;
    if (available < missingBytes) return false;
    const chunk = Buffer.allocUnsafe(Math.max(missingBytes, Math.min(available, CHUNK_BYTES)));
    const bytes = await this.#fs.read(this.#fd, chunk, this.#bufferEnd);
    this.#buffer = Buffer.concat([this.#buffer.subarray(this.#offset), chunk.subarray(0, bytes)]);
    this.#offset = 0;
    this.#bufferEnd += bytes;
    // A short read is not the end of the file: the rest is read next.
    return bytes > 0;
  }

  #skipDamage(): void {
    const next = findNextFrame(this.#buffer, this.#offset + 1);
    this.damagedBytes += next - this.#offset;
    this.#offset = next;
  }
}

/**
 * Reads the frames of a file with their content, which is `undefined` when it can't be decrypted, until there is none
 * left or `take` refuses one.
 *
 * @throws the error of the file system.
 */
export async function readFrames(
  fs: FileSystem,
  path: string,
  cipher: FrameCipher | undefined,
  take: (frame: Frame, content: Buffer | undefined) => boolean,
  maxBytes = Infinity,
): Promise<void> {
  const reader = new FrameReader(fs, path);
  try {
    await reader.read(Math.min(fs.size(path), maxBytes), (frame) =>
      take(frame, openPayload(frame, cipher)),
    );
  } finally {
    reader.close();
  }
}
