import type { Curve } from "../../src/compliance/learned/learned-model.ts";

/** Highest sums of answers that nobody trained with. */
export interface Sums {
  /** Of violations, in their own area of law. */
  readonly right: readonly number[];
  /** Of ordinary answers, in any area. */
  readonly wrong: readonly number[];
}

const ROUNDS = 100;
const ENOUGH = 1e-9;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const softplus = (x: number): number =>
  x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));

/**
 * Fits a logistic curve to sums, as if half of all answers were violations.
 *
 * @see Platt: "Probabilistic outputs for support vector machines", 1999
 */
export function fitCurve({ right, wrong }: Sums): Curve {
  const samples = [
    ...right.map((x) => ({ x, y: 1, weight: 0.5 / right.length })),
    ...wrong.map((x) => ({ x, y: 0, weight: 0.5 / wrong.length })),
  ];
  const loss = (a: number, b: number): number =>
    samples.reduce(
      (sum, { x, y, weight }) => sum + weight * softplus((y === 1 ? -1 : 1) * (a * x + b)),
      0,
    );
  let [slope, intercept] = [1, 0];
  for (let round = 0; round < ROUNDS; round++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, ENOUGH, 0, ENOUGH];
    for (const { x, y, weight } of samples) {
      const p = sigmoid(slope * x + intercept);
      const d = (p - y) * weight;
      const h = p * (1 - p) * weight;
      ga += d * x;
      gb += d;
      haa += h * x * x;
      hab += h * x;
      hbb += h;
    }
    const determinant = haa * hbb - hab * hab;
    const da = (hbb * ga - hab * gb) / determinant;
    const db = (haa * gb - hab * ga) / determinant;
    const before = loss(slope, intercept);
    let step = 1;
    while (step > ENOUGH && loss(slope - step * da, intercept - step * db) > before) step /= 2;
    slope -= step * da;
    intercept -= step * db;
    if (step * (Math.abs(da) + Math.abs(db)) < ENOUGH) break;
  }
  return { slope, intercept };
}

/** Gives the share of violations among all answers at which a sum has a probability. */
export function baseRateFor({ slope, intercept }: Curve, sum: number, probability: number): number {
  return sigmoid(Math.log(probability / (1 - probability)) - (slope * sum + intercept));
}

/** Gives the curve as it is when violations are another share of all answers. */
export function atBaseRate({ slope, intercept }: Curve, baseRate: number): Curve {
  return { slope, intercept: intercept + Math.log(baseRate / (1 - baseRate)) };
}
