import type { WordId } from "./vocabulary-builder.ts";

/** How strongly a token is set off from the one before: not, by a comma, by the end of a clause. */
export type Break = 0 | 1 | 2;

/** What a word, or a number, says wherever it stands. */
export interface Reading {
  /** In small letters. */
  readonly word: string;
  readonly ids: readonly WordId[];
  /** Hash of its stem, by which learned weights know a word; of digits it is 0. */
  readonly stemHash: number;
  /** "but" and the like. */
  readonly isClauseStart: boolean;
  /** Whether a number may start with it: of digits, or one below a hundred in words. */
  readonly isNumeral: boolean;
  /** Of digits, `10k` and the like; with what its signs say. */
  readonly value?: number;
  readonly isMoney?: boolean;
  readonly isPercent?: boolean;
}

const BREAK_SHIFT = 1;
const BREAK_MASK = 3;
const LENGTH_SHIFT = 3;

/** A word, or a number, of a text: texts have hundreds, so that it holds no more than its place and a shared reading. */
export class Token {
  readonly start: number;
  readonly reading: Reading;
  /** How long it is, how it is set off and whether it is quoted, in one number. */
  readonly #shape: number;

  constructor(reading: Reading, start: number, end: number, before: Break, isQuoted: boolean) {
    this.reading = reading;
    this.start = start;
    const setOff = reading.isClauseStart ? 2 : before;
    this.#shape = ((end - start) << LENGTH_SHIFT) | (setOff << BREAK_SHIFT) | (isQuoted ? 1 : 0);
  }

  get end(): number {
    return this.start + (this.#shape >> LENGTH_SHIFT);
  }

  get breakBefore(): Break {
    return ((this.#shape >> BREAK_SHIFT) & BREAK_MASK) as Break;
  }

  get isQuoted(): boolean {
    return (this.#shape & 1) === 1;
  }

  /** In small letters. */
  get word(): string {
    return this.reading.word;
  }

  get ids(): readonly WordId[] {
    return this.reading.ids;
  }

  get isNumeral(): boolean {
    return this.reading.isNumeral;
  }

  get value(): number | undefined {
    return this.reading.value;
  }

  get isMoney(): boolean {
    return this.reading.isMoney === true;
  }

  get isPercent(): boolean {
    return this.reading.isPercent === true;
  }
}
