const MAX_DEPTH = 32;

/** A JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Bounds and marks of one conversion. */
interface Conversion {
  /** UTF-16 units that may still be written; every node costs at least one. */
  budget: number;
  truncated: boolean;
  readonly ancestors: object[];
}

/** Cuts a string to a length without splitting a surrogate pair. */
export function cutString(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, splitsPair ? maxLength - 1 : maxLength));
}

function toBoundedString(text: string, conversion: Conversion): string {
  const cut = cutString(text, Math.max(0, conversion.budget));
  if (cut.length < text.length) conversion.truncated = true;
  conversion.budget -= cut.length;
  return cut;
}

function setOwn(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  // Assigning to `__proto__` would set the prototype instead of a member.
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

function readMember(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

function fromObjectMembers(source: object, keys: readonly string[], conversion: Conversion): JsonValue {
  const target: { [key: string]: JsonValue } = {};
  for (const key of keys) {
    if (conversion.budget <= 0) {
      conversion.truncated = true;
      break;
    }
    const member = readMember(source, key);
    if (member === undefined) continue;
    conversion.budget -= key.length + 1;
    setOwn(target, key, convert(member, conversion));
  }
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

/** Names an error's members that say what happened; they are not enumerable. */
const ERROR_KEYS = ["name", "message", "stack", "code", "cause", "errors"];

function fromMap(source: Map<unknown, unknown>, conversion: Conversion): JsonValue {
  const keys = [...source.keys()];
  if (!keys.every((key) => typeof key === "string")) return fromIterable(source.entries(), conversion);
  return fromObjectMembers(Object.fromEntries(source), keys, conversion);
}

function fromBytes(source: ArrayBufferView, conversion: Conversion): JsonValue {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const maxBytes = Math.max(0, Math.floor((conversion.budget * 3) / 4));
  if (bytes.length > maxBytes) conversion.truncated = true;
  const base64 = bytes.subarray(0, maxBytes).toString("base64");
  conversion.budget -= base64.length;
  return { type: source.constructor.name, base64 };
}

function fromKnownObject(source: object, conversion: Conversion): JsonValue {
  if (Array.isArray(source)) return fromIterable(source, conversion);
  if (source instanceof Error) {
    return fromObjectMembers(source, [...new Set([...ERROR_KEYS, ...Object.keys(source)])], conversion);
  }
  if (ArrayBuffer.isView(source)) return fromBytes(source, conversion);
  if (source instanceof Map) return fromMap(source, conversion);
  if (source instanceof Set) return fromIterable(source, conversion);
  if (source instanceof RegExp || source instanceof Promise) return toBoundedString(String(source), conversion);
  const toJson = readMember(source, "toJSON");
  if (typeof toJson === "function") {
    const replaced: unknown = toJson.call(source);
    return replaced === source
      ? fromObjectMembers(source, Object.keys(source), conversion)
      : convert(replaced, conversion);
  }
  const valueOf = readMember(source, "valueOf");
  const primitive: unknown = typeof valueOf === "function" ? valueOf.call(source) : source;
  if (typeof primitive !== "object") return convert(primitive, conversion);
  return fromObjectMembers(source, Object.keys(source), conversion);
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
    return "[unreadable]";
  } finally {
    conversion.ancestors.pop();
  }
}

function convert(value: unknown, conversion: Conversion): JsonValue {
  conversion.budget--;
  switch (typeof value) {
    case "string":
      return toBoundedString(value, conversion);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
    case "symbol":
      return toBoundedString(String(value), conversion);
    case "function":
      return `[function ${toBoundedString(String(readMember(value, "name")), conversion)}]`;
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
 * @param maxLength - Bound of the copy, roughly in UTF-16 units of JSON.
 */
export function toJsonValue(value: unknown, maxLength: number): { value: JsonValue; truncated: boolean } {
  const conversion: Conversion = { budget: maxLength, truncated: false, ancestors: [] };
  const copy = convert(value, conversion);
  return { value: copy, truncated: conversion.truncated };
}
