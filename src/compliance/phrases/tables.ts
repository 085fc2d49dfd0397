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

/** Takes an item for a list, behind those before. */
type AddItem = (list: number, item: number) => void;

/** Makes lists of what is told, without a list of each in between; it is told twice, to be counted and to be kept. */
function toLists(count: number, tell: (add: AddItem) => void): Lists {
  const first = new Int32Array(count + 1);
  tell((list) => void (first[list + 1] = (first[list + 1] ?? 0) + 1));
  for (let list = 0; list < count; list++)
    first[list + 1] = (first[list + 1] ?? 0) + (first[list] ?? 0);
  const items = new Int32Array(first[count] ?? 0);
  const next = first.slice();
  tell((list, item) => {
    const at = next[list] ?? 0;
    items[at] = item;
    next[list] = at + 1;
  });
  return { first, items };
}

/** Tells the elements that have each word. */
function tellWords(used: readonly Element[], add: AddItem): void {
  for (const { id, words } of used) for (const word of words) add(word, id);
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
  let last = rarest;
  for (const element of needed) if (!isLeaf(element)) last = Math.max(last, element.id);
  return last;
}

/** Tells, for each element, what may be told once it is known; see `Tables.dependants`. */
function tellDependants(used: readonly Element[], add: AddItem): void {
  // Counts as `Tables.rows` does.
  let row = 0;
  for (const { id, parts, rows } of used) {
    for (const part of parts) {
      add(part.id, id);
      add(part.id, 0);
      add(part.id, 0);
    }
    for (const { needed } of rows) {
      row += 1;
      const last = findLast(needed);
      add(last, id);
      add(last, row);
      add(last, needed.length - 1);
      for (const need of needed) if (need.id !== last) add(last, need.id);
    }
  }
}

function makeTables(): Tables {
  const isUsed = findUsed();
  const used = elements.filter(({ id }) => isUsed[id] === 1);
  const rows = used.flatMap((element) => element.rows);
  const dependants = toLists(elements.length, (add) => tellDependants(used, add));
  return {
    elementCount: elements.length,
    vocabularySize: vocabulary.size,
    ofWord: toLists(vocabulary.size, (add) => tellWords(used, add)),
    withNumbers: used
      .filter(({ numbers }) => numbers !== 0)
      .map(({ id, numbers }) => ({ id, classes: numbers })),
    rows,
    dependants,
    isAwaited: Uint8Array.from(elements, ({ id }) =>
      dependants.first[id] === dependants.first[id + 1] ? 0 : 1,
    ),
    rarestOfPhrase: Int32Array.from(phraseNeeds, ([rarest]) => rarest?.id ?? 0),
    phraseNeeds: toLists(phraseNeeds.length, (add) => {
      for (const [phrase, needed] of phraseNeeds.entries())
        for (const { id } of needed) add(phrase, id);
    }),
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
