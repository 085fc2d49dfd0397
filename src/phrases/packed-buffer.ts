import { endianness } from "node:os";

/** Every part begins at a multiple of it, so that its numbers are read where they stand. */
const ALIGNMENT = 4;
const BYTES_PER_SHORT = 2;
const BYTES_PER_LONG = 4;
const LENGTH_BYTES = 4;
const IS_BIG_ENDIAN = endianness() === "BE";

/** Thrown for bytes that are no packed parts. */
class PackedBufferError extends Error {
  override readonly name = "PackedBufferError";
}

const align = (position: number): number => Math.ceil(position / ALIGNMENT) * ALIGNMENT;

/** Packs arrays of numbers one behind the other, each behind its length in bytes; little-endian on every machine. */
export class PackedWriter {
  readonly #parts: Buffer[] = [];

  bytes(bytes: Uint8Array): void {
    const part = Buffer.alloc(LENGTH_BYTES + align(bytes.length));
    part.writeUInt32LE(bytes.length);
    part.set(bytes, LENGTH_BYTES);
    this.#parts.push(part);
  }

  shorts(numbers: Uint16Array): void {
    const bytes = Buffer.from(Uint16Array.from(numbers).buffer);
    this.bytes(IS_BIG_ENDIAN ? bytes.swap16() : bytes);
  }

  longs(numbers: Uint32Array): void {
    const bytes = Buffer.from(Uint32Array.from(numbers).buffer);
    this.bytes(IS_BIG_ENDIAN ? bytes.swap32() : bytes);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Reads what a PackedWriter has packed, in the same order; arrays share the memory of the bytes where they can. */
export class PackedReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws PackedBufferError if there is no further part. */
  bytes(): Buffer {
    const start = this.#position + LENGTH_BYTES;
    if (start > this.#bytes.length) throw new PackedBufferError("a part is missing");
    const end = start + this.#bytes.readUInt32LE(this.#position);
    if (align(end) > this.#bytes.length) throw new PackedBufferError("a part is cut short");
    this.#position = align(end);
    return this.#bytes.subarray(start, end);
  }

  shorts(): Uint16Array {
    const bytes = this.#numbers(BYTES_PER_SHORT);
    if (IS_BIG_ENDIAN) bytes.swap16();
    return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / BYTES_PER_SHORT);
  }

  longs(): Uint32Array {
    const bytes = this.#numbers(BYTES_PER_LONG);
    if (IS_BIG_ENDIAN) bytes.swap32();
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / BYTES_PER_LONG);
  }

  /** Returns a part of numbers where they can be read in place. */
  #numbers(size: number): Buffer {
    const bytes = this.bytes();
    if (bytes.length % size !== 0) throw new PackedBufferError("half a number");
    // A buffer of Node.js may lie at an odd position of a shared one.
    return bytes.byteOffset % size === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  }

  /** @throws PackedBufferError if there are further parts. */
  finish(): void {
    if (this.#position !== this.#bytes.length) throw new PackedBufferError("too many parts");
  }
}
