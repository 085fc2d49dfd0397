import { DIGITS_OF_WORDS, REPEATS } from "../../identifiers/spoken-digits.ts";
import type { Token } from "../../phrases/token.ts";
import { linear } from "../../text/pattern.ts";

/** Digits that were spoken, and the index of the token behind them. */
export interface SpokenDigits {
  readonly digits: string;
  readonly next: number;
}

const MIN_WORDS = 2;
/** More than any value is spoken in; a row without end would be read from each of its words. */
const MAX_TOKENS = 48;
const FEW_DIGITS = linear(/^\d{1,4}$/);
/** What may stand between two of the digits. */
const PAUSES = new Set(["then", "and", "dash", "hyphen", "comma", "space"]);
/** Behind them the words were an amount. */
const AMOUNTS = new Set(
  "hundred thousand million grand dollars dollar bucks cents percent point".split(" "),
);

function digitsOf({ word, value }: Token): string | undefined {
  if (value === undefined) return DIGITS_OF_WORDS.get(word);
  return FEW_DIGITS.test(word) ? word : undefined;
}

/** A row of digits while it is read. */
class Row {
  digits = "";
  /** Words, and not digits as such. */
  words = 0;
  #repeat = 1;
  /** "forty", which "seven" goes on from. */
  #isOpen = false;

  /** Adds what a token says; returns whether it belongs to the row. */
  add(token: Token): boolean {
    const digits = digitsOf(token);
    if (digits === undefined) return this.#addOther(token.word);
    this.#addDigits(digits, token.value === undefined);
    return true;
  }

  #addOther(word: string): boolean {
    const repeat = REPEATS.get(word);
    if (repeat !== undefined) this.#repeat = repeat;
    return repeat !== undefined || (this.digits !== "" && PAUSES.has(word));
  }

  #addDigits(digits: string, isWord: boolean): void {
    if (this.#isOpen && isWord && digits.length === 1 && digits !== "0") {
      this.digits = this.digits.slice(0, -1) + digits;
      this.#isOpen = false;
    } else {
      this.digits += digits.repeat(this.#repeat);
      this.#isOpen = isWord && digits.length > 1 && digits.endsWith("0") && digits !== "10";
    }
    this.#repeat = 1;
    if (isWord) this.words++;
  }
}

/** Reads digits that are spoken from a token on: "nine four two one", "forty-seven thirteen", "double four, oh, two". */
export function readSpoken(tokens: readonly Token[], start: number): SpokenDigits | undefined {
  const row = new Row();
  let next = start;
  const end = Math.min(tokens.length, start + MAX_TOKENS);
  for (let index = start; index < end; index++) {
    const token = tokens[index];
    const before = row.digits;
    if (!token || (index > start && token.breakBefore > 1) || !row.add(token)) break;
    if (row.digits !== before) next = index + 1;
  }
  if (row.words < MIN_WORDS || AMOUNTS.has(tokens[next]?.word ?? "")) return undefined;
  return { digits: row.digits, next };
}
