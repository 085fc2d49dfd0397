/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** Tells whether a JSON value is an object. */
export function isJsonObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
