import { endianness } from "node:os";

/** Every part begins at a multiple of it, so that its numbers are read where they stand. */
const ALIGNMENT = 4;
const BYTES_PER_SHORT = 2;
const MAX_SHORT = 0xffff;
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

  /** Packs numbers of which none is lower than the one before, as the distances between them. */
  rising(numbers: Uint32Array): void {
    const distances = Array.from(numbers, (number, at) => number - (numbers[at - 1] ?? 0));
    if (distances.some((distance) => distance < 0 || distance > MAX_SHORT))
      throw new PackedBufferError("numbers don't rise, or by too much");
    this.shorts(Uint16Array.from(distances));
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
    const bytes = this.bytes();
    if (bytes.length % BYTES_PER_SHORT !== 0) throw new PackedBufferError("half a number");
    if (IS_BIG_ENDIAN) bytes.swap16();
    const length = bytes.length / BYTES_PER_SHORT;
    // A buffer of Node.js may lie at an odd position of a shared one.
    return bytes.byteOffset % BYTES_PER_SHORT === 0
      ? new Uint16Array(bytes.buffer, bytes.byteOffset, length)
      : new Uint16Array(Uint8Array.from(bytes).buffer);
  }

  rising(): Uint32Array {
    const distances = this.shorts();
    const numbers = new Uint32Array(distances.length);
    let number = 0;
    for (let at = 0; at < distances.length; at++) {
      number += distances[at] ?? 0;
      numbers[at] = number;
    }
    return numbers;
  }

  /** @throws PackedBufferError if there are further parts. */
  finish(): void {
    if (this.#position !== this.#bytes.length) throw new PackedBufferError("too many parts");
  }
}
