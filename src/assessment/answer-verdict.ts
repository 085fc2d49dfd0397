import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";

/** Returns an answer as it stands while, or where, no rule has seen it: nobody may take it for a clean one. */
export function toUncheckedAnswer(event: AgentResponseEvent): AgentResponseEvent {
  return { ...event, requiresReview: true, metadata: { ...event.metadata, evaluated: false } };
}

/** Returns whether an answer is one that no rule has seen. */
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

/** Returns what an agent said beside asking for a tool as the rules judge it: as an answer, of the same moment. */
export function toSaid(call: DetailedEvent, text: string): AgentResponseEvent {
  const { metadata: _, ...base } = call;
  return {
    ...base,
    interactionType: "agent_response",
    content: text,
    contentLength: text.length,
  };
}

/** Returns a tool call as it stands while, or where, no rule has seen the text beside it. */
export function markUnread(call: DetailedEvent): DetailedEvent {
  const metadata = { ...call.metadata, evaluated: false, requiresReview: true };
  return { ...call, metadata };
}

/** Takes that mark off; `undefined` when there is none. */
export function withoutUnreadMark(call: DetailedEvent): DetailedEvent | undefined {
  const given: Readonly<Record<string, unknown>> = call.metadata ?? {};
  const { evaluated, requiresReview, ...metadata } = given;
  if (call.interactionType !== "tool_call" || evaluated !== false || requiresReview !== true)
    return undefined;
  const { metadata: _, ...base } = call;
  return Object.keys(metadata).length > 0 ? { ...base, metadata } : base;
}
