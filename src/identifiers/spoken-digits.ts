import { rememberLatest } from "../text/latest.ts";
import { findAll, linear, type Range } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";
import { traitsOf } from "../text/traits.ts";

/** A text in which spelt-out digits are written as digits. */
export interface DigitReading {
  readonly text: string;
  /** Returns the place in the text that was read. */
  toSource(range: Range): Range;
}

const UNITS: readonly string[] = "zero one two three four five six seven eight nine".split(" ");
const TEENS: readonly string[] =
  "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS: readonly string[] = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The digits that a word stands for: "7" for "seven", "40" for "forty". */
export const DIGITS_OF_WORDS: ReadonlyMap<string, string> = new Map([
  ...UNITS.map((word, value) => [word, String(value)] as const),
  ...TEENS.map((word, value) => [word, String(value + 10)] as const),
  ...TENS.map((word, value) => [word, String((value + 2) * 10)] as const),
  ["oh", "0"],
  ["o", "0"],
  ["nought", "0"],
  ["naught", "0"],
  ["nil", "0"],
  ["niner", "9"],
]);
/** How often a word says the digit behind it: twice for "double". */
export const REPEATS: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3],
  ["treble", 3],
]);
const SPOKEN_SEPARATORS: ReadonlySet<string> = new Set(["dash", "hyphen", "slash", "minus"]);
const FILLERS: ReadonlySet<string> = new Set(["and", "then", "space", "comma", "um", "uh"]);

/** Words before the number of digits that a part has. */
const COUNTED: ReadonlySet<string> = new Set(
  "first last middle next final other remaining second leading trailing initial opening closing".split(
    " ",
  ),
);

/** Fewer digits than an account or social security number has are left as they are. */
const MIN_DIGITS = 7;
const MIN_WORDS = 3;
const MAX_GAP = 4;

const DIGIT_WORD = oneOf`
  zero|one|two|three|four|five|six|seven|eight|nine|oh|nought
  double|triple|treble|\w{3,6}teen|\w{3,5}ty
`;
// Two digit words beside each other: most texts have none, and end here.
const CUE = linear(
  new RegExp(
    String.raw`\b(?:${DIGIT_WORD}|niner)\b[\s,.;:-]{1,3}(?:${DIGIT_WORD}|dash|hyphen)\b`,
    "i",
  ),
);
/** "5three1 4six": digits in words and in figures, glued together. */
const GLUED = linear(
  /\d(?:zero|one|two|three|four|five|six|seven|eight|niner?|oh)(?:\d|\b)|\b(?:zero|one|two|three|four|five|six|seven|eight|niner?|oh)\d/i,
);
/** "2, 3, 4, 3": digits that are read out one by one. */
const READ_OUT = linear(/\b\d,\s?\d,\s?\d,\s?\d\b/);
const SINGLE_DIGIT = linear(/^\d$/);
const TOKEN = linear(/[A-Za-z]+|\d+/g);
const DIGITS = linear(/^\d+$/);
const BETWEEN = linear(/^[\s,.;:\-/|]{0,4}$/);
const BREAK = linear(/[,.;:\-/|\n]/);

interface Token extends Range {
  readonly word: string;
}

/** A stretch of the source and what stands for it. */
interface Piece extends Range {
  readonly text: string;
}

/** A chain of digit words under construction. */
class Chain {
  readonly pieces: Piece[] = [];
  digits = 0;
  words = 0;
  /** Whether the last word is one such as "twenty" that a unit may follow: "twenty-one". */
  isTensOpen = false;
  repeat = 1;
  /** Where a word such as "double" stands that the next digit belongs to. */
  repeatStart: number | undefined;
  /** Whether the first word may say how many digits follow: "last four, two one two nine". */
  mayBeCounted = false;

  push(token: Token, digits: string, isWord: boolean): void {
    const previous = this.pieces.at(-1);
    if (isWord && this.isTensOpen && previous && digits.length === 1 && digits !== "0") {
      this.pieces[this.pieces.length - 1] = {
        start: previous.start,
        end: token.end,
        text: previous.text.slice(0, -1) + digits,
      };
      this.isTensOpen = false;
    } else {
      const text = digits.repeat(this.repeat);
      this.pieces.push({ start: this.repeatStart ?? token.start, end: token.end, text });
      this.digits += text.length;
      this.isTensOpen = isWord && digits.length === 2 && digits.endsWith("0") && digits !== "10";
    }
    if (isWord) this.words++;
    this.repeat = 1;
    this.repeatStart = undefined;
  }

  isNumber(minDigits: number): boolean {
    this.#dropCount();
    return this.digits >= minDigits && this.words >= Math.min(MIN_WORDS, minDigits);
  }

  #dropCount(): void {
    const count = this.pieces[0]?.text ?? "";
    if (!this.mayBeCounted || count.length !== 1 || Number(count) !== this.digits - 1) return;
    this.pieces.shift();
    this.digits--;
    this.words--;
  }
}

