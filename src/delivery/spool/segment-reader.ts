import { toErrorCode } from "./file-system.ts";
import { FrameReader, type FrameFiles } from "./frame-file.ts";
import type { Frame, FrameCipher } from "./frame.ts";

/** A file of events. */
export interface Segment {
  readonly name: string;
  readonly path: string;
  /** Lowest sequence, or less: no event in it is older. */
  readonly first: number;
  /** Bytes that may be read. */
  bytes: number;
}

export interface SegmentReaderOptions extends FrameFiles {
  /** Called with the number of bytes that are no events. */
  readonly onDamage?: (fileName: string, bytes: number) => void;
}

/** Position of a reader. */
interface Cursor {
  readonly segment: Segment;
  readonly frames: FrameReader;
  readonly cipher: FrameCipher | undefined;
  /** The highest sequence passed so far. */
  passed: number;
  reportedDamage: number;
}

/** Reads one file at a time, and continues where it stopped. */
export class SegmentReader {
  readonly #options: SegmentReaderOptions;
  #cursor: Cursor | undefined;

  constructor(options: SegmentReaderOptions) {
    this.#options = options;
  }

  /**
   * Hands out the frames of a file until there is none left or `take` refuses one.
   *
   * @returns Whether the file is there.
   * @param first - Lowest sequence that is needed: frames passed before it are not read again.
   * @throws the error of the file system, but for a removed file, which has no frames.
   */
  async read(
    segment: Segment,
    first: number,
    take: (frame: Frame, cipher: FrameCipher | undefined) => boolean,
  ): Promise<boolean> {
    const cursor = this.#moveTo(segment, first);
    if (!cursor) return false;
    await cursor.frames.read(segment.bytes, (frame) => {
      if (!take(frame, cursor.cipher)) return false;
      cursor.passed = Math.max(cursor.passed, frame.sequence);
      return true;
    });
    const { damagedBytes } = cursor.frames;
    if (damagedBytes <= cursor.reportedDamage) return true;
    this.#options.onDamage?.(segment.name, damagedBytes - cursor.reportedDamage);
    cursor.reportedDamage = damagedBytes;
    return true;
  }

  /** Closes a file, if it is the open one. */
  leave(segment: Segment): void {
    if (this.#cursor?.segment === segment) this.close();
  }

  close(): void {
    this.#cursor?.frames.close();
    this.#cursor = undefined;
  }

  /** Continues after the last read, or starts the file anew. */
  #moveTo(segment: Segment, first: number): Cursor | undefined {
    if (this.#cursor?.segment === segment && this.#cursor.passed < first) return this.#cursor;
    this.close();
    const { fs, cipherOf } = this.#options;
    try {
      const frames = new FrameReader(fs, segment.path);
      const cipher = cipherOf(segment.name);
      this.#cursor = { segment, frames, cipher, passed: 0, reportedDamage: 0 };
      return this.#cursor;
    } catch (error) {
      // A removed file is lost; any other fault may pass.
      if (toErrorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }
}
