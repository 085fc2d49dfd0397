import fc from "fast-check";
import { expect, it } from "vitest";
import { toRecords } from "../../../src/compliance/learned/weight-records.ts";
import { WeightTable } from "../../../src/compliance/learned/weight-table.ts";

const PLANES = 45;
const MAX_FEATURE = 2 ** 24 - 1;
// Neighbours share what a table looks them up by.
const featureArbitrary = fc.oneof(
  fc.nat(MAX_FEATURE),
  fc.nat(40),
  fc.nat(40).map((below) => MAX_FEATURE - below),
);
const rowArbitrary = fc
  .uniqueArray(fc.nat(PLANES - 1), { maxLength: PLANES })
  .chain((planes) =>
    fc.tuple(
      ...planes.map((plane) => fc.tuple(fc.constant(plane), fc.integer({ min: -128, max: 127 }))),
    ),
  );
const lexiconArbitrary = fc.array(fc.tuple(featureArbitrary, rowArbitrary), { maxLength: 80 });

it("adds the weights of the features that it knows", () => {
  fc.assert(
    fc.property(lexiconArbitrary, fc.array(featureArbitrary), (entries, others) => {
      const lexicon = new Map(entries.toSorted(([one], [other]) => one - other));
      const rows = [...lexicon.values()];
      const ends = rows.map((_, index) => rows.slice(0, index + 1).flat().length);
      const table = new WeightTable(
        toRecords({
          features: Uint32Array.from(lexicon.keys()),
          starts: Uint32Array.from([0, ...ends]),
          planes: Uint8Array.from(rows.flat(), ([plane]) => plane),
          weights: Int8Array.from(rows.flat(), ([, weight]) => weight),
        }),
      );
      const asked = [...others, ...lexicon.keys(), ...others];
      const expected = Array.from({ length: PLANES }, () => 0);
      for (const feature of asked)
        for (const [plane, weight] of lexicon.get(feature) ?? [])
          expected[plane] = (expected[plane] ?? 0) + weight;
      const sums = new Int32Array(PLANES);
      table.addTo(sums, asked);
      expect([...sums]).toEqual(expected);
    }),
  );
});