function readTokens(text: string): Token[] {
  return findAll(TOKEN, text).map(({ start, end }) => ({
    start,
    end,
    word: text.slice(start, end).toLowerCase(),
  }));
}

/** Adds a token to a chain and returns whether it belongs there. */
function extend(chain: Chain, token: Token): boolean {
  const { word } = token;
  const value = DIGITS_OF_WORDS.get(word);
  if (value !== undefined) chain.push(token, value, true);
  else if (DIGITS.test(word)) chain.push(token, word, SINGLE_DIGIT.test(word));
  else if (REPEATS.has(word)) {
    chain.repeat = REPEATS.get(word) ?? 1;
    chain.repeatStart = token.start;
  } else if (chain.pieces.length === 0) return false;
  else if (SPOKEN_SEPARATORS.has(word)) chain.pieces.push({ ...token, text: "-" });
  else return FILLERS.has(word);
  return true;
}

function findChains(text: string, minDigits: number): Chain[] {
  const chains: Chain[] = [];
  let chain = new Chain();
  let end = 0;
  let before = "";
  for (const token of readTokens(text)) {
    const isClose = token.start - end <= MAX_GAP && BETWEEN.test(text.slice(end, token.start));
    if (chain.pieces.length === 0) chain.mayBeCounted = COUNTED.has(before);
    if (!isClose || !extend(chain, token)) {
      if (chain.isNumber(minDigits)) chains.push(chain);
      chain = new Chain();
      extend(chain, token);
    }
    end = token.end;
    before = token.word;
  }
  if (chain.isNumber(minDigits)) chains.push(chain);
  return chains;
}

function isReadOut(text: string, { start, end }: Piece): boolean {
  return SINGLE_DIGIT.test(text.slice(start, end));
}

/** Returns what stands between two pieces of a number: pauses group the digits, mere spaces join the words. */
function joint(text: string, left: Piece, right: Piece): string {
  if (left.text === "-" || right.text === "-") return "";
  const between = text.slice(left.end, right.start);
  if (isReadOut(text, left) && isReadOut(text, right)) return "";
  const isSpelt = !DIGITS.test(text.slice(right.start, right.end));
  return BREAK.test(between) || !isSpelt ? " " : "";
}

/** Returns whether a pause stands behind each digit, so that none groups them: "five, one, oh, five". */
function isReadEvenly(text: string, pieces: readonly Piece[]): boolean {
  return pieces.every((piece, index) => {
    const previous = pieces[index - 1];
    const isDigit = SINGLE_DIGIT.test(piece.text);
    return isDigit && (!previous || BREAK.test(text.slice(previous.end, piece.start)));
  });
}

/** Returns the pieces of all chains, a joint between two pieces counting to the right one. */
function toPieces(text: string, minDigits: number): Piece[] {
  return findChains(text, minDigits).flatMap(({ pieces }) => {
    const isEven = isReadEvenly(text, pieces);
    return pieces.map((piece, index) => {
      const previous = pieces[index - 1];
      if (!previous) return piece;
      const between = isEven ? "" : joint(text, previous, piece);
      return { start: previous.end, end: piece.end, text: between + piece.text };
    });
  });
}

function replace(text: string, pieces: readonly Piece[]): DigitReading {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let position = 0;
  const copyUntil = (end: number): void => {
    for (; position < end; position++) {
      units.push(text.charAt(position));
      starts.push(position);
      ends.push(position + 1);
    }
  };
  for (const piece of pieces) {
    copyUntil(piece.start);
    for (const unit of piece.text) {
      units.push(unit);
      starts.push(piece.start);
      ends.push(piece.end);
    }
    position = piece.end;
  }
  copyUntil(text.length);
  return {
    text: units.join(""),
    toSource: ({ start, end }) => ({
      start: starts[start] ?? text.length,
      end: end > start ? (ends[end - 1] ?? text.length) : (starts[start] ?? text.length),
    }),
  };
}

/** Most texts have no digits that are spoken or read out, and are asked twice. */
const mayHaveDigits = rememberLatest((text): boolean => {
  const { hasSpokenDigits, hasSingleDigits, hasMixedWord } = traitsOf(text);
  return (
    (hasSpokenDigits && CUE.test(text)) ||
    (hasSingleDigits && READ_OUT.test(text)) ||
    (hasMixedWord && GLUED.test(text))
  );
});

/**
 * Writes spelt-out digits as digits where at least seven of them stand close together.
 *
 * "eight six one, four four, nine zero two two" becomes "861 44 9022"; also "double five", "oh", "forty-five" and
 * digits among the words.
 */
export function readSpokenDigits(text: string, minDigits = MIN_DIGITS): DigitReading {
  const pieces = mayHaveDigits(text) ? toPieces(text, minDigits) : [];
  return pieces.length === 0 ? { text, toSource: (range) => range } : replace(text, pieces);
}
