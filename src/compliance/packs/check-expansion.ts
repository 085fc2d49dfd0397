import type { PackProblem } from "../pack-problem.ts";
import { isListMark, groupLists } from "./pack-lists.ts";
import { markLists, type MarkedLists } from "./check-phrases.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

/** Phrases of one pattern; the largest built-in one has some hundred. */
const MAX_PHRASES = 5000;
/** Phrases of a pack; the built-in one has 16,000. */
const MAX_ALL = 50_000;

/** Counts the phrases that lines come to, lists that name lists included; each list is counted once. */
function createCounter(lists: MarkedLists): (lines: readonly string[]) => number {
  const known = new Map<string, number>();
  const countLine = (line: string): number => {
    if (!isListMark(line)) return 1;
    const counted = known.get(line) ?? count(lists.get(line)?.lines ?? []);
    known.set(line, counted);
    return counted;
  };
  const count = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => sum + countLine(line), 0);
  return count;
}

/** Finds lists that grow beyond all bounds by lists that they name. The names in them are known, and none contains itself. */
export function* checkExpansion(
  rules: readonly Sourced<PackRule>[],
  words: readonly PackWords[],
): Iterable<PackProblem> {
  const shared = markLists(words);
  let all = 0;
  for (const { value, source } of rules) {
    const count = createCounter(new Map([...shared, ...markLists([value])]));
    for (const { path, lines } of groupLists(value)) {
      const phrases = count(lines);
      const isOver = all <= MAX_ALL && all + phrases > MAX_ALL;
      all += phrases;
      if (phrases <= MAX_PHRASES && !isOver) continue;
      const bound =
        phrases > MAX_PHRASES
          ? `${MAX_PHRASES} phrases`
          : `${MAX_ALL} phrases in all rules together`;
      const message = `${value.id}: ${path.join(".")}: expected at most ${bound}, lists included`;
      yield { ...source.placeOfKey(path), message };
    }
  }
}
