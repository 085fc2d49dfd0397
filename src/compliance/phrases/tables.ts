import {
  elements,
  phraseLists,
  phraseNeeds,
  phraseSteps,
  type Element,
  type Row,
} from "./elements.ts";
import { toLists, type Lists } from "./lists.ts";
import { LITERAL_ROOT, LiteralTree, type LiteralNode, type Term } from "./literals.ts";
import { vocabulary } from "./vocabulary.ts";

/**
 * The elements and phrases as rows of numbers, because a text asks for thousands of them.
 *
 * Each word and each literal row of a text, a term, tells its sentences to the elements that have it, and each other
 * row to the element that it makes.
 * What belongs to a list of some kind stands in `Lists`.
 */
export interface Tables {
  /** What these tables were made of. */
  readonly madeOf: Extent;
  /** Number of each element by its id, from 1 on; 0 if nobody asks for it but as a word of literal rows. */
  readonly numberOf: Int32Array;
  /** Numbers given, and 1. */
  readonly size: number;
  /** For each term the elements that have it, also in a part of theirs. */
  readonly ofTerm: Lists;
  /** The elements that have numbers, by the classes of these. */
  readonly ofNumbers: readonly { readonly classes: number; readonly elements: Int32Array }[];
  /** For each element those that it is, or is a part of. */
  readonly wholesOf: Lists;
  /** The terms of each element. */
  readonly termsOf: Lists;
  /** The rows of words one behind the other. */
  readonly literals: LiteralTree;
  /** The node of these that each word leads to from the root. */
  readonly literalStarts: Int32Array;
  /** The other rows, in the order of the elements that they make. */
  readonly loose: readonly Row[];
  /** The element that each makes: with a higher number than all that it needs. */
  readonly looseOwners: Int32Array;
  /** The loose rows of each element. */
  readonly looseOf: Lists;
  /** The elements that each loose row needs, the rarest first. */
  readonly looseNeeds: Lists;
  /** The first of these. */
  readonly looseRarest: Int32Array;
  /** The elements that each phrase needs, the rarest first. */
  readonly phraseNeeds: Lists;
  /**
   * What the phrases of each list need, one behind the other, because memory is read in this order: how many
   * elements, and these.
   */
  readonly listedNeeds: Lists;
  /** For each list the neighbouring sentences over which a passage may spread. */
  readonly withinOfList: Uint8Array;
}

interface Extent {
  readonly elements: number;
  readonly phrases: number;
  readonly phraseLists: number;
  readonly vocabulary: number;
}

/** Gives the elements that are asked for, in the order of their ids: what phrases and loose rows name, and parts. */
function findAsked(): readonly Element[] {
  const isAsked = new Uint8Array(elements.length);
  for (const steps of phraseSteps) for (const { element } of steps) isAsked[element.id] = 1;
  // What an element is made of has a lower number.
  for (const { id, parts, rows } of elements.toReversed()) {
    if (isAsked[id] !== 1) continue;
    for (const part of parts) isAsked[part.id] = 1;
    for (const row of rows)
      if (!row.isLiteral) for (const { element } of row.steps) isAsked[element.id] = 1;
  }
  return elements.filter(({ id }) => isAsked[id] === 1);
}

/** Gives an element with its parts, their parts and so on. */
function withParts(element: Element, found = new Set<Element>()): ReadonlySet<Element> {
  found.add(element);
  for (const part of element.parts) if (!found.has(part)) withParts(part, found);
  return found;
}

/** An element, and what it has together with its parts. */
interface Whole {
  readonly number: number;
  readonly all: readonly Element[];
  readonly terms: readonly Term[];
}

function groupByNumbers(wholes: readonly Whole[]): Tables["ofNumbers"] {
  const groups = new Map<number, number[]>();
  for (const { number, all } of wholes) {
    const classes = all.reduce((sum, { numbers }) => sum | numbers, 0);
    const group = groups.get(classes);
    if (group) group.push(number);
    else if (classes !== 0) groups.set(classes, [number]);
  }
  return Array.from(groups, ([classes, group]) => ({ classes, elements: Int32Array.from(group) }));
}

