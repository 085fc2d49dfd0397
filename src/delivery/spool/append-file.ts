import { dirname } from "node:path";
import type { FileSystem } from "./file-system.ts";

/** A file that is only ever appended to, in whole pieces. */
export class AppendFile {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #fd: number;
  #bytes = 0;
  #isClosed = false;
  #isNameSafe = false;

  /** Creates the file. @throws the error of the file system. */
  constructor(fs: FileSystem, path: string) {
    this.path = path;
    this.#fs = fs;
    this.#fd = fs.openForAppend(path);
  }

  /** Bytes of the pieces that are whole. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends a piece with one system call; a piece written in part is truncated away.
   *
   * @throws the error of the file system, or an error with the code `ENOSPC` when only a part was written.
   */
  append(piece: Uint8Array, length: number): void {
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
    this.append(piece, piece.length);
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
