import type { ComplianceCategory } from "../../events/compliance.ts";

/** Turns a sum of weights into a probability: a logistic curve. */
export interface Curve {
  readonly slope: number;
  readonly intercept: number;
}

/** Weights for an area of law, or for one of its rules. */
export interface Plane {
  readonly category: ComplianceCategory;
  /** Absent for the area as a whole. */
  readonly rule?: string;
  /** Set for a rule that finds by what tools say: what it finds in long messages is weighed, nothing is added. */
  readonly confirmsOnly?: boolean;
  readonly bias: number;
  /** What a step of its weights is worth. */
  readonly scale: number;
}

/** The number of a rule's own plane, and of that of its area. */
export interface RulePlane {
  readonly own: number;
  readonly area: number;
  readonly confirmsOnly: boolean;
}

/** Returns the planes that belong to each rule. */
export function toRulePlanes(
  planes: readonly Pick<Plane, "category" | "rule" | "confirmsOnly">[],
): ReadonlyMap<string, RulePlane> {
  const found = new Map<string, RulePlane>();
  for (const [own, { category, rule, confirmsOnly = false }] of planes.entries()) {
    const area = planes.findIndex((one) => one.category === category && one.rule === undefined);
    if (rule !== undefined) found.set(rule, { own, area, confirmsOnly });
  }
  return found;
}

/** An area of law, by its plane, with those of the rules between which a window decides. */
export interface Area {
  readonly plane: number;
  readonly rules: readonly number[];
}

/** Lists the areas of law, in the order of their first rules. */
export function listAreas(rules: Iterable<RulePlane>): Area[] {
  const found = new Map<number, number[]>();
  for (const { own, area, confirmsOnly } of rules)
    if (!confirmsOnly) found.set(area, [...(found.get(area) ?? []), own]);
  return Array.from(found, ([plane, own]) => ({ plane, rules: own }));
}

/** What training has found out, without the weights. */
export interface ModelFacts {
  readonly version: string;
  /** SHA-256 of the windows of all texts that it was trained with, what the rules find in them included, in hex. */
  readonly trainedOn: string;
  /** Share of violations among answers for which the probabilities hold. */
  readonly baseRate: number;
  /**
   * Taken off a sum for each factor of e in the sentences of the message: the more there are, the likelier one of them looks
   * wrong by chance.
   */
  readonly lengthPenalty: number;
  readonly curve: Curve;
  /** From this probability on something is a candidate. */
  readonly candidateThreshold: number;
  readonly planes: readonly Plane[];
}

/** Weights of features, feature by feature. */
export interface FeatureWeights {
  /** Features, rising. */
  readonly features: Uint32Array;
  /** Where the weights of each feature begin, and the number of all. */
  readonly starts: Uint32Array;
  /** Numbers of planes. */
  readonly planes: Uint8Array;
  /** In steps of the scale of the plane. */
  readonly weights: Int8Array;
}

/** What was learned of texts. */
export interface LearnedModel {
  readonly facts: ModelFacts;
  readonly weights: FeatureWeights;
}

/** Returns the probability that goes with a sum of weights. */
export function probabilityOf({ slope, intercept }: Curve, sum: number): number {
  return 1 / (1 + Math.exp(-(slope * sum + intercept)));
}

/** Returns the sum of weights that goes with a probability; there is none for a curve that falls, or for certainty. */
export function sumOf({ slope, intercept }: Curve, probability: number): number | undefined {
  const isBetween = probability > 0 && probability < 1;
  if (slope <= 0 || !isBetween) return undefined;
  return (Math.log(probability / (1 - probability)) - intercept) / slope;
}
