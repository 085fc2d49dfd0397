import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInModelFacts } from "../../src/compliance/learned/built-in-second-look.ts";
import { probabilityOf } from "../../src/compliance/learned/learned-model.ts";
import { decodeWeights, encodeWeights } from "../../src/compliance/learned/model-codec.ts";
import { DEFAULT_THRESHOLD } from "../../src/compliance/rule-result.ts";
import { REPOSITORY } from "../accuracy/authors/places.ts";
import { atBaseRate, baseRateFor, fitCurve } from "./calibrate.ts";
import { digestOfExamples, ExampleReader } from "./examples.ts";
import { createRandom, fitLogistic } from "./logistic.ts";
import { toMatrix } from "./matrix.ts";
import { readTrainingTexts } from "./texts.ts";
import { PLANES, toWeights, train } from "./train.ts";

const SLOW = 300_000;
const { long, others } = readTrainingTexts();

function readSet(texts: typeof long) {
  const reader = new ExampleReader();
  const examples = texts.flatMap((text, index) => reader.read(text, index).examples);
  return { texts, examples, matrix: toMatrix(examples) };
}

describe("training", () => {
  it(
    "makes the same bytes of the same texts",
    async () => {
      const set = readSet(long.filter((_, index) => index % 40 === 0));
      const [one, other] = await Promise.all([train(set, () => true), train(set, () => true)]);
      const bytes = encodeWeights(toWeights(one, set.matrix));
      expect(bytes.length).toBeGreaterThan(10_000);
      expect(Buffer.compare(bytes, encodeWeights(toWeights(other, set.matrix)))).toBe(0);
    },
    SLOW,
  );

  it("learns nothing of texts that are not chosen", { timeout: SLOW }, async () => {
    const set = readSet(long.filter((_, index) => index % 40 === 0));
    // Nothing offends in ordinary texts, so that nothing can speak for an offence.
    const planes = await train(set, ({ label }) => label === "ok");
    for (const { steps, scale } of planes)
      expect(steps.reduce((most, step) => Math.max(most, step * scale), 0)).toBeLessThan(1e-3);
  });

  it("separates what can be separated, whatever the seed", () => {
    const random = createRandom(3);
    const points = Array.from({ length: 200 }, () => [random() * 2 - 1, random() * 2 - 1] as const);
    const isRight = Uint8Array.from(points, ([x, y]) => (x + 2 * y > 0.1 ? 1 : 0));
    const rows = {
      starts: Uint32Array.from({ length: points.length + 1 }, (_, index) => index * 2),
      columns: Uint32Array.from(points.flatMap(() => [0, 1])),
      values: Float32Array.from(points.flat()),
      width: 2,
    };
    const chosen = Uint32Array.from(points.keys());
    for (const seed of [1, 2]) {
      const { weights, bias } = fitLogistic(rows, chosen, isRight, {
        cost: 100,
        passes: 200,
        seed,
      });
      const wrong = points.filter(
        ([x, y], index) =>
          (weights[0] ?? 0) * x + (weights[1] ?? 0) * y + bias > 0 !== (isRight[index] === 1),
      );
      expect(wrong.length).toBeLessThanOrEqual(2);
    }
  });
});

describe("calibration", () => {
  it("gives the share that is right, at the base rate that it names", () => {
    const random = createRandom(5);
    // By construction the odds of a right answer are e^(2x - 1) when half of all are right.
    const samples = Array.from({ length: 40_000 }, () => random() * 6 - 3);
    const oddsOf = (x: number): number => 1 / (1 + Math.exp(1 - 2 * x));
    const right = samples.filter((x) => random() < oddsOf(x));
    const wrong = samples.filter((x) => random() >= oddsOf(x));
    const curve = fitCurve({ right, wrong });
    expect(curve.slope).toBeCloseTo(2, 0);
    const rare = atBaseRate(curve, 0.01);
    const odds = (p: number): number => p / (1 - p);
    expect(odds(probabilityOf(rare, 1)) / odds(probabilityOf(curve, 1))).toBeCloseTo(1 / 99, 6);
    expect(probabilityOf(atBaseRate(curve, baseRateFor(curve, 1.3, 0.6)), 1.3)).toBeCloseTo(0.6, 9);
  });
});

describe("the committed model", () => {
  const facts = builtInModelFacts();
  const bytes = readFileSync(join(REPOSITORY, "src/compliance/learned/model.bin"));

  it(
    "is what `npm run train` makes of the texts and rules as they are now",
    { timeout: SLOW },
    () => {
      const { examples } = readSet([...long, ...others]);
      expect(facts.trainedOn, "run npm run train").toBe(digestOfExamples(examples));
    },
  );

  it("has planes for the areas of law and their rules, and no more than 400 KB of weights", () => {
    expect(facts.planes.map(({ category, rule }) => rule ?? category)).toEqual(
      PLANES.map(({ category, rule }) => rule ?? category),
    );
    expect(bytes.length).toBeLessThanOrEqual(400_000);
    expect(decodeWeights(bytes).planes.reduce((most, plane) => Math.max(most, plane), 0)).toBe(
      PLANES.length - 1,
    );
  });

  it("calls something a candidate before it calls it a finding", () => {
    expect(facts.candidateThreshold).toBeGreaterThan(0);
    expect(facts.candidateThreshold).toBeLessThan(DEFAULT_THRESHOLD);
    expect(facts.baseRate).toBeLessThan(0.5);
  });
});
