import type { WordId } from "./vocabulary.ts";

/** One place in a phrase: the words, numbers and word groups that may stand there. */
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
  /** Elements without which it is not there, the rarest first. */
  readonly needed: readonly Element[];
  /** Whether it is nothing but words one behind the other, as most are, and few enough to write out. */
  readonly isLiteral: boolean;
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

/** Rows are short and made by the thousand: a sort that calls back is dear. */
function insertByBreadth(sorted: Element[], element: Element): void {
  let at = sorted.length;
  for (; at > 0; at--) {
    const before = sorted[at - 1];
    if (!before || before.breadth <= element.breadth) break;
    sorted[at] = before;
  }
  sorted[at] = element;
}

/** Makes a row of steps. */
export function createRow(steps: readonly Step[]): Row {
  const needed: Element[] = [];
  for (const { element, isOptional } of steps)
    if (!isOptional && !needed.includes(element)) insertByBreadth(needed, element);
  return { steps, needed, isLiteral: isLiteral(steps) };
}

/** Every element made so far, by its id. */
export const elements: Element[] = [];

/** Makes an element. */
export function createElement(given: Omit<Element, "id">): Element {
  const { words, numbers, parts, rows, breadth } = given;
  const element = { id: elements.length, words, numbers, parts, rows, breadth };
  elements.push(element);
  return element;
}

/** Number of a phrase, by which texts tell whether it may be there. */
export type PhraseId = number;

/** The steps of each phrase. */
export const phraseSteps: (readonly Step[])[] = [];
/** What each phrase needs, the rarest element first. */
export const phraseNeeds: (readonly Element[])[] = [];

/** Numbers a phrase. */
export function registerPhrase(row: Row): PhraseId {
  phraseSteps.push(row.steps);
  phraseNeeds.push(row.needed);
  return phraseNeeds.length - 1;
}

/** Number of a list of phrases. */
export type PhraseListId = number;

/** Phrases that are asked for together. */
export interface PhraseList {
  readonly phrases: readonly PhraseId[];
  /** Neighbouring sentences over which a passage may spread. */
  readonly within: number;
}

/** Every list made so far, by its id. */
export const phraseLists: PhraseList[] = [];

/** Numbers a list of phrases. */
export function registerPhraseList(list: PhraseList): PhraseListId {
  phraseLists.push(list);
  return phraseLists.length - 1;
}
