import { linear } from "./pattern.ts";

const WORD = linear(/\S+/g);

/** Makes a set of the words of a text. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.match(WORD));
}
