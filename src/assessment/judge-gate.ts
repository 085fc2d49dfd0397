import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { ComplianceCategory } from "../events/compliance.ts";
import { isSampled, type JudgeReason } from "../judge/judge-task.ts";

/** What is to be judged of an answer, and why. */
export interface GateDecision {
  readonly reason: JudgeReason;
  readonly families: readonly ComplianceCategory[];
}

export type GateOptions = Pick<ResolvedJudgeOptions, "gate" | "sampleRate" | "sampleSeed">;

/**
 * Decides whether an answer is judged: by the families in which the first stage found something, or, as one of the
 * sample, by all.
 *
 * @param all - The families that have rules.
 * @returns `undefined` for an answer that is not judged.
 */
export function passGate(
  eventId: string,
  { violations, candidates = [], metadata }: ComplianceEvaluation,
  all: readonly ComplianceCategory[],
  { gate, sampleRate, sampleSeed }: GateOptions,
): GateDecision | undefined {
  if (!metadata.evaluated) return undefined;
  if (gate === "everything") return { reason: "everything", families: all };
  const counting = gate === "findings" ? violations : [...violations, ...candidates];
  const found = new Set(counting.map(({ category }) => category));
  const families = all.filter((family) => found.has(family));
  if (families.length > 0)
    return { reason: violations.length > 0 ? "finding" : "candidate", families };
  return isSampled(sampleSeed, eventId, sampleRate)
    ? { reason: "sample", families: all }
    : undefined;
}
