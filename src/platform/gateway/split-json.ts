import { skipString } from "../../util/json-span.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** Skips bytes of white space: valid JSON has no other bytes up to 0x20 between tokens. */
export function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= SPACE) at++;
  return at;
}

function skipNested(json: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const byte = json[at++] ?? 0;
    if (byte === QUOTE) at = skipString(json, at - 1);
    // The braces and brackets differ in one bit each.
    else if ((byte | 0x20) === OPEN_BRACE) depth++;
    else if ((byte | 0x20) === CLOSE_BRACE && --depth === 0) break;
  }
  return at;
}

function isScalarByte(byte: number): boolean {
  return byte > SPACE && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET;
}

/** Returns the position behind the value that begins at `from`. */
export function skipValue(json: Buffer, from: number): number {
  const first = json[from] ?? 0;
  if (first === QUOTE) return skipString(json, from);
  if ((first | 0x20) === OPEN_BRACE) return skipNested(json, from);
  let at = from;
  while (at < json.length && isScalarByte(json[at] ?? 0)) at++;
  return at;
}

/** Reads a name, which may be written with escapes. */
function readName(json: Buffer, start: number, end: number): string {
  const name = json.toString("utf8", start + 1, end - 1);
  return name.includes("\\") ? String(JSON.parse(`"${name}"`)) : name;
}

/**
 * Walks the members of the object that begins at `from`; returns the position behind it. The JSON must be valid.
 *
 * Reading values on the way takes one look at each byte; `findMembers` would take one for each level above it.
 *
 * @param read - Returns the position behind the value that begins at `at`.
 */
export function walkObject(
  json: Buffer,
  from: number,
  read: (name: string, at: number) => number,
): number {
  let at = skipSpace(json, from + 1);
  while (json[at] === QUOTE) {
    const nameEnd = skipString(json, at);
    const name = readName(json, at, nameEnd);
    at = skipSpace(json, read(name, skipSpace(json, skipSpace(json, nameEnd) + 1)));
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return at + 1;
}

/** Walks the elements of an array, as `walkObject` does the members of an object. */
export function walkArray(json: Buffer, from: number, read: (at: number) => number): number {
  let at = skipSpace(json, from + 1);
  while (at < json.length && json[at] !== CLOSE_BRACKET) {
    // Where no value begins, the JSON is invalid; the walk ends all the same.
    at = skipSpace(json, Math.max(read(at), at + 1));
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return at + 1;
}
