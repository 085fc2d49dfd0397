import type { Vocabulary } from "./vocabulary.ts";
import { isFrequent } from "./word-frequency.ts";

const MIN_SEGMENTED_LENGTH = 4;
const MAX_SEGMENTED_LENGTH = 64;
/** "notation" is not "not at i on". */
const MIN_MEAN_LENGTH = 3;

function isWord(vocabulary: Vocabulary, letters: string): boolean {
  const isLongEnough = letters.length > 1 || letters === "i" || letters === "a";
  return isLongEnough && (vocabulary.has(letters) || isFrequent(letters));
}

/** Returns whether letters may be several words: "expectingachild" begins like a known one, but is none. */
export const isSegmentable = (vocabulary: Vocabulary, letters: string): boolean =>
  letters.length >= MIN_SEGMENTED_LENGTH &&
  letters.length <= MAX_SEGMENTED_LENGTH &&
  !isWord(vocabulary, letters);

/** Cuts letters that were set apart without a gap between the words into known words, the longest first. */
export function segment(vocabulary: Vocabulary, word: string): string[] | undefined {
  const best: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end++) {
    for (let start = 0; start < end; start++) {
      const before = best[start];
      const part = word.slice(start, end);
      if (!before || !isWord(vocabulary, part)) continue;
      const current = best[end];
      if (!current || before.length + 1 < current.length) best[end] = [...before, part];
    }
  }
  const words = best[word.length];
  return words && words.length <= Math.max(2, word.length / MIN_MEAN_LENGTH) ? words : undefined;
}
