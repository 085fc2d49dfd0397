import { ProblemError } from "../problem.ts";
import { isRecord } from "../../util/values.ts";

/** The members of a message, of JSON or of protobuf. */
export type Members = Readonly<Record<string, unknown>>;

/** Says where a body is not what OTLP says it is. */
export function invalidMember(where: string, expected: string): ProblemError {
  return new ProblemError(400, "malformed_body", `${where}: expected ${expected}`);
}

/** Gives a message; one that is absent has no members. */
export function readMembers(value: unknown, where: string): Members {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw invalidMember(where, "an object");
}

/** Gives a list; one that is absent is empty. */
export function readList(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalidMember(where, "an array");
}

/** Gives a text; one that is absent is empty. */
export function readText(value: unknown, where: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw invalidMember(where, "a string");
}

/** Gives an unsigned integer of 32 bits; one that is absent is 0. */
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

/** Gives nanoseconds since the Unix epoch, an unsigned integer of 64 bits; absent ones are 0. */
export function readTime(value: unknown, where: string): HrTime {
  if (value === undefined || value === null) return [0, 0];
  const nanos = toNanos(value);
  if (nanos === undefined || nanos > MAX_NANOS)
    throw invalidMember(where, "nanoseconds as an integer of 64 bits");
  return [Number(nanos / NANOS_PER_SECOND), Number(nanos % NANOS_PER_SECOND)];
}

/** Gives nanoseconds as decimal digits, as OTLP/JSON has them. */
export function toNanoDigits([seconds, nanos]: HrTime): string {
  return (BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos)).toString();
}

/** Gives microseconds, which fit into a number for any time before the year 2255; later ones are cut to it. */
export function toMicros([seconds, nanos]: HrTime): number {
  return Math.min(seconds * 1e6 + Math.floor(nanos / 1000), Number.MAX_SAFE_INTEGER);
}

const HEX = /^[\da-f]*$/;

/**
 * Gives the id of a trace or a span in lower case, `""` when there is none, and nothing when it is no such id.
 *
 * @param digits - Hexadecimal digits: 32 for a trace, 16 for a span.
 */
export function readId(value: unknown, digits: 16 | 32, where: string): string | undefined {
  const id = readText(value, where).toLowerCase();
  // All zeros stand for no id. @see https://www.w3.org/TR/trace-context/#trace-id
  if (id === "" || id === "0".repeat(digits)) return "";
  return id.length === digits && HEX.test(id) ? id : undefined;
}
