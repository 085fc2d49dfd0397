import { toCodes } from "../text/codes.ts";
import { linear } from "../text/pattern.ts";
import { Class, classAt, classOf, isAlphanumeric, isAsciiLetter, toLower } from "./characters.ts";
import { writeOut } from "./contractions.ts";
import { hasJoinerAt, readHiddenWord, withoutApostrophes } from "./hidden-words.ts";
import { decodeLeet } from "./leet.ts";
import { EMPTY_HASH, hashLetter, type KnownWords } from "./known-words.ts";
import { isSegmentable, segment } from "./segment.ts";
import { Token, type Break, type Reading } from "./token.ts";
import { classBefore, endOfWord } from "./word-ends.ts";

const NUMBER = linear(/^[$]?(\d[\d,]*(?:\.\d+)?)(k|m|mm|st|nd|rd|th)?$/);
const ONLY_LETTERS = linear(/^[^0-9@$!|*_.,]+$/);
/** A quotation mark without its partner within this many characters stands for inches. */
const MAX_QUOTE = 400;

const MAX_GATHERED = 1024;

const EXCLAMATION_MARK = 33;
const DOLLAR = 36;
const AT = 64;

/** Where the tokens of each text are gathered: a list that grows leaves much behind. */
const gathered: Token[] = [];

/** Reads one text; the state of a scan. */
class Scanner {
  hasLeet = false;
  /** Number of tokens so far. */
  count = 0;
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #canSegment: boolean;
  readonly #words: KnownWords;
  #break: Break = 0;
  #isQuoted = false;
  /** Up to here no word is hidden: a row of signs without end would be read from each of its letters. */
  #plainTo = 0;

  constructor(text: string, canSegment: boolean, words: KnownWords) {
    this.#text = text;
    this.#words = words;
    this.#codes = toCodes(text);
    this.#canSegment = canSegment;
  }

  /** Returns the tokens, when all has been read. */
  finish(): readonly Token[] {
    const tokens = gathered.slice(0, this.count);
    // Those of a long text are not kept alive.
    if (gathered.length > MAX_GATHERED) gathered.length = MAX_GATHERED;
    return tokens;
  }

