import { elements, phraseNeeds, phraseSteps, type Element, type Row } from "./elements.ts";
import { vocabulary } from "./vocabulary.ts";

/**
 * The elements and phrases as rows of numbers, from the words up, because a text asks for thousands of them.
 *
 * What belongs to number `n` stands in the second list of each pair from `first[n]` up to `first[n + 1]`.
 */
export interface Tables {
  readonly elementCount: number;
  readonly vocabularySize: number;
  /** The elements that have a word among theirs, by the word; here and below without those that nobody looks for. */
  readonly ofWord: Lists;
  /** The elements that have numbers among theirs, and the classes of these. */
  readonly withNumbers: readonly { readonly id: number; readonly classes: number }[];
  /** The rows of all elements. */
  readonly rows: readonly Row[];
  /**
   * What may be told when an element is known, one behind the other, because memory is read in this order: an element
   * with a higher number, the number of its row plus one or 0 if the known element is a part of it, how many other
   * elements the row needs, and these. All of them are known by then.
   */
  readonly dependants: Lists;
  /** 1 for elements that others depend on. */
  readonly isAwaited: Uint8Array;
  /** The rarest element that each phrase needs. */
  readonly rarestOfPhrase: Int32Array;
  /** The elements that each phrase needs, the rarest first. */
  readonly phraseNeeds: Lists;
}

/** Lists of numbers, one behind the other. */
export interface Lists {
  readonly first: Int32Array;
  readonly items: Int32Array;
}

function toLists(lists: readonly (readonly number[])[]): Lists {
  const first = new Int32Array(lists.length + 1);
  for (const [index, { length }] of lists.entries())
    first[index + 1] = (first[index] ?? 0) + length;
  const items = new Int32Array(first[lists.length] ?? 0);
  for (const [index, list] of lists.entries()) items.set(list, first[index]);
  return { first, items };
}

/** Gives the elements that have each word. */
function invert(used: readonly Element[], wordCount: number): Lists {
  const ofWord: number[][] = Array.from({ length: wordCount }, () => []);
  for (const { id, words } of used) for (const word of words) ofWord[word]?.push(id);
  return toLists(ofWord);
}

/** Tells which elements phrases ask for, by themselves or as a part of others. */
function findUsed(): Uint8Array {
  const used = new Uint8Array(elements.length);
  for (const steps of phraseSteps) for (const { element } of steps) used[element.id] = 1;
  // What an element is made of has a lower number.
  for (const { id, parts, rows } of elements.toReversed()) {
    if (used[id] !== 1) continue;
    for (const part of parts) used[part.id] = 1;
    for (const { steps } of rows) for (const { element } of steps) used[element.id] = 1;
  }
  return used;
}

/** Whether nothing but words and numbers makes an element: it is known when the text has been read. */
const isLeaf = ({ parts, rows }: Element): boolean => parts.length === 0 && rows.length === 0;

/** Gives the need of a row behind which all others are known, the rarest if possible. */
function findLast(needed: readonly Element[]): number {
  const rarest = needed[0]?.id ?? 0;
  const composite = needed.filter((element) => !isLeaf(element)).map(({ id }) => id);
  return Math.max(...composite) > rarest ? Math.max(...composite) : rarest;
}

const toIds = (needed: readonly Element[]): number[] => needed.map(({ id }) => id);

/** Gives, for each element, what may be told once it is known; see `Tables.dependants`. */
function findDependants(used: readonly Element[], rows: readonly Row[]): readonly number[][] {
  const dependants: number[][] = elements.map(() => []);
  const rowNumbers = new Map(rows.map((row, index) => [row, index + 1]));
  for (const { id, parts, rows: own } of used) {
    for (const part of parts) dependants[part.id]?.push(id, 0, 0);
    for (const row of own) {
      const last = findLast(row.needed);
      const others = toIds(row.needed).filter((need) => need !== last);
      dependants[last]?.push(id, rowNumbers.get(row) ?? 0, others.length, ...others);
    }
  }
  return dependants;
}

function makeTables(): Tables {
  const isUsed = findUsed();
  const used = elements.filter(({ id }) => isUsed[id] === 1);
  const rows = used.flatMap((element) => element.rows);
  const dependants = findDependants(used, rows);
  return {
    elementCount: elements.length,
    vocabularySize: vocabulary.size,
    ofWord: invert(used, vocabulary.size),
    withNumbers: used
      .filter(({ numbers }) => numbers !== 0)
      .map(({ id, numbers }) => ({ id, classes: numbers })),
    rows,
    dependants: toLists(dependants),
    isAwaited: Uint8Array.from(dependants, ({ length }) => Math.min(length, 1)),
    rarestOfPhrase: Int32Array.from(phraseNeeds, ([rarest]) => rarest?.id ?? 0),
    phraseNeeds: toLists(phraseNeeds.map(toIds)),
  };
}

let tables: Tables | undefined;

/** Gives the tables of what has been read so far. */
export function currentTables(): Tables {
  if (
    tables?.elementCount !== elements.length ||
    tables.vocabularySize !== vocabulary.size ||
    tables.phraseNeeds.first.length !== phraseNeeds.length + 1
  )
    tables = makeTables();
  return tables;
}
