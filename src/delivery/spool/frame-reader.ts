import type { FileSystem } from "./file-system.ts";
import { findNextFrame, parseFrame, type Frame, type ParsedFrame } from "./frame.ts";

const CHUNK_BYTES = 256 * 1024;

const NOTHING: ParsedFrame = { kind: "incomplete", missingBytes: 1 };

/** Reads the frames of a file from its beginning, a chunk at a time, passing over damage. */
export class FrameReader {
  readonly #fs: FileSystem;
  readonly #fd: number;
  /** What was read and not yet taken; a new one for every chunk, since frames point into it. */
  #buffer = Buffer.alloc(0);
  /** Where in the file the buffer ends. */
  #bufferEnd = 0;
  #offset = 0;
  #damagedBytes = 0;
  #newerFrames = 0;

  /** @throws what the file system throws. */
  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.#fd = fs.openForRead(path);
  }

  /** Bytes that were passed over because they are no frame. */
  get damagedBytes(): number {
    return this.#damagedBytes;
  }

  /** Frames that were passed over because only a newer version can read them. */
  get newerFrames(): number {
    return this.#newerFrames;
  }

  /**
   * Hands out frames until there is none left or `take` refuses one, which is the first of the next call.
   *
   * @param fileBytes - Where the file ends; what is behind it is not looked at.
   */
  async read(fileBytes: number, take: (frame: Frame) => boolean): Promise<void> {
    for (;;) {
      const parsed = this.#parse();
      if (parsed.kind === "frame") {
        if (!take(parsed.frame)) return;
        this.#offset += parsed.bytes;
      } else if (parsed.kind === "newer") {
        this.#newerFrames++;
        this.#offset += parsed.bytes;
      } else if (
        parsed.kind !== "incomplete" ||
        !(await this.#fill(fileBytes, parsed.missingBytes))
      ) {
        if (this.#offset >= this.#buffer.length) return;
        this.#skipDamage();
      }
    }
  }

  close(): void {
    this.#fs.close(this.#fd);
  }

  #parse(): ParsedFrame {
    return this.#offset < this.#buffer.length ? parseFrame(this.#buffer, this.#offset) : NOTHING;
  }

  /** Reads on; tells whether the file has as many bytes as are missing. */
  async #fill(fileBytes: number, missingBytes: number): Promise<boolean> {
    const available = fileBytes - this.#bufferEnd;
    if (available < missingBytes) return false;
    const chunk = Buffer.allocUnsafe(Math.max(missingBytes, Math.min(available, CHUNK_BYTES)));
    const bytes = await this.#fs.read(this.#fd, chunk, this.#bufferEnd);
    this.#buffer = Buffer.concat([this.#buffer.subarray(this.#offset), chunk.subarray(0, bytes)]);
    this.#offset = 0;
    this.#bufferEnd += bytes;
    // Less than was asked for is no end: the rest is asked for next.
    return bytes > 0;
  }

  #skipDamage(): void {
    const next = findNextFrame(this.#buffer, this.#offset + 1);
    this.#damagedBytes += next - this.#offset;
    this.#offset = next;
  }
}
