import { phraseNeeds, elements } from "./elements.ts";

/**
 * The elements and phrases as rows of numbers, because a text asks for thousands of them.
 *
 * What belongs to number `n` stands in the second list of each pair from `first[n]` up to `first[n + 1]`.
 */
export interface Tables {
  readonly elementCount: number;
  readonly phraseCount: number;
  readonly numbers: Int32Array;
  readonly words: Lists;
  readonly parts: Lists;
  /** The rows of elements, numbered through. */
  readonly rows: Int32Array;
  /** The elements that each row needs, the rarest first. */
  readonly rowNeeds: Lists;
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

function makeTables(): Tables {
  const rows = new Int32Array(elements.length + 1);
  for (const [id, element] of elements.entries())
    rows[id + 1] = (rows[id] ?? 0) + element.rows.length;
  const toIds = (needed: readonly { readonly id: number }[]): number[] =>
    needed.map(({ id }) => id);
  return {
    elementCount: elements.length,
    phraseCount: phraseNeeds.length,
    numbers: Int32Array.from(elements, ({ numbers }) => numbers),
    words: toLists(elements.map(({ words }) => words)),
    parts: toLists(elements.map(({ parts }) => toIds(parts))),
    rows,
    rowNeeds: toLists(
      elements.flatMap((element) => element.rows.map(({ needed }) => toIds(needed))),
    ),
    phraseNeeds: toLists(phraseNeeds.map(toIds)),
  };
}

let tables: Tables | undefined;

/** Gives the tables of what has been read so far. */
export function currentTables(): Tables {
  if (tables?.elementCount !== elements.length || tables.phraseCount !== phraseNeeds.length)
    tables = makeTables();
  return tables;
}
