import { types } from "node:util";
import { cutString } from "./cut-string.ts";
import { isError, readMember } from "./untrusted-values.ts";
import { isRecord, setOwn, type JsonValue } from "./values.ts";

const MAX_DEPTH = 32;
/** Larger ones take seconds to write out. */
const MAX_BIGINT_BITS = 4096;

/** Bounds and marks of one conversion. */
interface Conversion {
  /** UTF-16 units that may still be written; every node costs at least one. */
  budget: number;
  truncated: boolean;
  readonly ancestors: object[];
}

function toBoundedString(text: string, conversion: Conversion): string {
  const cut = cutString(text, Math.max(0, conversion.budget));
  if (cut.length < text.length) conversion.truncated = true;
  conversion.budget -= cut.length;
  return cut;
}

/** Placeholder of a member whose getter throws, and of an object that can't be read at all. */
const UNREADABLE = "[unreadable]";

/** Copies members one by one and passes them on, within the budget. */
function forEachMember(
  source: object,
  keys: readonly string[],
  conversion: Conversion,
  visit: (key: string, value: JsonValue) => void,
): void {
  for (const key of keys) {
    if (conversion.budget <= 0) {
      conversion.truncated = true;
      return;
    }
    if (key.length > conversion.budget) {
      // A cut key could be another member's name.
      conversion.truncated = true;
      continue;
    }
    const member = readMember(source, key, UNREADABLE);
    if (member === undefined) continue;
    conversion.budget -= key.length + 1;
    // Most members are numbers; the general way costs three times as much.
    const isNumber = typeof member === "number" && Number.isFinite(member);
    if (isNumber) conversion.budget--;
    visit(key, isNumber ? member + 0 : convert(member, conversion));
  }
}

function fromObjectMembers(
  source: object,
  keys: readonly string[],
  conversion: Conversion,
): JsonValue {
  const target: { [key: string]: JsonValue } = {};
  forEachMember(source, keys, conversion, (key, value) => setOwn(target, key, value));
  return target;
}

function fromIterable(items: Iterable<unknown>, conversion: Conversion): JsonValue {
  const target: JsonValue[] = [];
  for (const item of items) {
    if (conversion.budget <= 0) {
      conversion.truncated = true;
      break;
    }
    target.push(convert(item, conversion));
  }
  return target;
}

/** An error's members that describe it; they are not enumerable. */
const ERROR_KEYS = ["name", "message", "stack", "code", "cause", "errors"];

function fromMap(source: Map<unknown, unknown>, conversion: Conversion): JsonValue {
  // Not the map's own methods: a subclass may iterate for ever.
  const entries = (): MapIterator<[unknown, unknown]> => Map.prototype.entries.call(source);
  const members: { [key: string]: JsonValue } = {};
  // Each entry costs at least one.
  let left = conversion.budget;
  for (const [key, value] of entries()) {
    if (typeof key !== "string") return fromIterable(entries(), conversion);
    setOwn(members, key, value as JsonValue);
    if (left-- <= 0) break;
  }
  return fromObjectMembers(members, Object.keys(members), conversion);
}

function fromBytes(source: ArrayBufferView, conversion: Conversion): JsonValue {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const maxBytes = Math.max(0, Math.floor((conversion.budget * 3) / 4));
  if (bytes.length > maxBytes) conversion.truncated = true;
  const base64 = bytes.subarray(0, maxBytes).toString("base64");
  conversion.budget -= base64.length;
  const { name } = source.constructor as { name: unknown };
  return { type: typeof name === "string" ? toBoundedString(name, conversion) : "bytes", base64 };
}

/** Copies objects of the language's own classes; `undefined` for any other object. */
function fromBuiltIn(source: object, conversion: Conversion): JsonValue | undefined {
  if (isError(source)) {
    return fromObjectMembers(
      source,
      [...new Set([...ERROR_KEYS, ...Object.keys(source)])],
      conversion,
    );
  }
  if (ArrayBuffer.isView(source)) return fromBytes(source, conversion);
  if (types.isAnyArrayBuffer(source)) return fromBytes(new Uint8Array(source), conversion);
  if (types.isMap(source)) return fromMap(source, conversion);
  if (types.isSet(source)) return fromIterable(Set.prototype.values.call(source), conversion);
  if (types.isRegExp(source))
    return toBoundedString(RegExp.prototype.toString.call(source), conversion);
  if (types.isPromise(source)) return "[promise]";
  if (types.isBoxedPrimitive(source)) return convert(source.valueOf(), conversion);
  return undefined;
}

