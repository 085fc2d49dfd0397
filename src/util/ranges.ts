/** Integers from `first` to `last`, both included. */
export interface IntegerRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the range of a single integer. */
export function toSingle(integer: number): IntegerRange {
  return { first: integer, last: integer };
}

/** Joins ranges that touch or overlap; returns them in order. */
export function mergeRanges(ranges: readonly IntegerRange[]): IntegerRange[] {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else merged.push({ first, last });
  }
  return merged;
}

/** Finds the integers from `first` to `last` that are in none of the ranges, which must be in order. */
export function findGaps(ranges: readonly IntegerRange[], last: number, first = 1): IntegerRange[] {
  const gaps: IntegerRange[] = [];
  let next = first;
  for (const range of ranges) {
    if (range.first > last) break;
    if (range.first > next) gaps.push({ first: next, last: range.first - 1 });
    next = Math.max(next, range.last + 1);
  }
  if (next <= last) gaps.push({ first: next, last });
  return gaps;
}

/** Returns the one or two parts of a range that are outside of another; none when it covers the whole range. */
export function cutRange(range: IntegerRange, { first, last }: IntegerRange): IntegerRange[] {
  return [
    { first: range.first, last: Math.min(range.last, first - 1) },
    { first: Math.max(range.first, last + 1), last: range.last },
  ].filter((part) => part.first <= part.last);
}

/** Counts the integers of ranges, which must be merged. */
export function countIntegers(merged: readonly IntegerRange[]): number {
  return merged.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** More ranges than this are merged as they come. */
const MIN_MERGE = 1024;

/** Collects ranges in any order; ranges that touch take no more memory than one. */
export class RangeSet {
  #ranges: IntegerRange[] = [];
  #mergeAt = MIN_MERGE;

  add(range: IntegerRange): void {
    this.#ranges.push(range);
    if (this.#ranges.length < this.#mergeAt) return;
    this.#ranges = mergeRanges(this.#ranges);
    this.#mergeAt = Math.max(MIN_MERGE, 2 * this.#ranges.length);
  }

  /** Returns the ranges in order, none touching another. */
  merged(): IntegerRange[] {
    return mergeRanges(this.#ranges);
  }
}
