import { elements, phraseNeeds, phraseSteps, type Element, type Row } from "./elements.ts";
import { toLists, type Lists } from "./lists.ts";
import { isLiteral, LiteralTree } from "./literals.ts";
import { vocabulary, type WordId } from "./vocabulary.ts";

/**
 * The elements and phrases as rows of numbers, because a text asks for thousands of them.
 *
 * A phrase is not there without the rarest element that it needs. So each word of a text tells its sentences to these
 * elements, and only for the phrases that need one of them anything else is asked. Elements of many words are told as
 * well: a text has few of them.
 */
export interface Tables {
  /** What these tables were made of. */
  readonly madeOf: Extent;
  /** Number of each element by its id, from 1 on; 0 if nobody asks for it but as a word of literal rows. */
  readonly numberOf: Int32Array;
  /** Numbers given, and 1. */
  readonly size: number;
  /** 1 for elements that texts tell of their words. */
  readonly isTold: Uint8Array;
  /** For each word the told elements that have it, also in a part of theirs. */
  readonly toldOfWord: Lists;
  /** For each element the told elements that it is, or is a part of. */
  readonly toldOf: Lists;
  /** The told elements that have numbers of the same classes. */
  readonly toldOfNumbers: readonly { readonly classes: number; readonly elements: Lists }[];
  /** The words of each element that is not told. */
  readonly wordsOf: Lists;
  /** The classes of numbers of each element, as bits. */
  readonly numbersOf: Uint8Array;
  /** The parts of each element. */
  readonly partsOf: Lists;
  /** The rows of words one behind the other. */
  readonly literals: LiteralTree;
  /** The other rows, in the order of the elements that they make. */
  readonly loose: readonly Row[];
  /** The element that each is a row of: with a higher number than all that it needs. */
  readonly looseOwners: Int32Array;
  /** The loose rows of each element. */
  readonly looseOf: Lists;
  /** The elements that each loose row needs, the rarest first, which is told. */
  readonly looseNeeds: Lists;
  /** The elements that each phrase needs, the rarest first, which is told. */
  readonly phraseNeeds: Lists;
  /** The first of these. */
  readonly rarestOfPhrase: Int32Array;
}

interface Extent {
  readonly elements: number;
  readonly phrases: number;
  readonly vocabulary: number;
}

/** Words from which on a text tells an element of them. */
const WIDE = 8;

/** Gives the elements that are asked for, in the order of their ids: what phrases and loose rows name, and parts. */
function findAsked(): readonly Element[] {
  const isAsked = new Uint8Array(elements.length);
  for (const steps of phraseSteps) for (const { element } of steps) isAsked[element.id] = 1;
  // What an element is made of has a lower number.
  for (const { id, parts, rows } of elements.toReversed()) {
    if (isAsked[id] !== 1) continue;
    for (const part of parts) isAsked[part.id] = 1;
    for (const row of rows)
      if (!isLiteral(row)) for (const { element } of row.steps) isAsked[element.id] = 1;
  }
  return elements.filter(({ id }) => isAsked[id] === 1);
}

/** Gives an element with its parts, their parts and so on. */
function withParts(element: Element, found = new Set<Element>()): ReadonlySet<Element> {
  found.add(element);
  for (const part of element.parts) if (!found.has(part)) withParts(part, found);
  return found;
}

/** An element that texts tell of its words. */
interface Told {
  readonly number: number;
  /** The element and its parts. */
  readonly all: readonly Element[];
  readonly words: readonly WordId[];
}

function groupByNumbers(told: readonly Told[]): Tables["toldOfNumbers"] {
  const groups = new Map<number, number[]>();
  for (const { number, all } of told) {
    const classes = all.reduce((sum, { numbers }) => sum | numbers, 0);
    if (classes !== 0) groups.set(classes, [...(groups.get(classes) ?? []), number]);
  }
  return Array.from(groups, ([classes, group]) => ({
    classes,
    elements: toLists(1, (add) => {
      for (const number of group) add(0, number);
    }),
  }));
}

function makeTables(madeOf: Extent): Tables {
  const asked = findAsked();
  const size = asked.length + 1;
  const numberOf = new Int32Array(elements.length);
  for (const [index, { id }] of asked.entries()) numberOf[id] = index + 1;
  const toNumber = ({ id }: Element): number => numberOf[id] ?? 0;
  const loose = asked.flatMap((owner) =>
    owner.rows.filter((row) => !isLiteral(row)).map((row) => ({ owner: toNumber(owner), row })),
  );
  const toNeeds = (rows: readonly (readonly Element[])[]): Lists =>
    toLists(rows.length, (add) => {
      for (const [index, needed] of rows.entries())
        for (const element of needed) add(index, toNumber(element));
    });
  const rarest = new Set(
    [...phraseNeeds, ...loose.map(({ row }) => row.needed)].map(([first]) => first),
  );
  const told = asked.flatMap((element): Told[] => {
    const number = toNumber(element);
    const all = [...withParts(element)];
    const words =
      element.parts.length === 0 ? element.words : [...new Set(all.flatMap((one) => one.words))];
    return rarest.has(element) || words.length >= WIDE ? [{ number, all, words }] : [];
  });
  const isTold = new Uint8Array(size);
  for (const { number } of told) isTold[number] = 1;
  return {
    madeOf,
    numberOf,
    size,
    isTold,
    toldOfWord: toLists(vocabulary.size, (add) => {
      for (const { number, words } of told) for (const word of words) add(word, number);
    }),
    toldOf: toLists(size, (add) => {
      for (const { number, all } of told) for (const one of all) add(toNumber(one), number);
    }),
    toldOfNumbers: groupByNumbers(told),
    wordsOf: toLists(size, (add) => {
      for (const element of asked)
        if (isTold[toNumber(element)] !== 1)
          for (const word of element.words) add(toNumber(element), word);
    }),
    numbersOf: Uint8Array.of(0, ...asked.map(({ numbers }) => numbers)),
    partsOf: toLists(size, (add) => {
      for (const element of asked)
        for (const part of element.parts) add(toNumber(element), toNumber(part));
    }),
    literals: new LiteralTree(
      asked.map((owner) => ({ owner: toNumber(owner), rows: owner.rows.filter(isLiteral) })),
    ),
    loose: loose.map(({ row }) => row),
    looseOwners: Int32Array.from(loose, ({ owner }) => owner),
    looseOf: toLists(size, (add) => {
      for (const [index, { owner }] of loose.entries()) add(owner, index);
    }),
    looseNeeds: toNeeds(loose.map(({ row }) => row.needed)),
    phraseNeeds: toNeeds(phraseNeeds),
    rarestOfPhrase: Int32Array.from(phraseNeeds, ([first]) => (first ? toNumber(first) : 0)),
  };
}

let tables: Tables | undefined;

/** Gives the tables of what has been read so far. */
export function currentTables(): Tables {
  const extent = {
    elements: elements.length,
    phrases: phraseNeeds.length,
    vocabulary: vocabulary.size,
  };
  const known = tables?.madeOf;
  if (
    !tables ||
    known?.elements !== extent.elements ||
    known.phrases !== extent.phrases ||
    known.vocabulary !== extent.vocabulary
  )
    tables = makeTables(extent);
  return tables;
}