/** Gives the terms of each element, whose literal rows it adds to the tree. */
function addTerms(asked: readonly Element[], literals: LiteralTree): Map<Element, Term[]> {
  const terms = new Map<Element, Term[]>();
  for (const element of asked) {
    const own = [...element.words];
    for (const row of element.rows) if (row.isLiteral) literals.add(row, own);
    terms.set(element, own);
  }
  return terms;
}

/** Gives what the phrases of each list need. */
function listNeeds(toNumber: (element: Element) => number): Lists {
  return toLists(phraseLists.length, (add) => {
    for (const [list, { phrases }] of phraseLists.entries()) {
      for (const phrase of phrases) {
        const needed = phraseNeeds[phrase] ?? [];
        add(list, needed.length);
        for (const element of needed) add(list, toNumber(element));
      }
    }
  });
}

function makeTables(madeOf: Extent): Tables {
  const asked = findAsked();
  const size = asked.length + 1;
  const numberOf = new Int32Array(elements.length);
  for (const [index, { id }] of asked.entries()) numberOf[id] = index + 1;
  const toNumber = ({ id }: Element): number => numberOf[id] ?? 0;
  const loose = asked.flatMap((owner) =>
    owner.rows.filter((row) => !row.isLiteral).map((row) => ({ owner: toNumber(owner), row })),
  );
  const toNeeds = (rows: readonly (readonly Element[])[]): Lists =>
    toLists(rows.length, (add) => {
      for (const [index, needed] of rows.entries())
        for (const element of needed) add(index, toNumber(element));
    });
  const literals = new LiteralTree(vocabulary.size);
  const terms = addTerms(asked, literals);
  const termsOf = (element: Element): readonly Term[] => terms.get(element) ?? [];
  const wholes = asked.map((element): Whole => {
    const number = toNumber(element);
    if (element.parts.length === 0) return { number, all: [element], terms: termsOf(element) };
    const all = [...withParts(element)];
    return { number, all, terms: [...new Set(all.flatMap(termsOf))] };
  });
  return {
    madeOf,
    numberOf,
    size,
    ofTerm: toLists(literals.termCount, (add) => {
      for (const whole of wholes) for (const term of whole.terms) add(term, whole.number);
    }),
    ofNumbers: groupByNumbers(wholes),
    wholesOf: toLists(size, (add) => {
      for (const { number, all } of wholes) for (const one of all) add(toNumber(one), number);
    }),
    termsOf: toLists(size, (add) => {
      for (const element of asked)
        for (const term of termsOf(element)) add(toNumber(element), term);
    }),
    literals,
    literalStarts: Int32Array.from({ length: vocabulary.size }, (_, word): LiteralNode =>
      literals.next(LITERAL_ROOT, word),
    ),
    loose: loose.map(({ row }) => row),
    looseOwners: Int32Array.from(loose, ({ owner }) => owner),
    looseOf: toLists(size, (add) => {
      for (const [index, { owner }] of loose.entries()) add(owner, index);
    }),
    looseNeeds: toNeeds(loose.map(({ row }) => row.needed)),
    looseRarest: Int32Array.from(loose, ({ row: { needed } }) =>
      needed[0] ? toNumber(needed[0]) : 0,
    ),
    phraseNeeds: toNeeds(phraseNeeds),
    listedNeeds: listNeeds(toNumber),
    withinOfList: Uint8Array.from(phraseLists, ({ within }) => within),
  };
}

let tables: Tables | undefined;

/** Tells whether nothing has been read since. Every text asks, so no object is made for it. */
function isCurrent({ madeOf }: Tables): boolean {
  return (
    madeOf.elements === elements.length &&
    madeOf.phrases === phraseNeeds.length &&
    madeOf.phraseLists === phraseLists.length &&
    madeOf.vocabulary === vocabulary.size
  );
}

/** Gives the tables of what has been read so far. */
export function currentTables(): Tables {
  if (!tables || !isCurrent(tables))
    tables = makeTables({
      elements: elements.length,
      phrases: phraseNeeds.length,
      phraseLists: phraseLists.length,
      vocabulary: vocabulary.size,
    });
  return tables;
}
