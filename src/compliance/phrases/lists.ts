import type { Steps } from "./stepwise.ts";

/** Lists of numbers, one behind the other: what belongs to `n` stands from `first[n]` up to `first[n + 1]`. */
export interface Lists {
  readonly first: Int32Array;
  readonly items: Int32Array;
}

/** Takes an item for a list, behind those before. */
export type AddItem = (list: number, item: number) => void;

/** What is done between two places to stop at: a teller counts as one, and each of its items. */
const WORK_PER_STEP = 2000;

/**
 * Makes lists of what is told, without a list of each in between; it is told twice, to be counted and to be kept.
 *
 * @param tellers - Each tells a few items.
 */
export function* toLists<Teller>(
  count: number,
  tellers: readonly Teller[],
  tell: (teller: Teller, add: AddItem, index: number) => void,
): Steps<Lists> {
  const first = new Int32Array(count + 1);
  let work = 0;
  const counting: AddItem = (list) => {
    first[list + 1] = (first[list + 1] ?? 0) + 1;
    work++;
  };
  for (const [index, teller] of tellers.entries()) {
    tell(teller, counting, index);
    if (++work < WORK_PER_STEP) continue;
    work = 0;
    yield;
  }
  yield;
  for (let list = 0; list < count; list++)
    first[list + 1] = (first[list + 1] ?? 0) + (first[list] ?? 0);
  const items = new Int32Array(first[count] ?? 0);
  const next = first.slice();
  const keeping: AddItem = (list, item) => {
    const at = next[list] ?? 0;
    items[at] = item;
    next[list] = at + 1;
    work++;
  };
  yield;
  for (const [index, teller] of tellers.entries()) {
    tell(teller, keeping, index);
    if (++work < WORK_PER_STEP) continue;
    work = 0;
    yield;
  }
  return { first, items };
}
