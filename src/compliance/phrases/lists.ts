/** Lists of numbers, one behind the other: what belongs to `n` stands from `first[n]` up to `first[n + 1]`. */
export interface Lists {
  readonly first: Int32Array;
  readonly items: Int32Array;
}

/** Takes an item for a list, behind those before. */
export type AddItem = (list: number, item: number) => void;

/** Makes lists of what is told, without a list of each in between; it is told twice, to be counted and to be kept. */
export function toLists(count: number, tell: (add: AddItem) => void): Lists {
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
