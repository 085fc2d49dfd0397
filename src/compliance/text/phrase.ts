import { findAll, linear, type Range } from "./pattern.ts";

/** The next part of a phrase, and how far behind the part before it may begin, in UTF-16 units. */
type Step = readonly [reach: number, part: RegExp];

/** Words that follow each other within a clause. */
export interface Phrase {
  readonly first: RegExp;
  readonly steps: readonly Step[];
}

/** Phrases of one meaning, under the name of the pattern in findings. */
export type NamedPhrases = readonly [pattern: string, phrases: readonly Phrase[]];

const CLAUSE_END = linear(/[;:]/);
/** Longest part behind a gap. */
const MAX_PART_LENGTH = 48;

function toPart(source: string): RegExp {
  return linear(new RegExp(source, "gi"));
}

/**
 * Makes a phrase of parts with gaps between them.
 *
 * The gaps are measured here and not written into one expression (`a.{0,40}b`): each part alone is linear and can
 * be proved so, whereas gaps multiply.
 *
 * @param rest - Reach and part, in turn.
 */
export function phrase(
  first: string,
  ...rest: readonly (readonly [reach: number, part: string])[]
): Phrase {
  return { first: toPart(first), steps: rest.map(([reach, part]) => [reach, toPart(part)]) };
}

/** Gives the end of the last part, or `undefined` if a part is missing. */
function followSteps(sentence: string, end: number, steps: readonly Step[]): number | undefined {
  const [step, ...others] = steps;
  if (!step) return end;
  const [reach, part] = step;
  const window = sentence.slice(end, end + reach + MAX_PART_LENGTH);
  const clauseEnd = window.search(CLAUSE_END);
  for (const match of findAll(part, clauseEnd < 0 ? window : window.slice(0, clauseEnd))) {
    if (match.start > reach) break;
    const last = followSteps(sentence, end + match.end, others);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** Finds the first phrase, in their given order, whose place in the sentence passes. */
export function findPhrase(
  named: readonly NamedPhrases[],
  sentence: string,
  passes: (range: Range, pattern: string) => boolean,
): { pattern: string; range: Range } | undefined {
  for (const [pattern, phrases] of named) {
    for (const { first, steps } of phrases) {
      for (const { start, end } of findAll(first, sentence)) {
        const last = followSteps(sentence, end, steps);
        if (last !== undefined && passes({ start, end: last }, pattern)) {
          return { pattern, range: { start, end: last } };
        }
      }
    }
  }
  return undefined;
}
