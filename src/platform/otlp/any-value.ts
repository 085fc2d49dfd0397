import { decodeBase64 } from "../../util/base64.ts";
import { isRecord } from "../../util/values.ts";
import { ProblemError } from "../problem.ts";

/** The members of a message, of JSON or of protobuf. */
export type Members = Readonly<Record<string, unknown>>;

/** Throws the problem of a body that violates OTLP. */
function refuse(expected: string, name: string, message?: string): never {
  const where = message === undefined ? name : `${message}.${name}`;
  throw new ProblemError("malformed_body", `${where}: expected ${expected}`);
}

const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** Converts to a message; an absent one has no members. */
export function toMembers(value: unknown, name: string): Members {
  if (isAbsent(value)) return {};
  return isRecord(value) ? value : refuse("an object", name);
}

/** Reads a list; an absent one is empty. */
export function readList(members: Members, name: string, message?: string): readonly unknown[] {
  const value = members[name];
  if (isAbsent(value)) return [];
  return Array.isArray(value) ? value : refuse("an array", name, message);
}

/** Reads a text; an absent one is empty. */
export function readText(members: Members, name: string, message?: string): string {
  const value = members[name];
  if (isAbsent(value)) return "";
  return typeof value === "string" ? value : refuse("a string", name, message);
}

/** Reads an unsigned integer of 32 bits; an absent one is 0. */
export function readUint32(members: Members, name: string, message?: string): number {
  const value = members[name];
  if (isAbsent(value)) return 0;
  // Proto3's JSON allows digits in a string for every number.
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 2 ** 32)
    return number;
  return refuse("an integer of 32 bits", name, message);
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
export function readTime(members: Members, name: string, message?: string): HrTime {
  const value = members[name];
  if (isAbsent(value)) return [0, 0];
  const nanos = toNanos(value);
  if (nanos === undefined || nanos > MAX_NANOS)
    return refuse("nanoseconds as an integer of 64 bits", name, message);
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
export function readId(
  members: Members,
  digits: 16 | 32,
  name: string,
  message?: string,
): string | undefined {
  const id = readText(members, name, message).toLowerCase();
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
    return refuse("an integer", "intValue");
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
  return refuse("a number", "doubleValue");
}

function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const bytes = typeof value === "string" ? decodeBase64(value) : undefined;
  return bytes ? new Uint8Array(bytes) : refuse("Base64", "bytesValue");
}

function readBoolean(value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse("true or false", "boolValue");
}

function readNested({ arrayValue, kvlistValue }: Members, depth: number): unknown {
  if (depth >= MAX_DEPTH) return refuse(`at most ${MAX_DEPTH} levels`, "value");
  if (isAbsent(arrayValue))
    return readPairs(toMembers(kvlistValue, "kvlistValue")["values"], depth + 1);
  const values = readList(toMembers(arrayValue, "arrayValue"), "values", "arrayValue");
  return values.map((value) => readValue(value, depth + 1));
}

function readValue(value: unknown, depth: number): unknown {
  const members = toMembers(value, "value");
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = members;
  if (!isAbsent(stringValue)) return readText(members, "stringValue");
  if (!isAbsent(intValue)) return readInteger(intValue);
  if (!isAbsent(doubleValue)) return readDouble(doubleValue);
  if (!isAbsent(boolValue)) return readBoolean(boolValue);
  if (!isAbsent(bytesValue)) return readBytes(bytesValue);
  const isNested = !isAbsent(members["arrayValue"]) || !isAbsent(members["kvlistValue"]);
  return isNested ? readNested(members, depth) : null;
}

function readPairs(attributes: unknown, depth: number): Attributes {
  const pairs = readList({ attributes }, "attributes").map((item) => {
    const pair = toMembers(item, "attribute");
    return [readText(pair, "key", "attribute"), readValue(pair["value"], depth)] as const;
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
