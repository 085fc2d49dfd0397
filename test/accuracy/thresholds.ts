import type { Score, Share } from "./score.ts";

/** A figure that must not be missed. */
export interface Threshold {
  readonly name: string;
  readonly value: number | null;
  readonly required: number;
  readonly isMet: boolean;
}

/** Holds a figure against the least that is required. */
export function atLeast(
  name: string,
  value: number | null | undefined,
  required: number,
): Threshold {
  // Without items there is nothing to miss.
  return { name, value: value ?? null, required, isMet: (value ?? 1) >= required };
}

/** Holds a share against the most that is allowed. */
export function atMost(name: string, { value }: Share, required: number): Threshold {
  return { name, value, required, isMet: (value ?? 0) <= required };
}

/** Holds a score against what is required. */
export function checkThresholds(score: Score): Threshold[] {
  const recallOf = (category: string): number | null | undefined =>
    score.byCategory[category]?.recall;
  return [
    atLeast("precision", score.precision.value, 0.92),
    atLeast("recall", score.recall.value, 0.7),
    atMost("false positive rate", score.falsePositiveRate, 0.05),
    atMost("false positive rate on ordinary answers", score.ordinaryRate, 0.05),
    atLeast("recall of numbers in privacy", score.numberRecall.value, 0.94),
    atLeast("recall by tools and transactions", score.toolRecall.value, 0.9),
    atLeast("recall of bsa_aml", recallOf("bsa_aml"), 0.65),
    atLeast("recall of fair_lending", recallOf("fair_lending"), 0.65),
    atLeast("recall of consumer_protection", recallOf("consumer_protection"), 0.6),
    atLeast("recall of sr_11_7", recallOf("sr_11_7"), 0.6),
    atLeast("recall of evasions", score.evasionRecall.value, 0.7),
  ];
}
