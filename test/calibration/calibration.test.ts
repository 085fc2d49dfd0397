import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JudgedFinding, JudgedText } from "../accuracy/authors/judge.ts";
import { calibrate, fitIsotonic, type Observation } from "./isotonic.ts";
import { crossCalibrate, toObservations } from "./observations.ts";
import { formatReliability } from "./print.ts";
import { toReliability } from "./reliability.ts";

const observe = (score: number, isRight: boolean, weight?: number): Observation => ({
  score,
  isRight,
  ...(weight !== undefined && { weight }),
});

const observation = fc.record({
  // Few values, so that many are equal.
  score: fc.oneof(
    fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    fc.double({ noNaN: true, min: -5, max: 5 }),
  ),
  isRight: fc.boolean(),
  weight: fc.double({ noNaN: true, min: 0.01, max: 100 }),
});
const observations = fc.array(observation, { minLength: 1, maxLength: 60 });

describe("a calibration", () => {
  it("pools neighbours until what is right grows with the score", () => {
    const calibration = fitIsotonic([
      observe(0.1, false),
      observe(0.2, false),
      observe(0.5, true),
      observe(0.6, false),
      observe(0.6, false),
      observe(0.7, true),
      observe(0.7, true),
      observe(0.9, true),
    ]);
    expect(calibration.knots).toEqual([
      { score: 0.1, probability: 0.1 },
      { score: 0.2, probability: 0.1 },
      { score: 0.5, probability: 1 / 3 },
      { score: 0.6, probability: 1 / 3 },
      { score: 0.7, probability: 0.9 },
      { score: 0.9, probability: 0.9 },
    ]);
    const at = (score: number): number => calibrate(calibration, score);
    expect([0, 0.15, 0.55, 0.8, 7].map(at)).toEqual([0.1, 0.1, 1 / 3, 0.9, 0.9]);
    expect(at(0.65)).toBeCloseTo((1 / 3 + 0.9) / 2);
  });

  it("weighs observations as so many of their kind", () => {
    const { knots } = fitIsotonic([observe(0.5, true, 1), observe(0.5, false, 3)]);
    expect(knots).toEqual([{ score: 0.5, probability: 0.25 }]);
    expect(fitIsotonic([observe(0.5, true, 1), observe(0.5, false, 99)]).knots).toEqual([
      { score: 0.5, probability: 0.25 },
    ]);
  });

  it("refuses what is no number, and nothing", () => {
    for (const bad of [
      [],
      [observe(Number.NaN, true)],
      [observe(Number.POSITIVE_INFINITY, true)],
      [observe(1, true, 0)],
      [observe(1, true, -1)],
      [observe(1, true, Number.NaN)],
    ])
      expect(() => fitIsotonic(bad)).toThrow(RangeError);
    expect(() => calibrate({ knots: [] }, 1)).toThrow(RangeError);
  });

  it("rises with the score, stays within what so many observations show, and knows no order", () => {
    fc.assert(
      fc.property(
        observations,
        fc.array(fc.double({ noNaN: true, min: -10, max: 10 }), { maxLength: 20 }),
        (given, others) => {
          const calibration = fitIsotonic(given);
          const least = 1 / (given.length + 2);
          const scores = [...given.map(({ score }) => score), ...others].toSorted((a, b) => a - b);
          let before = 0;
          for (const score of scores) {
            const probability = calibrate(calibration, score);
            expect(probability).toBeGreaterThanOrEqual(before - 1e-12);
            expect(probability).toBeGreaterThanOrEqual(least - 1e-12);
            expect(probability).toBeLessThanOrEqual(1 - least + 1e-12);
            before = probability;
          }
          const again = fitIsotonic(given.toReversed());
          for (const score of scores)
            expect(calibrate(again, score)).toBeCloseTo(calibrate(calibration, score), 9);
        },
      ),
    );
  });

  it("leaves alone what it has calibrated", () => {
    fc.assert(
      fc.property(observations, (given) => {
        const calibration = fitIsotonic(given);
        const calibrated = given.map((one) => ({
          ...one,
          score: calibrate(calibration, one.score),
        }));
        const again = fitIsotonic(calibrated);
        for (const { score } of calibrated) expect(calibrate(again, score)).toBeCloseTo(score, 9);
      }),
    );
  });

  it("comes nearer to what is so than any other rising function of a family", () => {
    const brier = (given: readonly Observation[], toProbability: (score: number) => number) =>
      toReliability(given.map((one) => ({ ...one, score: toProbability(one.score) }))).brier!;
    const inRange = observation.map((one) => ({ ...one, score: Math.min(1, Math.abs(one.score)) }));
    fc.assert(
      fc.property(
        fc.array(inRange, { minLength: 20, maxLength: 60 }),
        fc.double({ noNaN: true, min: 0, max: 1 }),
        fc.double({ noNaN: true, min: 0, max: 1 }),
        (given, cut, level) => {
          const calibration = fitIsotonic(given);
          // The limits cost a little where all of a block is right or wrong.
          const limits = 2 / (given.length + 2);
          const best = brier(given, (score) => calibrate(calibration, score)) - limits;
          expect(best).toBeLessThanOrEqual(brier(given, (score) => score));
          expect(best).toBeLessThanOrEqual(brier(given, () => level));
          expect(best).toBeLessThanOrEqual(
            brier(given, (score) => (score < cut ? level / 2 : (1 + level) / 2)),
          );
        },
      ),
    );
  });
});

