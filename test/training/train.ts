import type { ComplianceCategory } from "../../src/events/compliance.ts";
import type { FeatureWeights } from "../../src/compliance/learned/learned-model.ts";
import type { AuthorText } from "../accuracy/authors/texts.ts";
import type { Example } from "./examples.ts";
import { CONFIRMED_RULES, RULE_OF_FAMILY } from "./families.ts";
import { fitPlanes } from "./fit-planes.ts";
import type { FitJob } from "./fit-worker.ts";
import type { Hyperplane } from "./logistic.ts";
import type { Matrix } from "./matrix.ts";

/** An area of law, or one of its rules, that weights are fitted for. */
export interface PlaneName {
  readonly category: ComplianceCategory;
  readonly rule?: string;
  readonly confirmsOnly?: true;
}

/** Planes as they are shipped: few weights, in eight bits. */
export interface TrainedPlane {
  readonly name: PlaneName;
  readonly bias: number;
  /** What a step is worth. */
  readonly scale: number;
  /** By column. */
  readonly steps: Int8Array;
}

const CATEGORIES: readonly ComplianceCategory[] = [
  "bsa_aml",
  "fair_lending",
  "privacy",
  "consumer_protection",
  "sr_11_7",
];
const OPTIONS = { cost: 0.1, passes: 8, seed: 7 };
/** Taken off for each factor of e in the sentences of a message: the more there are, the likelier one looks wrong by chance. */
export const LENGTH_PENALTY = 1.6;
/** Weights of words that are kept, over all planes. */
const KEPT_WEIGHTS = 136_500;
/** How much more a weight of an area counts than one of a rule, when few are kept. */
const AREA_WORTH = 3;
const MAX_STEP = 127;
const DIGITS = 1e9;

/** Lists the areas of law and their rules. */
export const PLANES: readonly PlaneName[] = [
  ...CATEGORIES.map((category) => ({ category })),
  ...Object.values(RULE_OF_FAMILY).flatMap((rule) => {
    const category = CATEGORIES.find((one) => rule.startsWith(`${one.replaceAll("_", "-")}-`));
    if (!category) return [];
    return CONFIRMED_RULES.has(rule)
      ? [{ category, rule, confirmsOnly: true as const }]
      : [{ category, rule }];
  }),
];

/** Examples with their texts and rows. */
export interface TrainingSet {
  readonly texts: readonly AuthorText[];
  readonly examples: readonly Example[];
  readonly matrix: Matrix;
}

function isOf({ category, rule }: PlaneName, text: AuthorText | undefined): boolean {
  if (rule === undefined) return text?.expectedCategory === category;
  return RULE_OF_FAMILY[text?.expectedRule ?? ""] === rule;
}

function toJobs({ texts, examples, matrix }: TrainingSet, chosen: Uint32Array): FitJob[] {
  return PLANES.map((name, plane) => ({
    plane,
    rows: matrix.rows,
    chosen,
    isRight: Uint8Array.from(chosen, (index) => {
      const example = examples[index];
      return example?.label === true && isOf(name, texts[example.text]) ? 1 : 0;
    }),
    options: OPTIONS,
  }));
}

/** Says which columns of each plane are kept: those of wording, and of words those that weigh most in most texts. */
function choose(
  fitted: readonly Hyperplane[],
  { scales, counts, isWording }: Matrix,
): Uint8Array[] {
  const worths = fitted.map(({ weights }, plane) =>
    Float32Array.from(weights, (weight, column) =>
      isWording[column] === 1
        ? 0
        : Math.abs(weight * (scales[column] ?? 0)) *
          Math.sqrt(counts[column] ?? 0) *
          (PLANES[plane]?.rule === undefined ? AREA_WORTH : 1),
    ),
  );
  const all = new Float32Array(worths.reduce((sum, { length }) => sum + length, 0));
  for (const [plane, worth] of worths.entries()) all.set(worth, plane * worth.length);
  const least = Math.max(Number.MIN_VALUE, all.toSorted().at(-KEPT_WEIGHTS) ?? 0);
  return worths.map((worth) =>
    Uint8Array.from(worth, (value, column) => (isWording[column] === 1 || value >= least ? 1 : 0)),
  );
}

function quantise(
  { weights, bias }: Hyperplane,
  name: PlaneName,
  { scales }: Matrix,
): TrainedPlane {
  const values = weights.map((weight, column) => weight * (scales[column] ?? 0));
  const most = values.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
  const scale = Math.round((most / MAX_STEP) * DIGITS) / DIGITS;
  const steps = Int8Array.from(values, (value) => (scale === 0 ? 0 : Math.round(value / scale)));
  return { name, bias: Math.round(bias * DIGITS) / DIGITS, scale, steps };
}

/** Trains with the texts that are chosen: fits all weights, keeps the most telling ones, and fits these again. */
export async function train(
  set: TrainingSet,
  isChosen: (text: AuthorText) => boolean,
): Promise<TrainedPlane[]> {
  const chosen = Uint32Array.from(set.examples.keys()).filter((index) => {
    const example = set.examples[index];
    const text = example && set.texts[example.text];
    return text !== undefined && example?.label !== undefined && isChosen(text);
  });
  const jobs = toJobs(set, chosen);
  const kept = choose(await fitPlanes(jobs), set.matrix);
  const again = jobs.map((job, plane) => ({ ...job, isKept: kept[plane] ?? new Uint8Array() }));
  const fitted = await fitPlanes(again);
  return PLANES.flatMap((name, plane) => {
    const hyperplane = fitted[plane];
    return hyperplane ? [quantise(hyperplane, name, set.matrix)] : [];
  });
}

/** Gives the weights as they are shipped. */
export function toWeights(planes: readonly TrainedPlane[], { features }: Matrix): FeatureWeights {
  const columns = [...features.keys()]
    .filter((column) => planes.some(({ steps }) => steps[column] !== 0))
    .toSorted((one, other) => (features[one] ?? 0) - (features[other] ?? 0));
  const entries = columns.map((column) =>
    planes.flatMap(({ steps }, plane) => {
      const step = steps[column] ?? 0;
      return step === 0 ? [] : [{ plane, step }];
    }),
  );
  const starts = new Uint32Array(columns.length + 1);
  for (const [index, list] of entries.entries())
    starts[index + 1] = (starts[index] ?? 0) + list.length;
  const all = entries.flat();
  return {
    features: Uint32Array.from(columns, (column) => features[column] ?? 0),
    starts,
    planes: Uint8Array.from(all, ({ plane }) => plane),
    weights: Int8Array.from(all, ({ step }) => step),
  };
}
