import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";

/** Gives an answer as it stands while, or where, no rule has seen it: nobody may take it for a clean one. */
export function toUncheckedAnswer(event: AgentResponseEvent): AgentResponseEvent {
  return { ...event, requiresReview: true, metadata: { ...event.metadata, evaluated: false } };
}

/** Tells whether an answer is one that no rule has seen. */
export function isUncheckedAnswer({ metadata, complianceFlags }: AgentResponseEvent): boolean {
  return metadata?.["evaluated"] === false && complianceFlags === undefined;
}

/** Attaches what the rules found to the answer's event. */
export function attachVerdict(result: ComplianceEvaluation, event: AgentResponseEvent): void {
  event.requiresReview = result.requiresReview;
  // No finding is not "compliant" when no rule has looked.
  if (!result.metadata.evaluated) return;
  event.complianceFlags = result.violations;
  event.riskScore = result.riskScore;
}
