import fc from "fast-check";
import { expect, it } from "vitest";
import { countIntegers, findGaps, mergeRanges, RangeSet } from "../../src/util/ranges.ts";

const range = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(5))
  .map(([first, length]) => ({ first, last: first + length }));

function toIntegers(ranges: readonly { first: number; last: number }[]): Set<number> {
  return new Set(
    ranges.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    ),
  );
}

it("joins, counts and completes ranges as sets of integers", () => {
  fc.assert(
    fc.property(fc.array(range), fc.nat(50), (ranges, last) => {
      const merged = mergeRanges(ranges);
      const integers = toIntegers(ranges);
      expect(toIntegers(merged)).toEqual(integers);
      expect(countIntegers(merged)).toBe(integers.size);
      for (const [index, { first }] of merged.entries())
        expect(first).toBeGreaterThan((merged[index - 1]?.last ?? -1) + 1);
      const gaps = toIntegers(findGaps(merged, last));
      for (let number = 1; number <= last + 1; number++)
        expect(gaps.has(number)).toBe(number <= last && !integers.has(number));
    }),
  );
});

it("collects ranges in any order, and keeps no more than needed", () => {
  const set = new RangeSet();
  for (let first = 5000; first >= 1; first--) set.add({ first, last: first });
  for (let first = 6001; first <= 9000; first += 2) set.add({ first, last: first });
  const merged = set.merged();
  expect(merged[0]).toEqual({ first: 1, last: 5000 });
  expect(merged).toHaveLength(1501);
});
