import type { Interaction } from "../events/event-builder.ts";
import { toLateFindingInteraction, type FoundAnswer } from "../events/late-finding.ts";
import type { JudgeFinding } from "./judge-results.ts";

/** Tells what the judge says, in an event that names the answer. */
export function toJudgeInteraction(
  { finding, eventId: _eventId, ...said }: JudgeFinding,
  answer: FoundAnswer,
): { interaction: Interaction; metadata: object } {
  const { interaction, metadata } = toLateFindingInteraction(finding, answer);
  const isObserved = said.requiresReview === undefined;
  return {
    interaction,
    metadata: { ...metadata, ...said, ...(isObserved && { mode: "observe" }) },
  };
}
