import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FeatureWeights } from "../../../src/compliance/learned/learned-model.ts";
import {
  decodeWeights,
  encodeWeights,
  ModelError,
} from "../../../src/compliance/learned/model-codec.ts";

const MAX_FEATURE = 2 ** 24 - 1;

const weightsArbitrary = fc
  .uniqueArray(fc.integer({ min: 0, max: MAX_FEATURE }), { maxLength: 60 })
  .chain((features) =>
    fc.record({
      features: fc.constant(features.toSorted((one, other) => one - other)),
      lists: fc.array(
        fc.array(fc.tuple(fc.nat(44), fc.integer({ min: -127, max: 127 })), { maxLength: 5 }),
        { minLength: features.length, maxLength: features.length },
      ),
    }),
  )
  .map(({ features, lists }): FeatureWeights => {
    const starts = [0];
    for (const list of lists) starts.push((starts.at(-1) ?? 0) + list.length);
    return {
      features: Uint32Array.from(features),
      starts: Uint32Array.from(starts),
      planes: Uint8Array.from(lists.flat(), ([plane]) => plane),
      weights: Int8Array.from(lists.flat(), ([, weight]) => weight),
    };
  });

describe("encoded weights", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(weightsArbitrary, (weights) => {
        expect(decodeWeights(encodeWeights(weights))).toEqual(weights);
      }),
    );
  });

  it("are refused when they were cut, or are something else", () => {
    fc.assert(
      fc.property(weightsArbitrary, fc.nat(), (weights, at) => {
        const bytes = encodeWeights(weights);
        expect(() => decodeWeights(bytes.subarray(0, at % bytes.length))).toThrow(ModelError);
      }),
    );
    expect(() => decodeWeights(new TextEncoder().encode("no weights at all"))).toThrow(ModelError);
  });
});
