import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FeatureSet } from "../../../src/compliance/learned/feature-set.ts";

const MAX_FEATURE = 2 ** 24 - 1;
const featureArbitrary = fc.oneof(
  fc.nat(8),
  fc.nat(MAX_FEATURE),
  // All of these begin to look for a slot at the same place.
  fc.nat(60).map((index) => index << 16),
);

describe("a set of features", () => {
  it("has what was added since it was emptied", () => {
    const rounds = fc.array(fc.array(featureArbitrary, { maxLength: 100 }), { maxLength: 20 });
    const set = new FeatureSet();
    fc.assert(
      fc.property(rounds, (lists) => {
        for (const features of lists) {
          set.clear();
          const known = new Set<number>();
          for (const feature of features) {
            expect(set.add(feature)).toBe(!known.has(feature));
            known.add(feature);
          }
        }
      }),
    );
  });

  it("takes any number of features, and any number of rounds", () => {
    const set = new FeatureSet();
    const added = (count: number): number =>
      Array.from({ length: count * 2 }, (_, index) => set.add((index >> 1) * 7)).filter(Boolean)
        .length;
    expect(added(50_000)).toBe(50_000);
    for (let round = 0; round < 1000; round++) {
      set.clear();
      expect(added(3)).toBe(3);
    }
  });
});
