/**
 * Words for phrases, or a function that gives them when they are first read.
 *
 * A declared function or a method is skipped by the engine until it is called; an arrow function is parsed with all its
 * texts when the module is imported, as an object is.
 */
export type Wording<T extends object> = T | (() => T);

/** Returns the words. */
export function wordsOf<T extends object>(wording: Wording<T>): T {
  return typeof wording === "function" ? wording() : wording;
}
