import { skipString } from "../../util/json-span.ts";
import { ProblemError } from "../problem.ts";
import type { Steps } from "../turns.ts";

/** Limit of nested messages, or lists: the deepest value that is accepted needs three for each of its levels. */
const MAX_NESTING = 128;
/** Limit of messages and lists of a body, far above those of a full batch: two bytes can be one. */
const MAX_MESSAGES = 2_000_000;
/**
 * Limit of the bytes of resources and scopes, counted again for every item that they are stored with: a few bytes of a
 * compressed request could be thousands of copies of a large resource.
 */
export const MAX_REPEATED_BYTES = 64 * 1024 * 1024;

/** Bytes that are scanned between two pauses. */
const SCAN_BYTES = 64 * 1024;

const QUOTE = 0x22;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Finds excessive nesting or size that would keep the JSON parser busy for many seconds; `undefined` if there is none.
 *
 * Does not check whether it is JSON.
 */
export function* findJsonExcess(bytes: Buffer): Steps<string | undefined> {
  let [nesting, messages, pauseAt] = [0, 0, SCAN_BYTES];
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + SCAN_BYTES;
      yield;
    }
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (OPEN.has(byte)) {
      if (++nesting > MAX_NESTING) return `more than ${MAX_NESTING} levels`;
      if (++messages > MAX_MESSAGES) return `more than ${MAX_MESSAGES} objects and arrays`;
    } else if (CLOSE.has(byte)) nesting--;
  }
  return undefined;
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

/** Wire types of the scalars of OTLP. */
const WIRE_TYPES = {
  bool: VARINT,
  bytes: DELIMITED,
  double: FIXED64,
  enum: VARINT,
  fixed32: FIXED32,
  fixed64: FIXED64,
  hex: DELIMITED,
  int64: VARINT,
  string: DELIMITED,
  uint32: VARINT,
} as const;

type Scalar = keyof typeof WIRE_TYPES;

/** Type of a field: a scalar or a message. */
export type FieldType = Scalar | { readonly message: Message };

/** One field of a message; `name` is its name in OTLP/JSON. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isRepeated?: boolean;
}

/** The fields of a message by their numbers. */
export type Message = ReadonlyMap<number, Field>;

type Members = Record<string, unknown>;

function malformed(detail: string): ProblemError {
  return new ProblemError("malformed_body", `the body is not protobuf: ${detail}`);
}

function toWireType(type: FieldType): number {
  return typeof type === "object" ? DELIMITED : WIRE_TYPES[type];
}

