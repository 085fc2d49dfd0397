import { decodeBase64 } from "../../util/base64.ts";
import { invalidMember, readList, readMembers, readText, type Members } from "./read-members.ts";

/** Lists and maps inside each other; anything deeper is no attribute that somebody wrote on purpose. */
const MAX_DEPTH = 32;

/** Attributes by their names; of two with one name the last stays. */
export type Attributes = Readonly<Record<string, unknown>>;

function readInteger(value: unknown): number | string {
  const isDigits = typeof value === "string" && /^-?\d{1,20}$/.test(value);
  const number = isDigits ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number))
    throw invalidMember("intValue", "an integer");
  // An account number must not change its last digits because it came as an integer.
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

/** Gives the value of an AnyValue: a log record's body; `null` when it holds none. */
export function readAnyValue(value: unknown): unknown {
  return readValue(value, 0);
}

/** Gives attributes, those without a value left out; throws a problem for a list that is none. */
export function readAttributes(value: unknown): Attributes {
  const attributes = readPairs(value, 0);
  const isComplete = Object.values(attributes).every((one) => one !== null);
  if (isComplete) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([, one]) => one !== null));
}
