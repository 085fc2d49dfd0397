import { builtInModelText } from "./built-in-model-text.ts";
import { builtInModelFacts, secondLookRules } from "./built-in-second-look.ts";

/** What is known of the second look at the findings of a rule. */
export interface SecondLookDescription {
  /** Version of the model. */
  readonly version: string;
  /** SHA-256 of the model's files, in hex. */
  readonly sha256: string;
  /** SHA-256 of what it was trained with, in hex. */
  readonly trainedOn: string;
  /** Share of violations among answers for which its probabilities hold. */
  readonly baseRate: number;
  /** Probability from which something is a candidate. */
  readonly candidateThreshold: number;
  /** Whether it also finds passages by itself. */
  readonly adds: boolean;
}

/** Describes the second look at what a rule finds, if there is one. */
export function describeSecondLook(rule: string): SecondLookDescription | undefined {
  const plane = secondLookRules().get(rule);
  if (!plane) return undefined;
  const { version, trainedOn, baseRate, candidateThreshold } = builtInModelFacts();
  const { sha256 } = builtInModelText();
  return { version, sha256, trainedOn, baseRate, candidateThreshold, adds: !plane.confirmsOnly };
}
