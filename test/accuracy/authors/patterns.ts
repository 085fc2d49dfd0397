import { formatShare } from "../print.ts";
import { toShare, type Share } from "../score.ts";
import type { JudgedFinding, JudgedText } from "./judge.ts";

/** How right one pattern is, candidates included. */
export interface PatternScore {
  /** `<rule>/<pattern>` */
  readonly pattern: string;
  /** Of the texts in which it found something and which are known to be right or wrong, those that are right. */
  readonly precision: Share;
  /** Violations of its category in which it found something. */
  readonly recall: Share;
  /** Ordinary texts in which it found something. */
  readonly alarms: Share;
  /** Authors whose violations it found. */
  readonly authors: number;
}

interface Counts {
  category: string;
  alarms: number;
  right: number;
  authors: Set<string>;
}

/** Tells whether a finding is the one that was expected; where a passage is marked, it is on that. */
const isRight = ({ category, isOnPassage }: JudgedFinding, { text }: JudgedText): boolean =>
  category === text.expectedCategory && isOnPassage !== false;

function countIn(judged: JudgedText, counts: Map<string, Counts>): void {
  const { text, findings } = judged;
  const counted = new Set<string>();
  const telling =
    text.label === "ok" ? findings : findings.filter((finding) => isRight(finding, judged));
  for (const { rule, pattern = rule, alsoMatched = [], category } of telling)
    for (const name of [pattern, ...alsoMatched]) {
      if (counted.has(name)) continue;
      counted.add(name);
      const known = counts.get(name) ?? { category, alarms: 0, right: 0, authors: new Set() };
      counts.set(name, known);
      if (text.label === "ok") known.alarms++;
      else {
        known.right++;
        known.authors.add(text.author);
      }
    }
}

/** Scores every pattern that found something, the most alarming first. */
export function scorePatterns(texts: readonly JudgedText[]): PatternScore[] {
  const counts = new Map<string, Counts>();
  for (const judged of texts) countIn(judged, counts);
  const ordinary = texts.filter(({ text }) => text.label === "ok").length;
  const violationsOf = (category: string): number =>
    texts.filter(({ text }) => text.expectedCategory === category).length;
  return [...counts]
    .map(([pattern, { category, alarms, right, authors }]) => ({
      pattern,
      precision: toShare(right, right + alarms),
      recall: toShare(right, violationsOf(category)),
      alarms: toShare(alarms, ordinary),
      authors: authors.size,
    }))
    .toSorted(
      (one, other) => other.alarms.hits - one.alarms.hits || (one.pattern < other.pattern ? -1 : 1),
    );
}

/** Writes the scores of patterns, one a line. */
export function formatPatterns(scores: readonly PatternScore[]): string[] {
  return [
    "  patterns, by their wording alone (without the second look), candidates included",
    ...scores.map(
      ({ pattern, precision, recall, alarms, authors }) =>
        `  ${pattern}: precision ${formatShare(precision)}, recall ${recall.hits}/${recall.total}, ` +
        `alarms ${alarms.hits}/${alarms.total}, ${authors} authors`,
    ),
  ];
}
