import type { ComplianceFlag } from "./compliance.ts";
import type { AgentResponseEvent } from "./detailed-event.ts";
import type { Interaction } from "./event-builder.ts";

/**
 * Tells a finding that came after the answer's event had left: an event of its own, joined to the answer by its id.
 *
 * It says of the agent what the answer says: what the agent was when it answered, not when the rule was ready.
 */
export function toLateFindingInteraction(
  flag: ComplianceFlag,
  answer: AgentResponseEvent,
): { interaction: Interaction; metadata: object } {
  const { agentId, sessionId, conversationId, userId, requestId, eventId } = answer;
  const { agentVersion, agentCategory, agentSpecialty } = answer;
  const { rule: ruleId, category: violationType, severity, description } = flag;
  return {
    interaction: {
      kind: "compliance_violation",
      agentId,
      sessionId,
      conversationId,
      userId,
      requestId,
      agentVersion,
      agentCategory,
      agentSpecialty,
    },
    metadata: { ruleId, violationType, severity, description, eventId, finding: flag },
  };
}
