import type { WordId } from "./vocabulary.ts";

/** How strongly a token is set off from the one before: not, by a comma, by the end of a clause. */
export type Break = 0 | 1 | 2;

/** A word, or a number, of a text. */
export interface Token {
  /** In small letters. */
  readonly word: string;
  readonly ids: readonly WordId[];
  readonly start: number;
  readonly end: number;
  readonly breakBefore: Break;
  readonly isQuoted: boolean;
  /** Whether a number may start with it: of digits, or one below a hundred in words. */
  readonly isNumeral: boolean;
  /** Of digits, `10k` and the like; with what its signs say. */
  readonly value?: number;
  readonly isMoney?: boolean;
  readonly isPercent?: boolean;
}
