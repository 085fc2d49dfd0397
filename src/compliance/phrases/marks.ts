import type { Element, Row } from "./elements.ts";
import { checkCount, emptyLists, toLists } from "./lists.ts";
import type { Phrase } from "./phrase-graph.ts";
import type { PhraseTables } from "./phrase-tables.ts";

/** Elements with more terms have a mark: to look for each term costs more than to collect those that are there. */
const MAX_SEARCHED_TERMS = 16;

/** Gives the terms of an element alone. */
export type TermsOf = (element: Element) => readonly number[];

/** Terms and classes of numbers of which a text has at least one wherever an element stands. */
interface Triggers {
  readonly terms: ReadonlySet<number>;
  readonly numbers: number;
  /** Whether the element stands wherever one of the terms does, and nowhere else. */
  readonly isExact: boolean;
}

/** Gives the alternatives of several places that are more than literals. */
export const looseRowsOf = ({ rows }: Element): readonly Row[] =>
  rows.filter((row) => !row.isLiteral);

/** The triggers of an element are its own, those of its parts, and those of the rarest element of each row. */
function findTriggers(element: Element, termsOf: TermsOf, known: Map<Element, Triggers>): Triggers {
  const before = known.get(element);
  if (before) return before;
  const terms = new Set(termsOf(element));
  let { numbers } = element;
  const rows = looseRowsOf(element);
  let isExact = numbers === 0 && rows.length === 0;
  for (const inside of [...element.parts, ...rows.flatMap(({ needed }) => needed[0] ?? [])]) {
    const triggers = findTriggers(inside, termsOf, known);
    for (const term of triggers.terms) terms.add(term);
    numbers |= triggers.numbers;
    isExact &&= triggers.isExact;
  }
  const triggers = { terms, numbers, isExact };
  known.set(element, triggers);
  return triggers;
}

/** What is collected of a text before anything is looked for in it. */
interface Marks extends Pick<
  PhraseTables,
  | "keyOfPhrase"
  | "keyOfRow"
  | "marksOfTerm"
  | "keysOfNumbers"
  | "classesOfKeys"
  | "exactKeyCount"
  | "markCount"
> {
  /** Gives the mark of an element, 0 for none. */
  readonly markOf: (element: Element) => number;
}

/** What marks are made of. */
export interface Markable {
  /** The elements that have numbers, from 1 on in this order. */
  readonly asked: readonly Element[];
  readonly phrases: readonly Phrase[];
  /** The phrases that groups match with. */
  readonly matching: ReadonlySet<Phrase>;
  readonly rows: readonly Row[];
  readonly termsOf: TermsOf;
  readonly termCount: number;
}

/** Finds the rarest element of each phrase that a group matches with and of each row of an element. */
function findKeys({ asked, matching, termsOf }: Markable): ReadonlyMap<Element, Triggers> {
  const known = new Map<Element, Triggers>();
  const keys = new Map<Element, Triggers>();
  for (const { needed } of [...matching, ...asked.flatMap(looseRowsOf)]) {
    const [rarest] = needed;
    if (rarest) keys.set(rarest, findTriggers(rarest, termsOf, known));
  }
  return keys;
}

/** Makes the marks of a set of phrases. */
export function packMarks(given: Markable): Marks {
  const { asked, phrases, rows, termsOf, termCount } = given;
  const triggers = findKeys(given);
  const isExact = ([, found]: readonly [Element, Triggers]): boolean => found.isExact;
  const exact = [...triggers].filter(isExact);
  const sorted = [...exact, ...[...triggers].filter((key) => !isExact(key))];
  const keys = new Map(sorted.map(([element], index) => [element, index + 1]));
  const keyOf = ({ needed: [rarest] }: Pick<Row, "needed">): number =>
    (rarest && keys.get(rarest)) ?? 0;
  const marksOfTerm = emptyLists(termCount);
  for (const [index, [, { terms }]] of sorted.entries())
    for (const term of terms) marksOfTerm[term]?.push(index + 1);
  const markOfElement = new Map(exact.map(([element], index) => [element, index + 1]));
  let markCount = sorted.length;
  for (const element of asked) {
    const terms = termsOf(element);
    if (terms.length <= MAX_SEARCHED_TERMS || markOfElement.has(element)) continue;
    markOfElement.set(element, ++markCount);
    for (const term of terms) marksOfTerm[term]?.push(markCount);
  }
  checkCount("marks", markCount);
  const numbered = sorted
    .map(([, { numbers }], index) => ({ key: index + 1, numbers }))
    .filter(({ numbers }) => numbers !== 0);
  return {
    keyOfPhrase: Uint16Array.from(phrases, keyOf),
    keyOfRow: Uint16Array.from(rows, keyOf),
    marksOfTerm: toLists(marksOfTerm),
    keysOfNumbers: Uint16Array.from(numbered, ({ key }) => key),
    classesOfKeys: Uint8Array.from(numbered, ({ numbers }) => numbers),
    exactKeyCount: exact.length,
    markCount,
    markOf: (element) => markOfElement.get(element) ?? 0,
  };
}
