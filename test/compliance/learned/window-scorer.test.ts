import fc from "fast-check";
import { expect, it } from "vitest";
import { toRulePlanes, type Plane } from "../../../src/compliance/learned/learned-model.ts";
import { FeatureReader } from "../../../src/compliance/learned/sentence-features.ts";
import { toRecords } from "../../../src/compliance/learned/weight-records.ts";
import { WeightTable } from "../../../src/compliance/learned/weight-table.ts";
import {
  WindowScorer,
  type Scores,
  type Spot,
} from "../../../src/compliance/learned/window-scorer.ts";
import { WindowedText } from "../../../src/compliance/learned/windows.ts";
import { WordingMap } from "../../../src/compliance/learned/wording-features.ts";
import { SourceText } from "../../../src/phrases/source-text.ts";

const PLANES: readonly Plane[] = [
  { category: "privacy", bias: -1, scale: 0.1 },
  { category: "bsa_aml", bias: 0.5, scale: 0.2 },
  { category: "privacy", rule: "one", bias: -2, scale: 0.3 },
  { category: "privacy", rule: "other", bias: -1.5, scale: 0.05 },
  { category: "bsa_aml", rule: "third", bias: -1, scale: 0.15 },
  { category: "bsa_aml", rule: "tools", confirmsOnly: true, bias: 9, scale: 1 },
];
const WORDS = ["apple", "birch", "cedar", "daisy", "elder"];
const reader = new FeatureReader();

function featureOf(word: string): number {
  const [sentence] = reader.readSentences(new SourceText("agentResponse", word));
  return sentence?.features[0] ?? 0;
}

const FEATURES = WORDS.map(featureOf).toSorted((one, other) => one - other);

/** Scores a text with a step for each plane and word. */
function score(steps: readonly number[], sentences: readonly string[], least: number): Scores {
  const records = toRecords({
    features: Uint32Array.from(FEATURES),
    starts: Uint32Array.from([0, ...FEATURES.keys()], (_, index) => index * PLANES.length),
    planes: Uint8Array.from(FEATURES.flatMap(() => [...PLANES.keys()])),
    weights: Int8Array.from(steps),
  });
  const facts = {
    version: "test",
    trainedOn: "",
    baseRate: 0.1,
    lengthPenalty: 1.6,
    curve: { slope: 1, intercept: 0 },
    candidateThreshold: 0.05,
    planes: PLANES,
  };
  const scorer = new WindowScorer(facts, new WeightTable(records), toRulePlanes(PLANES));
  const source = new SourceText("agentResponse", sentences.join(" "));
  const text = new WindowedText(source, reader.readSentences(source), FEATURES.slice(0, 1));
  const scores: Scores = { spots: [], findings: new Map() };
  scorer.score(text, new WordingMap(text, []), least, scores);
  return scores;
}

const stepsArbitrary = fc.array(fc.integer({ min: -128, max: 127 }), {
  minLength: FEATURES.length * PLANES.length,
  maxLength: FEATURES.length * PLANES.length,
});
const sentenceArbitrary = fc
  .array(fc.constantFrom(...WORDS, "nothing"), { minLength: 1, maxLength: 5 })
  .map((words) => `${words.join(" ")}.`);

it("leaves out no window that comes to as much as is asked for", () => {
  fc.assert(
    fc.property(
      stepsArbitrary,
      fc.array(sentenceArbitrary, { minLength: 1, maxLength: 6 }),
      fc.double({ min: -20, max: 20, noNaN: true }),
      (steps, sentences, asked) => {
        const all = score(steps, sentences, -Infinity).spots;
        // Half of the time exactly what one of them comes to.
        const sums = all.flatMap((spot) => (spot ? [spot.sum] : []));
        const least = asked > 0 ? Math.max(...sums) : asked;
        const found = score(steps, sentences, least).spots;
        const place = (spot: Spot | undefined) =>
          spot && spot.sum >= least ? [spot.first, spot.count, spot.sum] : undefined;
        for (const plane of PLANES.keys()) expect(place(found[plane])).toEqual(place(all[plane]));
      },
    ),
  );
});
