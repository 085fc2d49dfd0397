import { toSpan, type Span } from "./spans.ts";
import type { Token } from "./token.ts";

/** Bits of the classes that `#name` stands for in a phrase. */
export const NUMBER_CLASSES = {
  /** Any number in digits, or above ten in words. */
  number: 1,
  /** An amount: with a currency, "grand", "k", or thousands. */
  money: 2,
  percent: 4,
  /** The reporting threshold itself, 10,000. */
  tenk: 8,
  /** Below it, from 2,000 on: what structured amounts look like. */
  undertenk: 16,
  /** Above it. */
  overtenk: 32,
} as const;

/** Name of a class of numbers. */
export type NumberClass = keyof typeof NUMBER_CLASSES;

/** A number that starts at a token. */
export interface NumberReading {
  readonly value: number;
  /** Tokens that it is made of. */
  readonly length: number;
  readonly classes: number;
}

const THRESHOLD = 10_000;
const LOWEST_STRUCTURED = 2000;
const HUNDRED = 100;

const SMALL_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    zero: 0,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  }),
);
const MULTIPLES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    hundred: 100,
    thousand: 1000,
    grand: 1000,
    k: 1000,
    million: 1_000_000,
    mil: 1_000_000,
    billion: 1_000_000_000,
  }),
);
const CURRENCY_WORDS = new Set("dollar dollars buck bucks usd cash grand k".split(" "));
const PERCENT_WORDS = new Set(["percent", "pct"]);

function classify(value: number, isMoney: boolean, isPercent: boolean): number {
  if (isPercent) return NUMBER_CLASSES.number | NUMBER_CLASSES.percent;
  let classes: number = NUMBER_CLASSES.number;
  // A bare number of five digits or with thousands is an amount more often than not.
  const isYear = !isMoney && value >= 1900 && value < 2100;
  if (isMoney || (value >= LOWEST_STRUCTURED && !isYear)) {
    if (isMoney || value < 100_000_000) classes |= NUMBER_CLASSES.money;
    if (value === THRESHOLD) classes |= NUMBER_CLASSES.tenk;
    else if (value > THRESHOLD) classes |= NUMBER_CLASSES.overtenk;
    else if (value >= LOWEST_STRUCTURED) classes |= NUMBER_CLASSES.undertenk;
  }
  return classes;
}

/** The words of a number, read so far. */
interface Words {
  /** Thousands and millions that are complete. */
  total: number;
  part: number;
  next: number;
  isGrand: boolean;
  hasDigits: boolean;
}

/** Adds a word to a number; returns whether it belongs to it. */
function addWord(words: Words, token: Token, isFirst: boolean): boolean {
  const small = token.value ?? SMALL_NUMBERS.get(token.word);
  if (small !== undefined) {
    // "five 2024" are two numbers.
    if (token.value !== undefined && !isFirst) return false;
    words.hasDigits ||= token.value !== undefined;
    words.part += small;
    return true;
  }
  const multiple = MULTIPLES.get(token.word);
  if (multiple === undefined || isFirst) return false;
  words.isGrand ||= token.word === "grand" || token.word === "k";
  const product = (words.part || 1) * multiple;
  if (multiple === HUNDRED) words.part = product;
  else {
    words.total += product;
    words.part = 0;
  }
  return true;
}

/** "five hundred and twenty" */
function isLink(words: Words, token: Token, following: Token | undefined): boolean {
  return (
    token.word === "and" &&
    words.part % HUNDRED === 0 &&
    following !== undefined &&
    SMALL_NUMBERS.has(following.word)
  );
}

/** More than any amount has; a text of nothing but number words would be read from each of them to its end. */
const MAX_WORDS = 24;

/** Reads the words of one number: "nine thousand five hundred", "9.5 k". */
function readWords(tokens: readonly Token[], start: number): Words {
  const words: Words = { total: 0, part: 0, next: start, isGrand: false, hasDigits: false };
  const end = Math.min(tokens.length, start + MAX_WORDS);
  for (; words.next < end; words.next++) {
    const token = tokens[words.next];
    const isFirst = words.next === start;
    if (!token || (!isFirst && token.breakBefore > 0)) break;
    const belongs =
      addWord(words, token, isFirst) || (!isFirst && isLink(words, token, tokens[words.next + 1]));
    if (!belongs) break;
  }
  return words;
}

/** Returns whether a word is a number below a hundred, with which a number may start. */
export function isSmallNumber(word: string): boolean {
  return SMALL_NUMBERS.has(word);
}

/** What the signs at a number and the word behind it say. */
function readUnit(
  { isMoney, isPercent }: Token,
  unit: string,
): { isMoney: boolean; isPercent: boolean } {
  return {
    isMoney: isMoney || CURRENCY_WORDS.has(unit),
    isPercent: isPercent || PERCENT_WORDS.has(unit),
  };
}

/** Reads the number that starts at a token, if any. */
export function readNumber(tokens: readonly Token[], start: number): NumberReading | undefined {
  const first = tokens[start];
  return first?.isNumeral === true ? readFrom(first, tokens, start) : undefined;
}

function readFrom(first: Token, tokens: readonly Token[], start: number): NumberReading {
  const { total, part, next, isGrand, hasDigits } = readWords(tokens, start);
  const value = total + part;
  const unit = tokens[next]?.word ?? "";
  const { isMoney, isPercent } = readUnit(first, unit);
  // "one", "two" alone are hardly ever meant as numbers.
  const isPlainWord = !hasDigits && !isGrand && !isMoney && !isPercent && value <= 10;
  const isUnit = CURRENCY_WORDS.has(unit) || PERCENT_WORDS.has(unit);
  return {
    value,
    length: next - start + (isUnit ? 1 : 0),
    classes: isPlainWord ? 0 : classify(value, isGrand || isMoney, isPercent),
  };
}

/** Lists the numbers that belong to some class, with the tokens that they are made of. */
export function listNumbers(tokens: readonly Token[]): { span: Span; classes: number }[] {
  const numbers: { span: Span; classes: number }[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const number = readNumber(tokens, index);
    if (!number || number.classes === 0) continue;
    numbers.push({ span: toSpan(index, index + number.length), classes: number.classes });
  }
  return numbers;
}