  /** Reads a stretch of the text; quotation marks may reach from one to the next. */
  scan(from: number, to: number): void {
    this.#break = 2;
    let index = from;
    while (index < to) {
      const kind = classAt(this.#codes, index);
      if (kind === Class.Letter) {
        const end = this.#letters(index, to);
        if (end > index) {
          index = end;
          continue;
        }
      }
      if (kind === Class.Letter || kind === Class.Digit) index = this.#word(index, to);
      else if (kind === Class.Sign && this.#startsWord(index, to)) index = this.#word(index, to);
      else {
        this.#punctuation(index);
        index++;
      }
    }
  }

  /** `$500`, `$afe`, `@ll` and `!nsured`. */
  #startsWord(index: number, to: number): boolean {
    const sign = this.#codes[index];
    if (!isAlphanumeric(classBefore(this.#codes, index + 1, to))) return false;
    if (sign === DOLLAR || sign === AT) return true;
    return sign === EXCLAMATION_MARK && this.#isLeet(index, endOfWord(this.#codes, index, to));
  }

  /** Reads a word of nothing but ASCII letters that stands for itself, as most do; gives its start if it is another. */
  #letters(start: number, to: number): number {
    let hash = EMPTY_HASH;
    let end = start;
    let code = 0;
    for (; end < to; end++) {
      code = this.#codes[end] ?? 0;
      if (!isAsciiLetter(code)) break;
      hash = hashLetter(hash, code);
    }
    const isWhole =
      end === to || (classOf(code) === Class.Other && !hasJoinerAt(this.#codes, end, to));
    // Letters that were set apart may be several words.
    if (end === start || !isWhole || this.#canSegment) return start;
    const known = this.#words.find(this.#codes, start, end, hash) ?? this.#learn(start, end, hash);
    if (!known) return start;
    this.#add(known, start, end);
    return end;
  }

  #learn(start: number, end: number, hash: number): Reading | undefined {
    const word = toLower(this.#text.slice(start, end));
    if (writeOut(word)) return undefined;
    const known = this.#words.read(word);
    this.#words.add(known, hash);
    return known;
  }

  /** Reads a word that signs hide; gives its start if it is none. */
  #hiddenWord(start: number, to: number): number {
    const hidden = readHiddenWord(this.#words.vocabulary, this.#text, this.#codes, start, to);
    if (!hidden) return start;
    if (hidden.word === undefined) {
      this.#plainTo = hidden.end;
      return start;
    }
    this.#push(hidden.word, start, hidden.end);
    return hidden.end;
  }

  #word(start: number, to: number): number {
    const hiddenEnd = start < this.#plainTo ? start : this.#hiddenWord(start, to);
    if (hiddenEnd > start) return hiddenEnd;
    let end = endOfWord(this.#codes, start, to);
    let letters = 0;
    for (let index = start; index < end; index++) {
      if (classAt(this.#codes, index) === Class.Letter) letters++;
    }
    if (letters > 0 && this.#codes[end] === DOLLAR) end = this.#dollarsAtEnd(start, end, to);
    const word = toLower(this.#text.slice(start, end));
    // An apostrophe is no letter, and no sign of a disguise either.
    const isPlain = letters === word.length || (letters > 0 && ONLY_LETTERS.test(word));
    if (isPlain) this.#plainWord(word, start, end);
    else this.#oddWord(word, letters, start, end);
    return end;
  }

  /** Returns the end of `bill$`, where it is a word. */
  #dollarsAtEnd(start: number, end: number, to: number): number {
    let signEnd = end;
    while (signEnd < to && this.#codes[signEnd] === DOLLAR) signEnd++;
    return this.#isLeet(start, signEnd) ? signEnd : end;
  }

  #isLeet(start: number, end: number): boolean {
    const word = toLower(this.#text.slice(start, end));
    return decodeLeet(this.#words.vocabulary, word) !== undefined;
  }

  #plainWord(word: string, start: number, end: number): void {
    const parts = writeOut(word);
    if (parts) {
      const whole =
        parts.length === 1 ? withoutApostrophes(this.#words.vocabulary, word) : undefined;
      for (const part of whole === undefined ? parts : [whole]) this.#push(part, start, end);
      return;
    }
    const { vocabulary } = this.#words;
    const segments =
      this.#canSegment && isSegmentable(vocabulary, word) ? segment(vocabulary, word) : undefined;
    if (!segments) {
      this.#push(word, start, end);
      return;
    }
    // Of a word that signs were taken out of, it is not known where the parts stand.
    const isAsWritten = word.length === end - start;
    let position = start;
    for (const part of segments) {
      const next = position + part.length;
      this.#push(part, isAsWritten ? position : start, isAsWritten ? next : end);
      position = next;
    }
  }

  #oddWord(word: string, letters: number, start: number, end: number): void {
    const number = NUMBER.exec(word);
    if (number) {
      this.#pushNumber(word, number, start, end);
      return;
    }
    const { vocabulary } = this.#words;
    const decoded = letters > 0 && !vocabulary.has(word) ? decodeLeet(vocabulary, word) : undefined;
    if (decoded === undefined) this.#push(word, start, end);
    else {
      this.hasLeet = true;
      this.#plainWord(decoded, start, end);
    }
  }

  #pushNumber(
    word: string,
    [, digits = "", suffix]: RegExpExecArray,
    start: number,
    end: number,
  ): void {
    const factor = suffix === "k" ? 1000 : suffix === "m" || suffix === "mm" ? 1_000_000 : 1;
    const isPercent = this.#codes[end] === 37 || this.#text.startsWith(" %", end);
    const number: Reading = {
      word,
      ids: this.#words.vocabulary.idsOfNumber(word),
      stemHash: 0,
      isClauseStart: false,
      isNumeral: true,
      value: Number(digits.replaceAll(",", "")) * factor,
      isMoney: word.startsWith("$") || suffix === "k",
      isPercent,
    };
    this.#add(number, start, end);
  }

  #push(word: string, start: number, end: number): void {
    this.#add(this.#words.read(word), start, end);
  }

  #add(reading: Reading, start: number, end: number): void {
    gathered[this.count++] = new Token(reading, start, end, this.#break, this.#isQuoted);
    this.#break = 0;
  }

  #punctuation(index: number): void {
    switch (this.#codes[index]) {
      case 34: // "
        this.#isQuoted =
          !this.#isQuoted && this.#text.slice(index + 1, index + MAX_QUOTE).includes('"');
        return;
      case 44: // ,
        if (this.#break === 0) this.#break = 1;
        return;
      case 40: // (
      case 41: // )
      case 58: // :
      case 59: // ;
        this.#break = 2;
        return;
      case 45: // - between spaces, and --
        if (this.#codes[index + 1] === 32 || this.#codes[index + 1] === 45) this.#break = 2;
        return;
      default:
        return;
    }
  }
}

/** A text as words and numbers. */
export interface TokenisedText {
  readonly tokens: readonly Token[];
  /** The first token of each sentence, and the number of all. */
  readonly starts: readonly number[];
  /** Whether letters were written as other signs. */
  readonly hasLeet: boolean;
}

/**
 * Cuts a normalised text into words and numbers.
 *
 * Contractions are written out, so that "won't" has a "not" like "will not".
 *
 * @param sentences - Stretches of the text; no token reaches over their ends.
 * @param canSegment - Whether the text had letters set apart, so that words may stick together.
 * @param words - Reads the words.
 */
export function tokenise(
  text: string,
  sentences: readonly { readonly start: number; readonly end: number }[],
  canSegment: boolean,
  words: KnownWords,
): TokenisedText {
  const scanner = new Scanner(text, canSegment, words);
  const starts = [0];
  for (const { start, end } of sentences) {
    scanner.scan(start, end);
    starts.push(scanner.count);
  }
  return { tokens: scanner.finish(), starts, hasLeet: scanner.hasLeet };
}
