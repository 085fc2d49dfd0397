import fc from "fast-check";
import { expect, it } from "vitest";
import {
  includesSequence,
  SequenceSet,
  subtractRanges,
} from "../../../src/delivery/spool/event-scan.ts";
import { mergeRanges, type IntegerRange } from "../../../src/util/ranges.ts";

const sequences = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });

function toSet(numbers: readonly number[]): SequenceSet {
  const set = new SequenceSet();
  for (const number of numbers) set.add(number);
  return set;
}

function toNumbers(ranges: readonly IntegerRange[]): number[] {
  return ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

it("collects sequences in any order, and tells which are new", () => {
  fc.assert(
    fc.property(sequences, (numbers) => {
      const set = new SequenceSet();
      const seen = new Set<number>();
      for (const number of numbers) {
        expect(set.add(number)).toBe(!seen.has(number));
        seen.add(number);
      }
      expect(set.ranges).toEqual(mergeRanges(numbers.map((n) => ({ first: n, last: n }))));
      for (let number = 1; number <= 40; number++)
        expect(includesSequence(set.ranges, number)).toBe(seen.has(number));
    }),
  );
});

it("takes ranges out of others", () => {
  fc.assert(
    fc.property(sequences, sequences, (numbers, taken) => {
      const rest = subtractRanges(toSet(numbers).ranges, toSet(taken).ranges);
      const expected = new Set(numbers.filter((number) => !taken.includes(number)));
      expect(new Set(toNumbers(rest))).toEqual(expected);
    }),
  );
});
