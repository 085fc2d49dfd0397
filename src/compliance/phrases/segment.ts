import { vocabulary } from "./vocabulary.ts";

const MIN_SEGMENTED_LENGTH = 8;
const MAX_SEGMENTED_LENGTH = 64;

/** Tells whether letters are few enough, and many enough, to be several words. */
export const isSegmentable = ({ length }: string): boolean =>
  length >= MIN_SEGMENTED_LENGTH && length <= MAX_SEGMENTED_LENGTH;

/** Cuts letters that were set apart without a gap between the words into known words, the longest first. */
export function segment(word: string): string[] | undefined {
  const best: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end++) {
    for (let start = 0; start < end; start++) {
      const before = best[start];
      const part = word.slice(start, end);
      if (!before || !(part.length > 1 || part === "i" || part === "a") || !vocabulary.has(part))
        continue;
      const current = best[end];
      if (!current || before.length + 1 < current.length) best[end] = [...before, part];
    }
  }
  return best[word.length];
}