/** Converts an integer of 64 bits to the form of OTLP/JSON: decimal digits where a number would be rounded. */
function toInteger(bits: bigint): number | string {
  const value = BigInt.asIntN(64, bits);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function addValue(members: Members, { name, isRepeated }: Field, value: unknown): void {
  if (isRepeated !== true) members[name] = value;
  else if (Array.isArray(members[name])) members[name].push(value);
  else members[name] = [value];
}

/** A message that is being read. */
interface OpenMessage {
  readonly message: Message;
  readonly end: number;
  readonly members: Members;
}

/** Reads one body; every step is checked against the end of the current message. */
class WireReader {
  readonly #bytes: Buffer;
  /** The messages at the current position, the outermost first. */
  readonly #open: OpenMessage[] = [];
  #at = 0;
  #messages = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the whole body, with pauses. */
  *read(message: Message): Steps<Members> {
    const members = this.#enter(message, this.#bytes.length);
    let pauseAt = SCAN_BYTES;
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1)) {
      if (this.#at >= pauseAt) {
        pauseAt = this.#at + SCAN_BYTES;
        yield;
      }
      if (this.#at < last.end) this.#readField(last);
      else this.#open.pop();
    }
    return members;
  }

  #enter(message: Message, end: number): Members {
    if (this.#open.length > MAX_NESTING)
      throw malformed(`more than ${MAX_NESTING} messages inside each other`);
    if (++this.#messages > MAX_MESSAGES) throw malformed(`more than ${MAX_MESSAGES} messages`);
    const members: Members = {};
    this.#open.push({ message, end, members });
    return members;
  }

  #readField({ message, end, members }: OpenMessage): void {
    const field = this.#readTag(message, end);
    if (!field) return;
    const { type } = field;
    const isMessage = typeof type === "object";
    const value = isMessage
      ? this.#enter(type.message, this.#readEnd(end))
      : this.#readScalar(type, end);
    addValue(members, field, value);
  }

  /** Reads the next field; skips an unknown one. */
  #readTag(message: Message, end: number): Field | undefined {
    const tag = this.#readSmall(end);
    const field = message.get(tag >>> 3);
    if (!field) this.#skip(tag & 7, end);
    else if ((tag & 7) !== toWireType(field.type))
      throw malformed(`${field.name} has another wire type`);
    return field;
  }

  #readScalar(type: Scalar, end: number): unknown {
    switch (type) {
      case "bool":
        return this.#readVarint(end) !== 0n;
      case "enum":
      case "uint32":
        return Number(BigInt.asUintN(32, this.#readVarint(end)));
      case "int64":
        return toInteger(this.#readVarint(end));
      case "double":
        return this.#bytes.readDoubleLE(this.#advance(8, end));
      case "fixed64":
        return this.#bytes.readBigUInt64LE(this.#advance(8, end));
      case "fixed32":
        return this.#bytes.readUInt32LE(this.#advance(4, end));
      case "hex":
        return this.#readSlice(end).toString("hex");
      case "string":
        return this.#readSlice(end).toString("utf8");
      case "bytes":
        return new Uint8Array(this.#readSlice(end));
    }
  }

  #skip(wireType: number, end: number): void {
    if (wireType === VARINT) this.#readVarint(end);
    else if (wireType === FIXED64) this.#advance(8, end);
    else if (wireType === DELIMITED) this.#readSlice(end);
    else if (wireType === FIXED32) this.#advance(4, end);
    else throw malformed("unknown wire type");
  }

  /** Moves forward; returns the position before it. */
  #advance(length: number, end: number): number {
    const at = this.#at;
    if (length > end - at) throw malformed("it is cut off");
    this.#at = at + length;
    return at;
  }

  #readEnd(end: number): number {
    const length = this.#readSmall(end);
    if (length > end - this.#at) throw malformed("it is cut off");
    return this.#at + length;
  }

  #readSlice(end: number): Buffer {
    const to = this.#readEnd(end);
    const slice = this.#bytes.subarray(this.#at, to);
    this.#at = to;
    return slice;
  }

  /** Reads a tag or a length: 32 bits, mostly one or two bytes of seven. */
  #readSmall(end: number): number {
    const first = this.#bytes[this.#at] ?? 0x80;
    if (this.#at < end && first < 0x80) {
      this.#at++;
      return first;
    }
    const value = this.#readVarint(end);
    if (value > 0xffffffffn) throw malformed("a length is out of range");
    return Number(value);
  }

  /** Reads up to 64 bits, seven in a byte, the lowest first. */
  #readVarint(end: number): bigint {
    let low = 0;
    let high = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = this.#bytes[this.#advance(1, end)] ?? 0;
      const bits = byte & 0x7f;
      // Four bytes of seven bits are the most that 32-bit arithmetic takes.
      if (index < 4) low |= bits << (7 * index);
      else high |= BigInt(bits) << BigInt(7 * (index - 4));
      if (byte < 0x80) return BigInt.asUintN(64, (high << 28n) | BigInt(low));
    }
    throw malformed("a number has more than 10 bytes");
  }
}

/**
 * Reads a protobuf message into the members of its OTLP/JSON form; throws a problem when it is invalid.
 *
 * Differs from OTLP/JSON in two types: fixed64 is a bigint, and bytes are a Uint8Array. Unknown fields are skipped.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function readWireMessage(bytes: Buffer, message: Message): Steps<Record<string, unknown>> {
  return new WireReader(bytes).read(message);
}
