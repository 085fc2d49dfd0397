import { builtInModelText } from "./built-in-model-text.ts";
import { builtInModelFacts, secondLookRules } from "./built-in-second-look.ts";
import type { ModelFacts } from "./learned-model.ts";

/** What is known of the second look at the findings of a rule. */
export interface SecondLookDescription extends Pick<
  ModelFacts,
  "version" | "trainedOn" | "baseRate" | "candidateThreshold"
> {
  /** SHA-256 of the model's files, in hex. */
  readonly sha256: string;
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
