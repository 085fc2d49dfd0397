import type { Element, Row, Step } from "./elements.ts";
import { LiteralTrieBuilder } from "./literal-trie.ts";
import { checkCount, toLists } from "./packed-lists.ts";
import { looseRowsOf, packMarks, type TermsOf } from "./marks.ts";
import type { Phrase, PhraseGraph } from "./phrase-graph.ts";
import {
  ELEMENT_HEAD_LENGTH,
  GAP_SHIFT,
  OPTIONAL_STEP,
  PHRASE_KINDS,
  type GroupInfo,
  type PhraseTables,
} from "./phrase-tables.ts";
import { toSpellingTables } from "./spelling-table.ts";
import type { WordId } from "./vocabulary-builder.ts";

/** A group whose phrases have been read. */
export interface ReadGroup {
  readonly info: GroupInfo;
  readonly phrases: Readonly<Record<(typeof PHRASE_KINDS)[number], readonly Phrase[]>>;
}

const byNumber = (one: number, other: number): number => one - other;

/** Returns the elements that texts are asked for, in the order of their ids: what chains and loose rows name, and parts. */
function findAsked({ elements }: PhraseGraph, chains: readonly Row[]): readonly Element[] {
  const isAsked = new Uint8Array(elements.length);
  const mark = ({ steps }: Row): void => {
    for (const { element } of steps) isAsked[element.id] = 1;
  };
  chains.forEach(mark);
  // An element is made of elements with lower ids.
  for (const element of elements.toReversed()) {
    if (isAsked[element.id] !== 1) continue;
    for (const part of element.parts) isAsked[part.id] = 1;
    looseRowsOf(element).forEach(mark);
  }
  return elements.filter(({ id }) => isAsked[id] === 1);
}

/** Returns every way to write a literal row out. */
function spell({ steps }: Row): readonly (readonly WordId[])[] {
  let spelt: WordId[][] = [[]];
  for (const { element } of steps)
    spelt = spelt.flatMap((words) => element.words.map((word) => [...words, word]));
  return spelt;
}

/** Numbers the literals of some elements behind the words. */
function packLiterals(asked: readonly Element[], words: number) {
  const trie = new LiteralTrieBuilder();
  const nodes = new Map(
    asked.map((element) => {
      const literals = element.rows.filter((row) => row.isLiteral).flatMap(spell);
      return [element, literals.map((literal) => trie.add(literal))];
    }),
  );
  const tables = trie.finish(words);
  const termCount = words + tables.literalWords.length;
  checkCount("words and literals", termCount);
  const termsOf: TermsOf = (element) => {
    const literals = (nodes.get(element) ?? []).map(({ number }) => words + number);
    return [...new Set([...element.words, ...literals])].toSorted(byNumber);
  };
  return { tables, termCount, termsOf };
}

const packStep = ({ gap, isOptional }: Step): number =>
  (gap << GAP_SHIFT) | (isOptional ? OPTIONAL_STEP : 0);

/** An element of which there is nothing. */
const NOTHING: readonly number[] = Array.from({ length: ELEMENT_HEAD_LENGTH }, () => 0);

type RowTables = Pick<PhraseTables, "stepsOfRow" | "needsOfRow" | "startsSentence">;

function packRows(rows: readonly Row[], toNumber: (element: Element) => number): RowTables {
  const toItems = ({ steps }: Row): number[] =>
    steps.flatMap((step) => [toNumber(step.element), packStep(step)]);
  return {
    stepsOfRow: toLists(rows.map(toItems)),
    needsOfRow: toLists(rows.map(({ needed }) => needed.map(toNumber))),
    startsSentence: Uint8Array.from(rows, ({ isAtStart }) => (isAtStart ? 1 : 0)),
  };
}

/** Makes tables of all that has been read. */
export function packPhrases(graph: PhraseGraph, groups: readonly ReadGroup[]): PhraseTables {
  const { phrases, vocabulary } = graph;
  const chains = [...new Set(phrases.flatMap((phrase) => phrase.chains))];
  const asked = findAsked(graph, chains);
  const rows = [...asked.flatMap(looseRowsOf), ...chains];
  const numbers = new Map(asked.map((element, index) => [element, index + 1]));
  const rowNumbers = new Map(rows.map((row, index) => [row, index]));
  const toNumber = (element: Element): number => numbers.get(element) ?? 0;
  const toRow = (row: Row): number => rowNumbers.get(row) ?? 0;
  checkCount("elements", asked.length);
  checkCount("rows", rows.length);
  checkCount("phrases", phrases.length);
  const literals = packLiterals(asked, vocabulary.size);
  const matching = new Set(groups.flatMap((group) => group.phrases.match));
  const { markOf, ...marks } = packMarks({ asked, phrases, matching, rows, ...literals });
  const packElement = (element: Element): readonly number[] => {
    const parts = [...new Set(element.parts.map(toNumber))];
    const loose = looseRowsOf(element).map(toRow);
    const head = [markOf(element), element.numbers, parts.length, loose.length];
    return [...head, ...parts, ...loose, ...literals.termsOf(element)];
  };
  return {
    ...toSpellingTables(vocabulary),
    ...literals.tables,
    // Element 0 is none.
    elements: toLists([NOTHING, ...asked.map(packElement)]),
    ...packRows(rows, toNumber),
    chainsOfPhrase: toLists(phrases.map((phrase) => phrase.chains.map(toRow))),
    needsOfPhrase: toLists(phrases.map(({ needed }) => needed.map(toNumber))),
    phrasesOfGroup: toLists(
      groups.flatMap((group) =>
        PHRASE_KINDS.map((kind) => group.phrases[kind].map(({ id }) => id)),
      ),
    ),
    ...marks,
    groups: groups.map(({ info }) => info),
  };
}
