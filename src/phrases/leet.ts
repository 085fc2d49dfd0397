import { linear } from "../text/pattern.ts";
import { writeOut } from "./contractions.ts";
import type { Vocabulary } from "./vocabulary.ts";

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
const MAX_ONES = 3;
/** Vowels are hidden more often than others. */
const HIDDEN_LETTERS = "aeioubcdfghjklmnpqrstvwxyz";
/** "€19.33" and "½" have none. */
const LETTER = linear(/[a-z]/);
const SEPARATOR_SIGNS = linear(/[*_]/g);

/** Returns the letters of a word, with each 1 as an "i" or an "l"; all but the first few alike. */
function* readings(word: string): Iterable<string> {
  const ones = word.split("1").length - 1;
  const decided = Math.min(ones, MAX_ONES);
  for (let choice = 0; choice < 1 << decided; choice++) {
    let seen = 0;
    let decoded = "";
    for (const character of word) {
      if (character === "1") decoded += (choice >> Math.min(seen++, decided - 1)) & 1 ? "l" : "i";
      else decoded += LETTERS[character] ?? character;
    }
    yield decoded;
  }
}

/** Writes each letter in place of the one that a star hides: "d*posit". */
function* unmasked(word: string): Iterable<string> {
  const star = word.indexOf("*");
  if (star === -1 || star !== word.lastIndexOf("*")) return;
  for (const letter of HIDDEN_LETTERS) yield word.slice(0, star) + letter + word.slice(star + 1);
}

/** Returns whether some phrase knows a reading; what the word begins with, as it is spelt, counts for nothing. */
function isBetter(vocabulary: Vocabulary, candidate: string, word: string): boolean {
  return (
    vocabulary.knowsMore(candidate, word) ||
    (writeOut(candidate)?.every((part) => vocabulary.knows(part)) ?? false)
  );
}

/**
 * Reads digits and signs in a word as the letters that they stand for: `gu4ranteed`, `w0n't`.
 *
 * A second reading only: it counts when it gives a word that some phrase knows.
 */
export function decodeLeet(vocabulary: Vocabulary, word: string): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !LETTER.test(word)) return undefined;
  for (const decoded of readings(word)) {
    for (const candidate of [
      decoded,
      decoded.replaceAll(SEPARATOR_SIGNS, ""),
      decoded.replaceAll("z", "s"),
      ...unmasked(decoded),
    ]) {
      if (isBetter(vocabulary, candidate, word)) return candidate;
    }
  }
  return undefined;
}
