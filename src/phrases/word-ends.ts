import { Class, classAt, isAlphanumeric } from "./characters.ts";

const COMMA = 44;
const POINT = 46;

/** Returns the class of a character; behind the end there is nothing that belongs to a word. */
export function classBefore(codes: Uint16Array, index: number, to: number): number {
  return index < to ? classAt(codes, index) : Class.Other;
}

/** The comma of `10,000` and the point of `9.5`. */
function isNumberPoint(codes: Uint16Array, index: number, to: number): boolean {
  const code = codes[index];
  return (
    (code === COMMA || code === POINT) &&
    index + 1 < to &&
    classAt(codes, index - 1) === Class.Digit &&
    classAt(codes, index + 1) === Class.Digit
  );
}

/** Returns whether a character goes on with the word before it. */
function belongs(codes: Uint16Array, index: number, to: number): boolean {
  const next = classBefore(codes, index + 1, to);
  switch (classAt(codes, index)) {
    case Class.Letter:
    case Class.Digit:
      return true;
    case Class.Apostrophe:
      return next === Class.Letter;
    case Class.Sign:
      // "a$$ure", but not "HUMAN!!!"
      return (
        isAlphanumeric(next) ||
        (next === Class.Sign && isAlphanumeric(classBefore(codes, index + 2, to)))
      );
    default:
      return isNumberPoint(codes, index, to);
  }
}

/** Returns the end of the word that begins with a character. */
export function endOfWord(codes: Uint16Array, start: number, to: number): number {
  let end = start + 1;
  while (end < to && belongs(codes, end, to)) end++;
  return end;
}
