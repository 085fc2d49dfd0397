import { decodeBase64 } from "../../util/base64.ts";
import { isRecord } from "../../util/values.ts";
import { ProblemError } from "../problem.ts";

/** The members of a message, of JSON or of protobuf. */
export type Members = Readonly<Record<string, unknown>>;

/** Creates the problem of a body that violates OTLP. */
function invalidMember(where: string, expected: string): ProblemError {
  return new ProblemError(400, "malformed_body", `${where}: expected ${expected}`);
}

/** Reads a message; an absent one has no members. */
export function readMembers(value: unknown, where: string): Members {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw invalidMember(where, "an object");
}

/** Reads a list; an absent one is empty. */
export function readList(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalidMember(where, "an array");
}

/** Reads a text; an absent one is empty. */
export function readText(value: unknown, where: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw invalidMember(where, "a string");
}

/** Reads an unsigned integer of 32 bits; an absent one is 0. */
export function readUint32(value: unknown, where: string): number {
  if (value === undefined || value === null) return 0;
  // Proto3's JSON allows digits in a string for every number.
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 2 ** 32)
    return number;
  throw invalidMember(where, "an integer of 32 bits");
}

const DIGITS = /^\d{1,20}$/;
const MAX_NANOS = 2n ** 64n - 1n;
const NANOS_PER_SECOND = 1_000_000_000n;

/** Seconds since the Unix epoch, and nanoseconds of the second. */
export type HrTime = [seconds: number, nanos: number];

function toNanos(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && DIGITS.test(value)) return BigInt(value);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return BigInt(value);
  return undefined;
}

/** Reads nanoseconds since the Unix epoch, an unsigned integer of 64 bits; absent ones are 0. */
export function readTime(value: unknown, where: string): HrTime {
  if (value === undefined || value === null) return [0, 0];
  const nanos = toNanos(value);
  if (nanos === undefined || nanos > MAX_NANOS)
    throw invalidMember(where, "nanoseconds as an integer of 64 bits");
  return [Number(nanos / NANOS_PER_SECOND), Number(nanos % NANOS_PER_SECOND)];
}

/** Returns nanoseconds as decimal digits, as in OTLP/JSON. */
export function toNanoDigits([seconds, nanos]: HrTime): string {
  return (BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos)).toString();
}

/** Returns microseconds, which fit into a number for any time before the year 2255; later times are capped. */
export function toMicros([seconds, nanos]: HrTime): number {
  return Math.min(seconds * 1e6 + Math.floor(nanos / 1000), Number.MAX_SAFE_INTEGER);
}

const HEX = /^[\da-f]*$/;

/**
 * Reads the id of a trace or a span in lower case, `""` when there is none, and `undefined` when it is invalid.
 *
 * @param digits - Hexadecimal digits: 32 for a trace, 16 for a span.
 */
export function readId(value: unknown, digits: 16 | 32, where: string): string | undefined {
  const id = readText(value, where).toLowerCase();
  // All zeros stand for no id. @see https://www.w3.org/TR/trace-context/#trace-id
  if (id === "" || id === "0".repeat(digits)) return "";
  return id.length === digits && HEX.test(id) ? id : undefined;
}

/** Limit of nested lists and maps; no attribute is nested deeper on purpose. */
const MAX_DEPTH = 32;

/** Attributes by name; of two with one name the last counts. */
export type Attributes = Readonly<Record<string, unknown>>;

function readInteger(value: unknown): number | string {
  const isDigits = typeof value === "string" && /^-?\d{1,20}$/.test(value);
  const number = isDigits ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number))
    throw invalidMember("intValue", "an integer");
  // An account number must not change its last digits because it was sent as an integer.
  return isDigits && !Number.isSafeInteger(number) ? value : number;
}

const SPECIAL_DOUBLES: readonly unknown[] = ["NaN", "Infinity", "-Infinity"];

function readDouble(value: unknown): number {
  if (typeof value === "number") return value;
  const isNumeric =
    typeof value === "string" &&
    (SPECIAL_DOUBLES.includes(value) || /^-?\d[\d.eE+-]{0,40}$/.test(value));
  if (isNumeric) return Number(value);
  throw invalidMember("doubleValue", "a number");
}

function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const bytes = typeof value === "string" ? decodeBase64(value) : undefined;
  if (!bytes) throw invalidMember("bytesValue", "Base64");
  return new Uint8Array(bytes);
}

function readBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw invalidMember("boolValue", "true or false");
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function readNested({ arrayValue, kvlistValue }: Members, depth: number): unknown {
  if (depth >= MAX_DEPTH) throw invalidMember("value", `at most ${MAX_DEPTH} levels`);
  if (isSet(arrayValue)) {
    const { values } = readMembers(arrayValue, "arrayValue");
    return readList(values, "arrayValue.values").map((value) => readValue(value, depth + 1));
  }
  const { values } = readMembers(kvlistValue, "kvlistValue");
  return readPairs(values, depth + 1);
}

function readValue(value: unknown, depth: number): unknown {
  const members = readMembers(value, "value");
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = members;
  if (isSet(stringValue)) return readText(stringValue, "stringValue");
  if (isSet(intValue)) return readInteger(intValue);
  if (isSet(doubleValue)) return readDouble(doubleValue);
  if (isSet(boolValue)) return readBoolean(boolValue);
  if (isSet(bytesValue)) return readBytes(bytesValue);
  if (isSet(members["arrayValue"]) || isSet(members["kvlistValue"]))
    return readNested(members, depth);
  return null;
}

function readPairs(value: unknown, depth: number): Attributes {
  const pairs = readList(value, "attributes").map((pair) => {
    const { key, value: anyValue } = readMembers(pair, "attribute");
    return [readText(key, "attribute.key"), readValue(anyValue, depth)] as const;
  });
  // Makes `__proto__` a member like any other.
  return Object.fromEntries(pairs);
}

/** Reads the value of an AnyValue: a log record's body; `null` when it is empty. */
export function readAnyValue(value: unknown): unknown {
  return readValue(value, 0);
}

/** Reads attributes, without those that have no value; throws a problem if they are no list. */
export function readAttributes(value: unknown): Attributes {
  const attributes = readPairs(value, 0);
  const isComplete = Object.values(attributes).every((one) => one !== null);
  if (isComplete) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([, one]) => one !== null));
}
