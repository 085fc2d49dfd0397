import type { Plane } from "../../../src/compliance/learned/learned-model.ts";
import { LearnedSecondLook } from "../../../src/compliance/learned/second-look.ts";
import { FeatureReader } from "../../../src/compliance/learned/sentence-features.ts";
import { toRecords } from "../../../src/compliance/learned/weight-records.ts";
import { SourceText } from "../../../src/phrases/source-text.ts";

/** Rules that the model knows. */
export const RULE = "consumer-protection-guaranteed-approval";
export const SECOND = "consumer-protection-investment-advice";
const category = "consumer_protection";
const STEP = 0.5;
/** Stands for the digest of its files. */
export const DIGEST = "0123456789abcdef".repeat(4);
const PLANES: readonly Plane[] = [
  { category, bias: 0, scale: STEP },
  { category, rule: RULE, bias: 0, scale: STEP },
  { category, rule: SECOND, bias: 0, scale: STEP },
];

/** Words, each with a step for the area of law, for the rule, and for the second rule. */
export type Lexicon = Readonly<
  Record<string, readonly [area: number, rule: number, second: number]>
>;

const reader = new FeatureReader();

/** A second look that knows some words of answers; what speaks neither for nor against has a probability of one in a hundred. */
export function createSecondLook(lexicon: Lexicon): LearnedSecondLook {
  const entries = Object.entries(lexicon).map(([word, steps]) => {
    const [sentence] = reader.readSentences(new SourceText("agentResponse", word));
    return { feature: sentence?.features[0] ?? 0, steps };
  });
  entries.sort((one, other) => one.feature - other.feature);
  return new LearnedSecondLook(
    {
      version: "test",
      trainedOn: "",
      baseRate: 0.1,
      lengthPenalty: 0,
      curve: { slope: 1, intercept: -4.6 },
      candidateThreshold: 0.05,
      planes: PLANES,
    },
    toRecords({
      features: Uint32Array.from(entries, ({ feature }) => feature),
      starts: Uint32Array.from([0, ...entries.keys()], (_, index) => index * PLANES.length),
      planes: Uint8Array.from(entries.flatMap(() => [...PLANES.keys()])),
      weights: Int8Array.from(entries.flatMap(({ steps }) => steps)),
    }),
    DIGEST,
  );
}