describe("a reliability table", () => {
  it("holds what was said against what was so", () => {
    const { count, bins, brier, ece } = toReliability([
      observe(0.1, false),
      observe(0.1, true),
      observe(0.9, true, 2),
      observe(1, true, 2),
    ]);
    expect(count).toBe(4);
    expect(bins).toHaveLength(10);
    expect(bins[1]).toMatchObject({ from: 0.1, to: 0.2, count: 2, expected: 0.1 });
    expect(bins[1]?.observed).toMatchObject({ value: 0.5 });
    expect(bins[9]).toMatchObject({ count: 2, expected: 0.95, observed: { value: 1, high: 1 } });
    expect(bins[5]).toMatchObject({ count: 0, expected: null, observed: { value: null } });
    // (0.01 + 0.81 + 2 * 0.01 + 0) / 6 and (2 * 0.4 + 4 * 0.05) / 6
    expect(brier).toBeCloseTo(0.14);
    expect(ece).toBeCloseTo(1 / 6);
    expect(toReliability([])).toMatchObject({ count: 0, brier: null, ece: null });
  });

  it("has wider intervals where few observations carry the weight", () => {
    const widthOf = (weights: readonly number[]): number => {
      const { observed } = toReliability(
        weights.map((weight, index) => observe(0.5, index % 2 === 0, weight)),
      ).bins[5]!;
      return observed.high! - observed.low!;
    };
    const even = Array.from({ length: 40 }, () => 1);
    expect(widthOf(even.map((_, index) => (index < 4 ? 100 : 1)))).toBeGreaterThan(widthOf(even));
  });

  it("finds no fault with probabilities that are true, and one with others", () => {
    const given = Array.from({ length: 1000 }, (_, index) => observe(0.3, index % 10 < 3));
    expect(toReliability(given).ece).toBeCloseTo(0);
    expect(toReliability(given.map((one) => ({ ...one, score: 0.8 }))).ece).toBeCloseTo(0.5);
    const lines = formatReliability("as it is", toReliability(given));
    expect(lines[0]).toContain("1000 findings");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("said 0.300  right 0.300 [");
  });
});

describe("observations of authors", () => {
  const finding: JudgedFinding = {
    rule: "r",
    pattern: "r/a",
    category: "privacy",
    severity: "warning",
    confidence: 0.7,
    isCandidate: false,
    isReviewed: true,
    isOnPassage: true,
  };
  const text = (
    author: string,
    label: "ok" | "violation",
    ...findings: Partial<JudgedFinding>[]
  ): JudgedText => ({
    text: {
      id: author,
      author,
      label,
      agentResponse: "",
      ...(label === "violation" && { expectedCategory: "privacy" }),
    },
    length: 0,
    requiresReview: true,
    riskScore: 60,
    findings: findings.map((one) => ({ ...finding, ...one })),
  });

  it("are right where category and passage are, and weigh by the base rate", () => {
    const given = toObservations(
      [
        text(
          "a",
          "violation",
          {},
          { category: "bsa_aml" },
          { isOnPassage: false },
          { isOnPassage: null, confidence: 0.5, isCandidate: true },
        ),
        text("b", "ok", {}),
        text("b", "ok"),
        text("b", "ok"),
      ],
      0.01,
    );
    expect(given.map(({ isRight }) => isRight)).toEqual([true, false, false, true, false]);
    expect(given.map(({ score }) => score)).toEqual([0.7, 0.7, 0.7, 0.5, 0.7]);
    expect(given[0]).toMatchObject({ author: "a", weight: 10 });
    expect(given[4]).toMatchObject({ author: "b", weight: 330 });
  });

  it("are calibrated on the other authors alone", () => {
    const of = (author: string, isRight: boolean) => ({ author, score: 0.7, isRight, weight: 1 });
    const given = [of("a", true), of("a", true), of("b", false), of("b", true)];
    const [first, , third] = crossCalibrate(given);
    expect(first?.score).toBe(0.5);
    expect(third?.score).toBe(0.75);
    expect(given[0]?.score).toBe(0.7);
  });
});
