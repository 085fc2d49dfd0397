import { linear } from "../text/pattern.ts";
import { correctSpelling } from "./misspelling.ts";
import { MIN_STEM_LENGTH, type WordId } from "./vocabulary-builder.ts";
import {
  findStems,
  findWord,
  longestStem,
  NO_WORD,
  type SpellingTables,
} from "./spelling-table.ts";

const ONLY_LETTERS = linear(/^[a-z]+$/);

const NONE: readonly WordId[] = [];

/** The words that a set of phrases is made of, looked up as they are spelt in texts. */
export class Vocabulary {
  readonly #tables: SpellingTables;
  readonly #longestStem: number;
  readonly #wider: Vocabulary | undefined;

  /**
   * @param wider - Words of other phrases: they have no ids here, but are no misspelling of a word that has one.
   */
  constructor(tables: SpellingTables, wider?: Vocabulary) {
    this.#tables = tables;
    this.#longestStem = longestStem(tables);
    this.#wider = wider;
  }

  /** Number of ids. */
  get size(): number {
    return this.#tables.spellingStarts.length - 1;
  }

  /** Returns whether a whole word is known. */
  has(word: string): boolean {
    return findWord(this.#tables, word) !== NO_WORD || this.#wider?.has(word) === true;
  }

  /** Returns whether a word, as it is spelt, stands for something. */
  knows(word: string): boolean {
    return this.#lookUp(word).length > 0 || this.#wider?.knows(word) === true;
  }

  /** Returns whether a word, as it is spelt, stands for something that its beginning alone does not. */
  knowsMore(word: string, beginning: string): boolean {
    const known = this.#lookUp(beginning);
    return (
      this.#lookUp(word).some((id) => !known.includes(id)) ||
      this.#wider?.knowsMore(word, beginning) === true
    );
  }

  /** Returns the ids of a number, which is spelt as its writer meant it. */
  idsOfNumber(digits: string): readonly WordId[] {
    return this.has(digits) ? this.idsOf(digits) : NONE;
  }

  /** Returns the ids that a word of a text stands for: its own and those of its beginnings. */
  idsOf(word: string): readonly WordId[] {
    const ids = this.#lookUp(word);
    // Numbers and codes are as their writer meant them.
    if (ids.length > 0 || !ONLY_LETTERS.test(word) || this.#wider?.knows(word) === true) return ids;
    const meant = correctSpelling(word, (candidate) => this.has(candidate));
    return meant === undefined ? ids : this.#lookUp(meant);
  }

  #lookUp(word: string): readonly WordId[] {
    const exact = findWord(this.#tables, word);
    const stems = findStems(this.#tables, word, MIN_STEM_LENGTH, this.#longestStem);
    if (exact !== NO_WORD) return [exact, ...stems];
    return stems.length > 0 ? stems : NONE;
  }
}
