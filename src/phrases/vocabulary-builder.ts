import { PhraseError } from "./phrase-error.ts";

/** Number of a word, or of a beginning of words, that some phrase uses. */
export type WordId = number;

/** Shortest and longest beginning of a word that is looked for. */
export const MIN_STEM_LENGTH = 3;
const MAX_STEM_LENGTH = 32;

/** Numbers the words that phrases are made of, in the order in which they are added. */
export class VocabularyBuilder {
  readonly #words = new Map<string, WordId>();
  readonly #stems = new Map<string, WordId>();

  /** Number of ids given so far. */
  get size(): number {
    return this.#words.size + this.#stems.size;
  }

  get words(): ReadonlyMap<string, WordId> {
    return this.#words;
  }

  get stems(): ReadonlyMap<string, WordId> {
    return this.#stems;
  }

  /** Returns the id of a word, a new one if needed. */
  addWord(word: string): WordId {
    return this.#add(this.#words, word);
  }

  /**
   * Returns the id of all words with a beginning, a new one if needed.
   *
   * @throws {@link PhraseError} for one that is too short, or too long to be looked for.
   */
  addStem(stem: string): WordId {
    if (stem.length < MIN_STEM_LENGTH)
      throw new PhraseError(`a stem has at least ${MIN_STEM_LENGTH} letters (got "${stem}*")`);
    if (stem.length > MAX_STEM_LENGTH)
      throw new PhraseError(`a stem has at most ${MAX_STEM_LENGTH} letters (got "${stem}*")`);
    return this.#add(this.#stems, stem);
  }

  #add(ids: Map<string, WordId>, key: string): WordId {
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = this.size;
    ids.set(key, id);
    return id;
  }
}
