/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** An object of parsed JSON with unknown members. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const NOTHING: JsonRecord = Object.freeze({});

/** Returns whether a value is an object, lists included. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns whether a value is an object but no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return isObject(value) && !Array.isArray(value);
}

/** Returns whether a value is an integer of 0 or more that JavaScript holds exactly. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns whether a value is a string or absent; `null` is neither. */
export function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/** Returns an object that is no list, an empty one for any other value. */
export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : NOTHING;
}

/** Returns a list, an empty one for any other value. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string, an empty one included. */
export function readString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a string that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a finite number. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Parses JSON; `undefined` for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses a string that is JSON; other values stay unchanged. */
export function parseIfJson(value: unknown): unknown {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  return parsed === undefined ? value : parsed;
}

/** Sets a member, whatever its name. */
export function setOwn(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  // Assigning to `__proto__` would set the prototype instead of a member.
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}
