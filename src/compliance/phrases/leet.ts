import { linear } from "../text/pattern.ts";
import { vocabulary } from "./vocabulary.ts";

const LETTERS: Readonly<Record<string, string>> = {
  "0": "o",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
};
const MIN_LENGTH = 3;
const MAX_LENGTH = 24;
const SEPARATOR_SIGNS = linear(/[*_]/g);

/**
 * Reads digits and signs in a word as the letters that they stand for: `gu4ranteed`.
 *
 * A second reading only: it counts when it gives a word that some phrase knows.
 */
export function decodeLeet(word: string): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
  for (const one of ["i", "l"]) {
    let decoded = "";
    for (const character of word)
      decoded += character === "1" ? one : (LETTERS[character] ?? character);
    for (const candidate of [
      decoded,
      decoded.replaceAll(SEPARATOR_SIGNS, ""),
      decoded.replaceAll("z", "s"),
    ]) {
      if (vocabulary.knows(candidate)) return candidate;
    }
  }
  return undefined;
}
