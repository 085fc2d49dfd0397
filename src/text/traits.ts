import { toCodes } from "./codes.ts";
import { rememberLatest } from "./latest.ts";

/**
 * What a text has, read in one pass: most texts lack what most expressions look for, and each expression that needn't
 * run is worth the pass.
 *
 * Every trait is one that a text must have for an expression to match; it may have it without a match.
 */
export interface Traits {
  /** Nothing but ASCII. */
  readonly isAscii: boolean;
  /** A sign that assigns a value to a name. */
  readonly hasAssignment: boolean;
  /** A row of 16 characters that keys are made of. */
  readonly hasLongToken: boolean;
  /** A letter by itself, a separator, a character by itself, and a separator. */
  readonly hasLettersApart: boolean;
  /** Two words beside each other that may be digits. */
  readonly hasSpokenDigits: boolean;
  /** Four digits that each stand by themselves. */
  readonly hasSingleDigits: boolean;
  /** A digit beside a letter. */
  readonly hasMixedWord: boolean;
}

const ASCII = 128;
const UNITS = 65_536;
const MIN_TOKEN_LENGTH = 16;
const MIN_SINGLE_DIGITS = 4;
/** Characters between two spoken digits. */
const MAX_PAUSE = 3;
const CASE_BIT = 0x20;

/** Bits of what a character may be part of. */
const Part = {
  Letter: 1,
  Digit: 2,
  Underscore: 4,
  Token: 8,
  Separator: 16,
  Assignment: 32,
  Foreign: 64,
} as const;
const WORD = Part.Letter | Part.Digit | Part.Underscore;

function partsOf(character: string): number {
  let parts = 0;
  if (character.toLowerCase() !== character.toUpperCase()) parts |= Part.Letter | Part.Token;
  if (character >= "0" && character <= "9") parts |= Part.Digit | Part.Token;
  if (character === "_") parts |= Part.Underscore;
  if ("_-.+/~".includes(character)) parts |= Part.Token;
  if (" .-_*~|".includes(character)) parts |= Part.Separator;
  if (":=".includes(character)) parts |= Part.Assignment;
  return parts;
}

/** By UTF-16 unit. */
const PARTS = new Uint8Array(UNITS).fill(Part.Foreign);
for (let code = 0; code < ASCII; code++) PARTS[code] = partsOf(String.fromCharCode(code));

function partsAt(codes: Uint16Array, index: number): number {
  return index < codes.length ? (PARTS[codes[index] ?? 0] ?? 0) : 0;
}

const LETTERS = 26;
const FIRST_LETTER = 0x61;
/** Words that digits are read out as, and what stands between them. */
const DIGIT_WORDS =
  "zero one two three four five six seven eight nine niner oh double triple treble nought dash hyphen";
const MAX_SHIFT = 31;

const toPair = (first: number, last: number): number =>
  ((first | CASE_BIT) - FIRST_LETTER) * LETTERS + (last | CASE_BIT) - FIRST_LETTER;

/** For each first and last letter the lengths, as bits, of the words that may be digits. */
const DIGIT_LENGTHS = new Uint32Array(LETTERS * LETTERS);
for (const word of DIGIT_WORDS.split(" ")) {
  const pair = toPair(word.charCodeAt(0), word.charCodeAt(word.length - 1));
  DIGIT_LENGTHS[pair] = (DIGIT_LENGTHS[pair] ?? 0) | (1 << word.length);
}
const E = 0x65;
const N = 0x6e;
const T = 0x74;
const Y = 0x79;

/** Returns whether a word ends as "forty" or "fourteen". */
function endsAsNumber(codes: Uint16Array, end: number): boolean {
  const last = (codes[end - 1] ?? 0) | CASE_BIT;
  const before = (codes[end - 2] ?? 0) | CASE_BIT;
  return (last === Y && before === T) || (last === N && before === E);
}

/** Returns whether a row of letters may be a digit that is read out. */
function mayBeDigit(codes: Uint16Array, start: number, end: number): boolean {
  const lengths = DIGIT_LENGTHS[toPair(codes[start] ?? 0, codes[end - 1] ?? 0)] ?? 0;
  return (lengths & (1 << Math.min(end - start, MAX_SHIFT))) !== 0 || endsAsNumber(codes, end);
}

/** Returns whether a letter by itself has separators behind it and behind the next character. */
function standsApart(codes: Uint16Array, index: number): boolean {
  return (
    (partsAt(codes, index + 1) & Part.Separator) !== 0 &&
    (partsAt(codes, index + 3) & Part.Separator) !== 0
  );
}

/** Reads one text; the state of a scan. */
class TraitReader implements Traits {
  readonly isAscii: boolean;
  readonly hasAssignment: boolean;
  hasLongToken = false;
  hasLettersApart = false;
  hasSpokenDigits = false;
  hasSingleDigits = false;
  hasMixedWord = false;
  #singleDigits = 0;
  /** Where the last word ended that may be a digit. */
  #digitEnd = -MAX_PAUSE - 1;

  constructor(codes: Uint16Array) {
    let tokenStart = 0;
    let seen = 0;
    for (let index = 0; index < codes.length;) {
      const start = index;
      const first = partsAt(codes, index++);
      seen |= first;
      if ((first & WORD) !== 0) {
        let kinds = first;
        let parts = partsAt(codes, index);
        for (; (parts & WORD) !== 0; parts = partsAt(codes, ++index)) kinds |= parts;
        this.#word(codes, start, index, kinds & WORD);
      }
      if ((first & Part.Token) === 0) tokenStart = index;
      else if (index - tokenStart >= MIN_TOKEN_LENGTH) this.hasLongToken = true;
    }
    this.isAscii = (seen & Part.Foreign) === 0;
    this.hasAssignment = (seen & Part.Assignment) !== 0;
    this.hasSingleDigits = this.#singleDigits >= MIN_SINGLE_DIGITS;
  }

  #word(codes: Uint16Array, start: number, end: number, kinds: number): void {
    const isOne = end - start === 1;
    if (kinds === Part.Digit) {
      if (isOne) this.#singleDigits++;
      return;
    }
    if (kinds !== Part.Letter) {
      this.hasMixedWord = true;
      if ((kinds & Part.Underscore) !== 0) this.hasLettersApart = true;
    } else if (isOne && standsApart(codes, start)) this.hasLettersApart = true;
    if (kinds === Part.Letter && !mayBeDigit(codes, start, end)) return;
    if (start - this.#digitEnd <= MAX_PAUSE) this.hasSpokenDigits = true;
    this.#digitEnd = end;
  }
}

/** Returns the traits of a text. */
export const traitsOf: (text: string) => Traits = rememberLatest(
  (text) => new TraitReader(toCodes(text)),
);
