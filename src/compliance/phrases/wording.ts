/**
 * Words for phrases, or a function that gives them when they are first read.
 *
 * A declared function or a method is skipped by the engine until it is called; an arrow function is parsed with all its
 * texts when the module is imported, as an object is.
 */
export type Wording<T extends object> = T | (() => T);

/** Gives the words. */
export function wordsOf<T extends object>(wording: Wording<T>): T {
  return typeof wording === "function" ? wording() : wording;
}

/** Something that reads its phrases at the first use, or before. */
export interface Preparable {
  /** Tells whether all phrases are read, and reads none. */
  isPrepared(): boolean;
  /**
   * Reads a few phrases, and tells whether all are read.
   *
   * @throws PhraseError for one that can't be read.
   */
  prepareStep(): boolean;
}
