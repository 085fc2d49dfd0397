import { PhraseError } from "./phrase-error.ts";
import type { Lists } from "./phrase-tables.ts";

const MAX_ITEM = 0xffff;

/** Refuses a count beyond what sixteen bits can number. */
export function checkCount(what: string, count: number): void {
  if (count > MAX_ITEM)
    throw new PhraseError(`the phrases have ${count} ${what}, more than ${MAX_ITEM}`);
}

/** Puts lists of numbers one behind the other. */
export function toLists(lists: readonly (readonly number[])[]): Lists {
  const first = new Uint32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) first[index + 1] = (first[index] ?? 0) + list.length;
  return { first, items: Uint16Array.from(lists.flat()) };
}

/** Collects numbers for `count` lists. */
export const emptyLists = (count: number): number[][] => Array.from({ length: count }, () => []);
