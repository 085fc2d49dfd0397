/** What a character may be part of. */
export const Class = {
  Other: 0,
  Letter: 1,
  Digit: 2,
  Apostrophe: 3,
  /** Signs that stand for letters inside words. */
  Sign: 4,
} as const;

const SIGNS = "@$!|*_";

function readClass(code: number): number {
  const character = String.fromCharCode(code);
  if (character >= "0" && character <= "9") return Class.Digit;
  if (character.toLowerCase() !== character.toUpperCase()) return Class.Letter;
  if (character === "'") return Class.Apostrophe;
  return SIGNS.includes(character) ? Class.Sign : Class.Other;
}

const ASCII = 128;
/** What small letters of ASCII have and capitals have not. */
export const CASE_BIT = 0x20;
const CLASSES = Uint8Array.from({ length: ASCII }, (_, code) => readClass(code));

/** Returns the class of a UTF-16 unit; of other scripts all are letters. */
export function classOf(code: number): number {
  return code < ASCII ? (CLASSES[code] ?? Class.Other) : Class.Letter;
}

/** Returns the class at an index; behind the end it is that of no word. */
export function classAt(codes: Uint16Array, index: number): number {
  return index < codes.length ? classOf(codes[index] ?? 0) : Class.Other;
}

/** Returns whether a UTF-16 unit is an ASCII letter. */
export function isAsciiLetter(code: number): boolean {
  return code < ASCII && CLASSES[code] === Class.Letter;
}

/** Returns whether a class is that of letters or digits. */
export const isAlphanumeric = (kind: number): boolean =>
  kind === Class.Letter || kind === Class.Digit;

/** Writes a word in small letters; a few capitals of other scripts have two of them. */
export function toLower(word: string): string {
  const lower = word.toLowerCase();
  return lower.length === word.length ? lower : word;
}
