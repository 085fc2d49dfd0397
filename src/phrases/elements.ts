import type { WordId } from "./vocabulary-builder.ts";

/** One place in a phrase, as the compiler reads it: the words, numbers and word groups that may stand there. */
export interface Element {
  readonly id: number;
  readonly words: readonly WordId[];
  /** Bits of the classes of numbers that may stand here. */
  readonly numbers: number;
  /** Other elements that may stand here, shared with the phrases that name them as well. */
  readonly parts: readonly Element[];
  /** Alternatives of several places. */
  readonly rows: readonly Row[];
  /** About how many of a thousand sentences have it: a phrase is given up at its rarest element first. */
  readonly breadth: number;
}

/** An element in its place behind the one before. */
export interface Step {
  readonly element: Element;
  /** Words that may stand in between. */
  readonly gap: number;
  readonly isOptional: boolean;
}

/** Steps in their order. */
export interface Row {
  readonly steps: readonly Step[];
  /** Elements that every match must contain, rarest first. */
  readonly needed: readonly Element[];
  /** Whether it is nothing but words one behind the other, as most are, and few enough to write out. */
  readonly isLiteral: boolean;
  /** Whether it matches only where a sentence starts. */
  readonly isAtStart: boolean;
}

/** Ways to write a row out beyond which it is not worth the room. */
const MAX_SPELLINGS = 64;

function isLiteral(steps: readonly Step[]): boolean {
  let spellings = 1;
  for (const { element, gap, isOptional } of steps) {
    const { words, numbers, parts, rows } = element;
    if (gap > 0 || isOptional || numbers !== 0 || parts.length > 0 || rows.length > 0) return false;
    spellings *= words.length;
  }
  return spellings > 0 && spellings <= MAX_SPELLINGS;
}

/** Makes a row of steps. */
export function createRow(steps: readonly Step[], isAtStart = false): Row {
  const needed: Element[] = [];
  for (const { element, isOptional } of steps)
    if (!isOptional && !needed.includes(element)) needed.push(element);
  needed.sort((one, other) => one.breadth - other.breadth);
  return { steps, needed, isLiteral: isLiteral(steps), isAtStart };
}
