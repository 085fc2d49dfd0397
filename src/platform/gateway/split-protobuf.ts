import type { Span } from "../../util/json-span.ts";

/** A field on the wire, from its tag to its end. */
export interface WireField extends Span {
  readonly number: number;
  /** Where the value begins: behind the length, if there is one. */
  readonly valueStart: number;
}

const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

function skipVarint(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0) >= 0x80) at++;
  return at + 1;
}

/** Reads the lowest 32 bits, which are all that a valid tag or length has, however many bytes it is padded to. */
function readSmall(bytes: Buffer, from: number): number {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[from + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) break;
  }
  return value;
}

function readField(bytes: Buffer, start: number): WireField {
  const tag = readSmall(bytes, start);
  const number = tag >>> 3;
  const valueStart = skipVarint(bytes, start);
  switch (tag & 7) {
    case FIXED64:
      return { number, start, valueStart, end: valueStart + 8 };
    case FIXED32:
      return { number, start, valueStart, end: valueStart + 4 };
    case DELIMITED: {
      const behindLength = skipVarint(bytes, valueStart);
      const end = behindLength + readSmall(bytes, valueStart);
      return { number, start, valueStart: behindLength, end };
    }
    default:
      return { number, start, valueStart, end: skipVarint(bytes, valueStart) };
  }
}

/**
 * Reads the fields of a message in their order, known or not; a value is not looked at.
 *
 * The message must be valid, as `readWireMessage` checks.
 */
export function* readFields(bytes: Buffer, { start, end }: Span): Generator<WireField, void> {
  for (let at = start; at < end;) {
    const field = readField(bytes, at);
    yield field;
    at = field.end;
  }
}

/** Finds the field of a number; of a repeated one the last counts. */
export function findField(bytes: Buffer, message: Span, number: number): WireField | undefined {
  let found: WireField | undefined;
  for (const field of readFields(bytes, message)) if (field.number === number) found = field;
  return found;
}

/** Writes the tag and the length of a field that is a message. */
export function writeHead(number: number, length: number): Buffer {
  const bytes: number[] = [];
  for (const value of [number * 8 + DELIMITED, length]) {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}
