import type { IntegerRange } from "../../util/ranges.ts";

/** Finds the first range that ends at or behind a sequence. */
function findIndex(ranges: readonly IntegerRange[], sequence: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.last ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells whether a sequence is in one of the ranges, which must be merged. */
export function includesSequence(ranges: readonly IntegerRange[], sequence: number): boolean {
  const range = ranges[findIndex(ranges, sequence)];
  return range !== undefined && range.first <= sequence;
}

/** Takes ranges out of others; both must be merged. */
export function subtractRanges(
  ranges: readonly IntegerRange[],
  taken: readonly IntegerRange[],
): IntegerRange[] {
  return ranges.flatMap(({ first, last }) => {
    const rest: IntegerRange[] = [];
    let next = first;
    for (let index = findIndex(taken, first); index < taken.length; index++) {
      const hole = taken[index];
      if (!hole || hole.first > last) break;
      if (hole.first > next) rest.push({ first: next, last: hole.first - 1 });
      next = hole.last + 1;
    }
    if (next <= last) rest.push({ first: next, last });
    return rest;
  });
}

/** Sequences that were seen; those that follow each other take no more room than one. */
export class SequenceSet {
  readonly #ranges: IntegerRange[] = [];

  /** Adds a sequence. @returns Whether it is new. */
  add(sequence: number): boolean {
    const ranges = this.#ranges;
    const index = findIndex(ranges, sequence);
    const [before, after] = [ranges[index - 1], ranges[index]];
    if (after && after.first <= sequence) return false;
    const follows = before?.last === sequence - 1;
    const precedes = after?.first === sequence + 1;
    ranges.splice(index - Number(follows), Number(follows) + Number(precedes), {
      first: follows ? before.first : sequence,
      last: precedes ? after.last : sequence,
    });
    return true;
  }

  /** The ranges in order, none touching another. */
  get ranges(): readonly IntegerRange[] {
    return this.#ranges;
  }
}
