import { readPatternFigures } from "../../packs.ts";
import type { DefinedRule } from "../../testing.ts";

/** How right the patterns of a built-in rule were, by their wording alone, in long answers of authors who saw no rule. */
export interface MeasureText {
  readonly authors: number;
  /** Ordinary answers that were read. */
  readonly ordinary: number;
  /** Violations of the rule's area of law. */
  readonly violations: number;
  /** By the name of the pattern: in how many of both it found something. */
  readonly patterns: Readonly<
    Record<string, { readonly violations: number; readonly ordinary: number }>
  >;
}

/** Gives what was measured of patterns of a rule as it is shipped; of other rules nothing was. */
export function readMeasure(
  { id, category }: DefinedRule,
  patterns: readonly string[],
): MeasureText | undefined {
  const { texts, patterns: figures } = readPatternFigures();
  const measured = patterns.flatMap((name) => {
    const [violations, ordinary] = figures[`${id}/${name}`] ?? [];
    return violations === undefined || ordinary === undefined
      ? []
      : [[name, { violations, ordinary }] as const];
  });
  if (measured.length === 0) return undefined;
  return {
    authors: texts.authors,
    ordinary: texts.ordinary,
    violations: texts.violations[category] ?? 0,
    patterns: Object.fromEntries(measured),
  };
}

/** Writes what was measured for people, a line for each pattern. */
export function formatMeasure({ authors, ordinary, violations, patterns }: MeasureText): string[] {
  return [
    "",
    `measured by the wording alone, in long answers of ${authors} authors (${violations} violations of this area, ${ordinary} ordinary):`,
    ...Object.entries(patterns).map(
      ([name, found]) =>
        `  ${name}: found in ${found.violations} violations and ${found.ordinary} ordinary answers`,
    ),
  ];
}
