import { linear } from "../text/pattern.ts";
import { correctSpelling } from "./misspelling.ts";

/** Number of a word, or of a beginning of words, that some phrase uses. */
export type WordId = number;

const MIN_STEM_LENGTH = 3;
/** Words of texts whose ids are remembered; texts use the same few thousand words again and again. */
const MAX_REMEMBERED_WORDS = 20_000;
const MAX_REMEMBERED_LENGTH = 32;
/** V8 makes longer ones slices, which keep the whole text alive that they were cut from. */
const MAX_COPIED_LENGTH = 12;
/** Longest beginning of a word that is looked for. */
const MAX_STEM_LENGTH = 32;

const ONLY_LETTERS = linear(/^[a-z]+$/);

const NONE: readonly WordId[] = [];

/** Gives a word that keeps no text alive. */
export function detach(word: string): string {
  return word.length > MAX_COPIED_LENGTH ? Buffer.from(word).toString() : word;
}

/** The words that phrases are made of, numbered. */
class Vocabulary {
  readonly #words = new Map<string, WordId>();
  readonly #stems = new Map<string, WordId>();
  readonly #remembered = new Map<string, readonly WordId[]>();
  #size = 0;

  /** Number of ids given so far. */
  get size(): number {
    return this.#size;
  }

  /** Gives the id of a word, a new one if needed. */
  addWord(word: string): WordId {
    return this.#add(this.#words, word);
  }

  /** Gives the id of all words with a beginning, a new one if needed. */
  addStem(stem: string): WordId {
    if (stem.length < MIN_STEM_LENGTH)
      throw new Error(`a stem has at least ${MIN_STEM_LENGTH} letters (got "${stem}*")`);
    return this.#add(this.#stems, stem);
  }

  /** Tells whether a whole word is known. */
  has(word: string): boolean {
    return this.#words.has(word);
  }

  /** Tells whether a word, as it is spelt, stands for something. */
  knows(word: string): boolean {
    return this.#lookUp(word).length > 0;
  }

  /** Tells whether a word, as it is spelt, stands for something that its beginning alone does not. */
  knowsMore(word: string, beginning: string): boolean {
    const known = this.#lookUp(beginning);
    return this.#lookUp(word).some((id) => !known.includes(id));
  }

  /** Gives the ids of a number, of which texts have too many to remember. */
  idsOfNumber(digits: string): readonly WordId[] {
    return this.#words.has(digits) ? this.idsOf(digits) : NONE;
  }

  /** Gives the ids that a word of a text stands for: its own and those of its beginnings. */
  idsOf(word: string): readonly WordId[] {
    const remembered = this.#remembered.get(word);
    if (remembered) return remembered;
    let ids = this.#lookUp(word);
    // Numbers and codes are as their writer meant them.
    if (ids.length === 0 && ONLY_LETTERS.test(word)) {
      const meant = correctSpelling(word, (candidate) => this.#words.has(candidate));
      if (meant !== undefined) ids = this.#lookUp(meant);
    }
    if (word.length <= MAX_REMEMBERED_LENGTH) {
      if (this.#remembered.size >= MAX_REMEMBERED_WORDS) this.#remembered.clear();
      this.#remembered.set(detach(word), ids);
    }
    return ids;
  }

  #add(ids: Map<string, WordId>, key: string): WordId {
    let id = ids.get(key);
    if (id === undefined) {
      id = this.#size++;
      ids.set(key, id);
      // Clearing an empty map makes a new one.
      if (this.#remembered.size > 0) this.#remembered.clear();
    }
    return id;
  }

  #lookUp(word: string): readonly WordId[] {
    const ids: WordId[] = [];
    const exact = this.#words.get(word);
    if (exact !== undefined) ids.push(exact);
    const longest = Math.min(word.length, MAX_STEM_LENGTH);
    for (let length = MIN_STEM_LENGTH; length <= longest; length++) {
      const id = this.#stems.get(word.slice(0, length));
      if (id !== undefined) ids.push(id);
    }
    return ids.length > 0 ? ids : NONE;
  }
}

/** One for all phrases, so that a text's words are looked up once. */
export const vocabulary = new Vocabulary();
