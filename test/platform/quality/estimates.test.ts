import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boundRecall,
  type DecisionCounts,
  estimateElusion,
  noDecisions,
  type Stratum,
  toViolationShare,
} from "../../../src/platform/quality/estimates.ts";

const decided = (counts: Partial<DecisionCounts>): DecisionCounts => ({
  ...noDecisions(),
  ...counts,
});
const stratum = (rate: number, population: number, counts: Partial<DecisionCounts>): Stratum => ({
  rate,
  population,
  decisions: decided(counts),
});

describe("precision", () => {
  it("is the share of violations among what was decided, without what could not be", () => {
    const counts = decided({
      violation: 7,
      false_positive: 2,
      acceptable: 1,
      insufficient_evidence: 9,
      undecided: 50,
    });
    const share = toViolationShare(counts);
    expect(share).toMatchObject({ found: 7, total: 10, estimate: 0.7 });
    expect(share?.low).toBeCloseTo(0.3475, 4);
    expect(share?.high).toBeCloseTo(0.9333, 4);
  });

  it("is not known where nothing was decided", () => {
    expect(toViolationShare(decided({ undecided: 8, insufficient_evidence: 3 }))).toBeNull();
  });
});

describe("elusion", () => {
  it("of a sample at one rate is the share of violations, with the exact interval", () => {
    const elusion = estimateElusion([stratum(0.01, 30_000, { acceptable: 300, undecided: 40 })]);
    expect(elusion).toMatchObject({ estimate: 0, low: 0, reviewed: 300, violations: 0 });
    expect(elusion?.high).toBeCloseTo(0.0122, 4);
    expect(elusion?.missed.high).toBeCloseTo(366.6, 1);
  });

  it("of several rates weighs each by its answers", () => {
    const elusion = estimateElusion([
      stratum(0.1, 1000, { violation: 10, acceptable: 90 }),
      stratum(0.01, 9000, { violation: 1, acceptable: 89 }),
    ]);
    // Not 11 of 190: of the agent with the tenth of the answers more are looked at.
    expect(elusion?.missed.estimate).toBeCloseTo(100 + 100, 6);
    expect(elusion?.estimate).toBeCloseTo(0.02, 6);
  });

  it("is not known before anything is decided, and is wide where a rate has nothing decided", () => {
    expect(estimateElusion([stratum(0.01, 100, { undecided: 3 })])).toBeNull();
    expect(estimateElusion([stratum(0, 100, { acceptable: 3 })])).toBeNull();
    const half = estimateElusion([
      stratum(0.01, 100, { acceptable: 50 }),
      stratum(0.5, 100, { undecided: 50 }),
    ]);
    expect(half?.high).toBeGreaterThan(0.5);
  });

  it("stays within its bounds, and gets surer with more of the same", () => {
    const some = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 1e6 }), (violation, acceptable, size) => {
        const one = estimateElusion([stratum(0.01, size, { violation, acceptable })]);
        if (violation + acceptable === 0) return void expect(one).toBeNull();
        if (!one) throw new Error("nothing was estimated");
        expect(one.low).toBeLessThanOrEqual(one.estimate);
        expect(one.high).toBeGreaterThanOrEqual(one.estimate);
        const double = { violation: 2 * violation, acceptable: 2 * acceptable };
        const surer = estimateElusion([stratum(0.01, size, double)]);
        expect((surer?.high ?? 1) - (surer?.low ?? 0)).toBeLessThan(one.high - one.low);
      }),
    );
  });
});

describe("recall", () => {
  it("is bounded by what may have been missed, and by what nobody has decided about", () => {
    const elusion = estimateElusion([stratum(0.01, 10_000, { violation: 1, acceptable: 199 })]);
    if (!elusion) throw new Error("nothing was estimated");
    const recall = boundRecall({ violations: 150, undecided: 50 }, elusion);
    expect(recall.estimate).toBeCloseTo(150 / 200, 6);
    expect(recall.low).toBeCloseTo(150 / (150 + 10_000 * elusion.high), 6);
    expect(recall.high).toBeCloseTo(200 / (200 + 10_000 * elusion.low), 6);
  });

  it("is not known where nothing was found and nothing missed", () => {
    const elusion = estimateElusion([stratum(1, 10, { acceptable: 10 })]);
    if (!elusion) throw new Error("nothing was estimated");
    expect(boundRecall({ violations: 0, undecided: 0 }, elusion)).toEqual({
      estimate: null,
      low: 0,
      high: 1,
    });
  });
});
