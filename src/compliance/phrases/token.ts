import type { WordId } from "./vocabulary.ts";

/** How strongly a token is set off from the one before: not, by a comma, by the end of a clause. */
export type Break = 0 | 1 | 2;

/** What a word, or a number, says wherever it stands. */
export interface Reading {
  /** In small letters. */
  readonly word: string;
  readonly ids: readonly WordId[];
  /** "but" and the like. */
  readonly isClauseStart: boolean;
  /** Whether a number may start with it: of digits, or one below a hundred in words. */
  readonly isNumeral: boolean;
  /** Of digits, `10k` and the like; with what its signs say. */
  readonly value?: number;
  readonly isMoney?: boolean;
  readonly isPercent?: boolean;
}

/** A word, or a number, of a text: texts have hundreds, so that it holds no more than its place and a shared reading. */
export class Token {
  readonly start: number;
  readonly end: number;
  readonly breakBefore: Break;
  readonly isQuoted: boolean;
  readonly reading: Reading;

  constructor(reading: Reading, start: number, end: number, before: Break, isQuoted: boolean) {
    this.reading = reading;
    this.start = start;
    this.end = end;
    this.breakBefore = reading.isClauseStart ? 2 : before;
    this.isQuoted = isQuoted;
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
