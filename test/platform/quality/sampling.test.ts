import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSampled, samplingSchema, toRate } from "../../../src/platform/quality/sampling.ts";

describe("the choice of an answer", () => {
  it("depends on the seed and the id alone", () => {
    const ids = Array.from({ length: 20 }, (_, index) => `event-${index}`);
    const chosen = ids.filter((id) => isSampled("2026-Q4", id, 0.25));
    // As computed by Python's hmac: the first six bytes of HMAC-SHA256, over 2^48.
    expect(chosen).toEqual(["event-5", "event-6", "event-12", "event-17", "event-19"]);
  });

  it("grows with the rate: what is in a sample is in each larger one", () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.string(), rate, rate, (id, one, other) => {
        if (isSampled("seed", id, Math.min(one, other)))
          expect(isSampled("seed", id, Math.max(one, other))).toBe(true);
        expect(isSampled("seed", id, 0)).toBe(false);
        expect(isSampled("seed", id, 1)).toBe(true);
      }),
    );
  });

  it("takes about as many as the rate says", () => {
    let count = 0;
    for (let index = 0; index < 50_000; index++)
      if (isSampled("seed", `event-${index}`, 0.02)) count++;
    expect(count).toBeGreaterThan(900);
    expect(count).toBeLessThan(1100);
  });
});

describe("a rate", () => {
  it("is the agent's own, else the common one, else none", () => {
    const sampling = { default: 0.01, agents: { loans: 0.05, cards: 0 } };
    expect(["loans", "cards", "other", "toString"].map((id) => toRate(sampling, id))).toEqual([
      0.05, 0, 0.01, 0.01,
    ]);
    expect(toRate({}, "loans")).toBe(0);
  });

  it.each([[{ default: 1.5 }], [{ agents: { a: -1 } }], [{ rate: 0.1 }], [{ seed: "" }]])(
    "that makes no sense is refused: %j",
    (sampling) => {
      expect(samplingSchema.safeParse(sampling).success).toBe(false);
    },
  );
});
