import { listsOf } from "./pack-lists.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import { listNameOf } from "./list-name.ts";
import type { Sourced } from "./read-yaml.ts";

/** Phrases of one pattern; the largest built-in one has some hundred. */
const MAX_PHRASES = 5000;
/** Phrases of a pack; the built-in one has 16,000. */
const MAX_ALL = 50_000;

type Lists = Readonly<Record<string, readonly string[]>>;

/** Counts the phrases that lines come to, lists that name lists included; each list is counted once. */
function createCounter(lists: Lists): (lines: readonly string[]) => number {
  const known = new Map<string, number>();
  const countList = (name: string): number => {
    const counted = known.get(name) ?? count(lists[name] ?? []);
    known.set(name, counted);
    return counted;
  };
  const count = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => {
      const name = listNameOf(line);
      return sum + (name === undefined ? 1 : countList(name));
    }, 0);
  return count;
}

/** Checks that lists that name lists don't grow beyond all bounds. The names in them are known, and none contains itself. */
export function checkExpansion(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
): PackProblem[] {
  const problems: PackProblem[] = [];
  const shared: Lists = Object.assign({}, ...words.map(({ value }) => value.phrases));
  let all = 0;
  for (const { file, value, source } of rules) {
    const count = createCounter({ ...shared, ...value.phrases });
    for (const { kind, path, lines } of listsOf(value)) {
      if (kind !== "phrases" || path[0] === "phrases") continue;
      const phrases = count(lines);
      const isOver = all <= MAX_ALL && all + phrases > MAX_ALL;
      all += phrases;
      const bound = phrases > MAX_PHRASES ? MAX_PHRASES : MAX_ALL;
      if (phrases <= MAX_PHRASES && !isOver) continue;
      const of = bound === MAX_ALL ? " in all rules together" : "";
      const message = `${value.id}: ${path.join(".")}: expected at most ${bound} phrases${of}, lists included`;
      problems.push({ file, ...source.placeOfKey(path), message });
    }
  }
  return problems;
}