function isPlain(source: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(source);
  return prototype === Object.prototype || prototype === null;
}

function fromKnownObject(source: object, conversion: Conversion): JsonValue {
  if (Array.isArray(source)) return fromIterable(source, conversion);
  const builtIn = isPlain(source) ? undefined : fromBuiltIn(source, conversion);
  if (builtIn !== undefined) return builtIn;
  const toJson = readMember(source, "toJSON", UNREADABLE);
  const replaced: unknown = typeof toJson === "function" ? toJson.call(source) : source;
  return replaced === source
    ? fromObjectMembers(source, Object.keys(source), conversion)
    : convert(replaced, conversion);
}

function fromObject(source: object, conversion: Conversion): JsonValue {
  if (conversion.ancestors.includes(source)) return "[circular]";
  if (conversion.ancestors.length >= MAX_DEPTH) {
    conversion.truncated = true;
    return "[too deep]";
  }
  conversion.ancestors.push(source);
  try {
    return fromKnownObject(source, conversion);
  } catch {
    return UNREADABLE;
  } finally {
    conversion.ancestors.pop();
  }
}

function fromFunction(source: unknown, conversion: Conversion): JsonValue {
  const name = readMember(source, "name", UNREADABLE);
  return `[function ${typeof name === "string" ? toBoundedString(name, conversion) : ""}]`;
}

function fromBigInt(value: bigint, conversion: Conversion): JsonValue {
  if (BigInt.asIntN(MAX_BIGINT_BITS, value) === value)
    return toBoundedString(String(value), conversion);
  conversion.truncated = true;
  return "[bigint too large]";
}

function convert(value: unknown, conversion: Conversion): JsonValue {
  conversion.budget--;
  switch (typeof value) {
    case "string":
      return toBoundedString(value, conversion);
    case "number":
      // JSON has no -0.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "boolean":
      return value;
    case "bigint":
      return fromBigInt(value, conversion);
    case "symbol":
      return toBoundedString(String(value), conversion);
    case "function":
      return fromFunction(value, conversion);
    case "undefined":
      return null;
    case "object":
      return value === null ? null : fromObject(value, conversion);
  }
}

/**
 * Copies any value into plain JSON: never throws, never runs away.
 *
 * Cycles, BigInt, functions, getters and `toJSON` that throw, Maps, Sets, bytes and Errors all become
 * something that can be read; what does not fit into the budget is cut and reported.
 *
 * @param maxLength - Bound of the copy, roughly in UTF-16 units of JSON; `length` is the part of it used.
 */
export function toJsonValue(
  value: unknown,
  maxLength: number,
): { value: JsonValue; truncated: boolean; length: number } {
  const conversion: Conversion = { budget: maxLength, truncated: false, ancestors: [] };
  const copy = convert(value, conversion);
  return { value: copy, truncated: conversion.truncated, length: maxLength - conversion.budget };
}

/**
 * Copies the members of anything as `toJsonValue` does, and passes them on one by one.
 *
 * A value that is no object is passed on as the member `value`.
 */
export function forEachJsonMember(
  source: unknown,
  maxLength: number,
  visit: (key: string, value: JsonValue) => void,
): { truncated: boolean; length: number } {
  const conversion: Conversion = { budget: maxLength, truncated: false, ancestors: [] };
  if (isSimple(source)) {
    conversion.ancestors.push(source);
    forEachMember(source, Object.keys(source), conversion, visit);
  } else {
    const copy = convert(source, conversion);
    if (!isRecord(copy)) visit("value", copy);
    else for (const key of Object.keys(copy)) visit(key, copy[key] ?? null);
  }
  return { truncated: conversion.truncated, length: maxLength - conversion.budget };
}

/** Returns whether a value is a plain object literal of the caller, which needs no further checks. */
function isSimple(source: unknown): source is object {
  try {
    return (
      typeof source === "object" &&
      source !== null &&
      isPlain(source) &&
      !types.isProxy(source) &&
      !("toJSON" in source)
    );
  } catch {
    return false;
  }
}
