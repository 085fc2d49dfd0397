import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaDistribution, toExactInterval } from "../../../src/platform/quality/interval.ts";

const counts = fc
  .integer({ min: 1, max: 5000 })
  .chain((total) => fc.tuple(fc.integer({ min: 0, max: total }), fc.constant(total)));

describe("the exact interval", () => {
  // As binom.test(k, n)$conf.int of R has them.
  it.each([
    [0, 300, 0, 0.012_221_033],
    [5, 100, 0.016_431_879, 0.112_834_914],
    [1, 10, 0.002_528_579, 0.445_016_117],
    [7, 10, 0.347_547_15, 0.933_260_5],
    [10, 10, 0.691_502_891, 1],
    [50, 100, 0.398_321_13, 0.601_678_87],
  ])("of %i in %i is that of R's binom.test", (found, total, low, high) => {
    const interval = toExactInterval(found, total);
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });

  it("of nothing found has the upper bound that can be written down: 1 - (a/2)^(1/n)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (total) => {
        expect(toExactInterval(0, total).high).toBeCloseTo(1 - 0.025 ** (1 / total), 9);
      }),
    );
  });

  it("contains the share, is symmetric, and grows with what is found", () => {
    fc.assert(
      fc.property(counts, ([found, total]) => {
        const { low, high } = toExactInterval(found, total);
        expect(low).toBeLessThanOrEqual(found / total);
        expect(high).toBeGreaterThanOrEqual(found / total);
        const other = toExactInterval(total - found, total);
        expect(other.low).toBeCloseTo(1 - high, 9);
        if (found === total) return;
        const next = toExactInterval(found + 1, total);
        expect(next.low).toBeGreaterThan(low);
        expect(next.high).toBeGreaterThanOrEqual(high);
      }),
    );
  });

  it("leaves half of what may be wrong on each side", () => {
    fc.assert(
      fc.property(counts, ([found, total]) => {
        const { low, high } = toExactInterval(found, total);
        if (found > 0)
          expect(betaDistribution(low, found, total - found + 1)).toBeCloseTo(0.025, 9);
        if (found < total)
          expect(betaDistribution(high, found + 1, total - found)).toBeCloseTo(0.975, 9);
      }),
    );
  });

  it("covers the true share as often as it says, computed over all that may be found", () => {
    for (const [share, total] of [
      [0.01, 50],
      [0.1, 40],
      [0.5, 30],
      [0.93, 60],
    ] as const) {
      let covered = 0;
      let probability = (1 - share) ** total;
      for (let found = 0; found <= total; found++) {
        const { low, high } = toExactInterval(found, total);
        if (low <= share && share <= high) covered += probability;
        probability *= (((total - found) / (found + 1)) * share) / (1 - share);
      }
      expect(covered).toBeGreaterThanOrEqual(0.95);
    }
  });
});
