import { skipSpace, skipString } from "../../util/json-span.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;

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
