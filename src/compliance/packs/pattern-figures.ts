import { PATTERN_FIGURES } from "./pattern-figures.generated.ts";

/** How many long answers of authors a pattern found something in, by its wording alone: without the second look. */
export interface PatternFigures {
  /** What was read. */
  readonly texts: {
    readonly authors: number;
    /** Ordinary answers. */
    readonly ordinary: number;
    /** Violations, by area of law. */
    readonly violations: Readonly<Record<string, number>>;
    /** SHA-256 of the texts, in hex. */
    readonly sha256: string;
  };
  /** By `<rule>/<pattern>`: violations of its area, and ordinary answers. */
  readonly patterns: Readonly<Record<string, readonly [right: number, alarms: number]>>;
}

/** Returns what `npm run accuracy -- --patterns --write` has measured. It is needed once: nothing is kept. */
export function readPatternFigures(): PatternFigures {
  return JSON.parse(PATTERN_FIGURES) as PatternFigures;
}
