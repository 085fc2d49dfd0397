/** An object of parsed JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const NOTHING: JsonRecord = Object.freeze({});

/** Tells whether a value is an object that is no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives an object, an empty one for anything else. */
export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : NOTHING;
}

/** Gives a list, an empty one for anything else. */
export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Gives a string that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Gives a number that can be counted with. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Gives the number that a part of an answer is known by, as a key. */
export function toKey(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "0";
}

/** Parses JSON; `undefined` for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
