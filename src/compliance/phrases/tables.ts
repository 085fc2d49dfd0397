import {
  elements,
  phraseLists,
  phraseNeeds,
  phraseSteps,
  type Element,
  type PhraseList,
  type Row,
} from "./elements.ts";
import { toLists, type Lists } from "./lists.ts";
import { LITERAL_ROOT, LiteralTree, type LiteralNode, type Term } from "./literals.ts";
import type { Steps } from "./stepwise.ts";
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

/** How much had been read. */
export interface Extent {
  readonly elements: number;
  readonly phrases: number;
  readonly phraseLists: number;
  readonly vocabulary: number;
}

/** Rows between two places to stop at. */
const ROWS_PER_STEP = 200;
/** Elements with parts between two of them. */
const ELEMENTS_PER_STEP = 50;
/** Of those that only a look is taken at. */
const LOOKS_PER_STEP = 1000;

/** Marks the elements that phrases name. */
function* markNamed(isAsked: Uint8Array): Steps<void> {
  for (const [index, steps] of phraseSteps.entries()) {
    for (const { element } of steps) isAsked[element.id] = 1;
    if (index % LOOKS_PER_STEP === 0) yield;
  }
}

/** Gives the elements that are asked for, in the order of their ids: what phrases and loose rows name, and parts. */
function* findAsked(): Steps<readonly Element[]> {
  const isAsked = new Uint8Array(elements.length);
  yield* markNamed(isAsked);
  let looks = 0;
  // What an element is made of has a lower number.
  for (let at = isAsked.length - 1; at >= 0; at--) {
    if (++looks % LOOKS_PER_STEP === 0) yield;
    const element = elements[at];
    if (!element || isAsked[at] !== 1) continue;
    for (const part of element.parts) isAsked[part.id] = 1;
    for (const row of element.rows) {
      if (++looks % LOOKS_PER_STEP === 0) yield;
      if (!row.isLiteral) for (const { element: inside } of row.steps) isAsked[inside.id] = 1;
    }
  }
  return elements.filter(({ id }) => isAsked[id] === 1);
}

/** A row that is more than words one behind the other, and the number of the element that it makes. */
interface LooseRow {
  readonly owner: number;
  readonly row: Row;
}

function* findLoose(asked: readonly Element[], toNumber: ToNumber): Steps<readonly LooseRow[]> {
  const loose: LooseRow[] = [];
  for (const [index, element] of asked.entries()) {
    const owner = toNumber(element);
    for (const row of element.rows) if (!row.isLiteral) loose.push({ owner, row });
    if (index % LOOKS_PER_STEP === 0) yield;
  }
  return loose;
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
function* addTerms(
  asked: readonly Element[],
  literals: LiteralTree,
): Steps<ReadonlyMap<Element, readonly Term[]>> {
  const terms = new Map<Element, readonly Term[]>();
  let rows = 0;
  for (const element of asked) {
    const own = [...element.words];
    for (const row of element.rows) {
      if (row.isLiteral) literals.add(row, own);
      if (++rows % ROWS_PER_STEP === 0) yield;
    }
    terms.set(element, own);
  }
  return terms;
}

type ToNumber = (element: Element) => number;
type TermsOf = (element: Element) => readonly Term[];

/** Gives each element with what it has together with its parts. */
function* toWholes(
  asked: readonly Element[],
  toNumber: ToNumber,
  termsOf: TermsOf,
): Steps<readonly Whole[]> {
  const wholes: Whole[] = [];
  for (const element of asked) {
    const number = toNumber(element);
    if (element.parts.length === 0)
      wholes.push({ number, all: [element], terms: termsOf(element) });
    else {
      const all = [...withParts(element)];
      wholes.push({ number, all, terms: [...new Set(all.flatMap(termsOf))] });
    }
    if (number % ELEMENTS_PER_STEP === 0) yield;
  }
  return wholes;
}

/** Gives what each of some rows needs. */
function listNeeds(needs: readonly (readonly Element[])[], toNumber: ToNumber): Steps<Lists> {
  return toLists(needs.length, needs, (needed, add, row) => {
    for (const element of needed) add(row, toNumber(element));
  });
}

/** Gives what the phrases of each list need. */
function listListedNeeds(lists: readonly PhraseList[], toNumber: ToNumber): Steps<Lists> {
  return toLists(lists.length, lists, ({ phrases }, add, list) => {
    for (const phrase of phrases) {
      const needed = phraseNeeds[phrase] ?? [];
      add(list, needed.length);
      for (const element of needed) add(list, toNumber(element));
    }
  });
}

/** Makes tables of what has been read, a part at each step. */
export function* makeTables(madeOf: Extent): Steps<Tables> {
  const asked = yield* findAsked();
  yield;
  const size = asked.length + 1;
  const numberOf = new Int32Array(elements.length);
  for (const [index, { id }] of asked.entries()) numberOf[id] = index + 1;
  const toNumber: ToNumber = ({ id }) => numberOf[id] ?? 0;
  yield;
  const loose = yield* findLoose(asked, toNumber);
  const literals = new LiteralTree(vocabulary.size);
  const terms = yield* addTerms(asked, literals);
  const termsOf: TermsOf = (element) => terms.get(element) ?? [];
  const wholes = yield* toWholes(asked, toNumber, termsOf);
  const lists = phraseLists.slice();
  yield;
  const literalStarts = Int32Array.from({ length: vocabulary.size }, (_, word): LiteralNode =>
    literals.next(LITERAL_ROOT, word),
  );
  yield;
  const ofNumbers = groupByNumbers(wholes);
  yield;
  return {
    madeOf,
    numberOf,
    size,
    ofTerm: yield* toLists(literals.termCount, wholes, (whole, add) => {
      for (const term of whole.terms) add(term, whole.number);
    }),
    ofNumbers,
    wholesOf: yield* toLists(size, wholes, ({ number, all }, add) => {
      for (const one of all) add(toNumber(one), number);
    }),
    termsOf: yield* toLists(size, asked, (element, add) => {
      for (const term of termsOf(element)) add(toNumber(element), term);
    }),
    literals,
    literalStarts,
    loose: loose.map(({ row }) => row),
    looseOwners: Int32Array.from(loose, ({ owner }) => owner),
    looseOf: yield* toLists(size, loose, ({ owner }, add, index) => add(owner, index)),
    looseNeeds: yield* listNeeds(
      loose.map(({ row }) => row.needed),
      toNumber,
    ),
    looseRarest: Int32Array.from(loose, ({ row: { needed } }) =>
      needed[0] ? toNumber(needed[0]) : 0,
    ),
    phraseNeeds: yield* listNeeds(phraseNeeds.slice(), toNumber),
    listedNeeds: yield* listListedNeeds(lists, toNumber),
    withinOfList: Uint8Array.from(lists, ({ within }) => within),
  };
}
