import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import type { PatternFigures } from "../../../src/compliance/packs/pattern-figures.ts";
import type { JudgedText } from "./judge.ts";
import type { PatternScore } from "./patterns.ts";
import { REPOSITORY } from "./places.ts";

// What `policy explain` and docs/rules.md show beside each pattern.
const PATTERN_FIGURES = join(REPOSITORY, "src/compliance/packs/pattern-figures.json");

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Sums up scores for every pattern that there is; one without a score found nothing. */
export function toPatternFigures(
  judged: readonly JudgedText[],
  scores: readonly PatternScore[],
  patterns: readonly string[],
): PatternFigures {
  const hash = createHash("sha256");
  for (const { text } of judged) hash.update(`${JSON.stringify(text)}\n`);
  const byPattern = new Map(scores.map((score) => [score.pattern, score]));
  return {
    texts: {
      authors: new Set(judged.map(({ text }) => text.author)).size,
      ordinary: judged.filter(({ text }) => text.label === "ok").length,
      violations: countBy(judged.flatMap(({ text }) => text.expectedCategory ?? [])),
      sha256: hash.digest("hex"),
    },
    patterns: Object.fromEntries(
      patterns.toSorted().map((pattern) => {
        const { recall, alarms } = byPattern.get(pattern) ?? {};
        return [pattern, [recall?.hits ?? 0, alarms?.hits ?? 0]] as const;
      }),
    ),
  };
}

/** Lists the patterns of the built-in rules. */
export function listPatterns(): string[] {
  return builtInRules.flatMap(({ patternIds }) => [...patternIds]);
}

/** Writes the figures, a pattern a line. */
export function writePatternFigures({ texts, patterns }: PatternFigures): void {
  const lines = Object.entries(patterns).map(
    ([pattern, [right, alarms]]) => `    "${pattern}": [${right}, ${alarms}]`,
  );
  const head = JSON.stringify(texts, null, 2).replaceAll("\n", "\n  ");
  writeFileSync(
    PATTERN_FIGURES,
    `{\n  "texts": ${head},\n  "patterns": {\n${lines.join(",\n")}\n  }\n}\n`,
  );
}
