import type { Element, Row } from "./elements.ts";
import { checkCount, emptyLists, toLists } from "./packed-lists.ts";
import type { Phrase } from "./phrase-graph.ts";
import type { PhraseTables } from "./phrase-tables.ts";

/** Elements with more terms have a mark: to look for each term costs more than to collect those that are there. */
const MAX_SEARCHED_TERMS = 16;

/** Returns the terms of an element alone. */
export type TermsOf = (element: Element) => readonly number[];

/** Terms and classes of numbers of which a text has at least one wherever an element stands. */
interface Triggers {
  readonly terms: ReadonlySet<number>;
  readonly numbers: number;
  /** Whether the element stands wherever one of the terms does, and nowhere else. */
  readonly isExact: boolean;
}

/** Returns the alternatives of several places that are more than literals. */
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
  | "keysOfNeeds"
  | "keyOfRow"
  | "markListOfTerm"
  | "markLists"
  | "keysOfNumbers"
  | "classesOfKeys"
  | "exactKeyCount"
  | "markCount"
> {
  /** Returns the mark of an element, 0 for none. */
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

/** Finds what must have a key: all that phrases need with which groups match, and the rarest element of each row. */
function findKeys({ asked, matching, termsOf }: Markable): ReadonlyMap<Element, Triggers> {
  const known = new Map<Element, Triggers>();
  const keys = new Map<Element, Triggers>();
  for (const { needed } of matching)
    for (const element of needed) keys.set(element, findTriggers(element, termsOf, known));
  for (const { needed } of asked.flatMap(looseRowsOf)) {
    const [rarest] = needed;
    if (rarest) keys.set(rarest, findTriggers(rarest, termsOf, known));
  }
  return keys;
}

/** Writes each list once: half of all terms share theirs, and what a text reads of them must fit a small cache. */
function shareLists(
  marksOfTerm: readonly (readonly number[])[],
): Pick<Marks, "markListOfTerm" | "markLists"> {
  const numbers = new Map<string, number>();
  const lists: (readonly number[])[] = [];
  const markListOfTerm = Uint16Array.from(marksOfTerm, (marks) => {
    const key = marks.join();
    const number = numbers.get(key) ?? lists.push(marks) - 1;
    numbers.set(key, number);
    return number;
  });
  return { markListOfTerm, markLists: toLists(lists) };
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
    keysOfNeeds: Uint16Array.from(
      phrases.flatMap(({ needed }) => needed.map((element) => keys.get(element) ?? 0)),
    ),
    keyOfRow: Uint16Array.from(rows, keyOf),
    ...shareLists(marksOfTerm),
    keysOfNumbers: Uint16Array.from(numbered, ({ key }) => key),
    classesOfKeys: Uint8Array.from(numbered, ({ numbers }) => numbers),
    exactKeyCount: exact.length,
    markCount,
    markOf: (element) => markOfElement.get(element) ?? 0,
  };
}
