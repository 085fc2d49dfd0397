import type { ComplianceFlag } from "./compliance.ts";
import type { AgentResponseEvent, ComplianceViolationEvent } from "./detailed-event.ts";
import type { Interaction } from "./event-builder.ts";

/** Tells whether people outside must not learn of a finding. */
const isConfidential = ({ context }: ComplianceFlag): boolean => context?.["confidential"] === true;

/** What an event about an answer says of it. */
export type FoundAnswer = Pick<
  AgentResponseEvent,
  | "eventId"
  | "agentId"
  | "sessionId"
  | "conversationId"
  | "userId"
  | "requestId"
  | "agentVersion"
  | "agentCategory"
  | "agentSpecialty"
  | "complianceFlags"
  | "riskScore"
  | "requiresReview"
>;

/** What the answer comes to with all findings; nothing where a score would give away a confidential one. */
function toVerdict(flag: ComplianceFlag, answer: FoundAnswer): object {
  const { complianceFlags = [], riskScore, requiresReview } = answer;
  const isSecret = !isConfidential(flag) && complianceFlags.some(isConfidential);
  return isSecret || riskScore === undefined ? {} : { riskScore, requiresReview };
}

/**
 * Tells a finding that came after the answer's event had left: an event of its own, joined to the answer by its id.
 *
 * It says what the answer's score is now, and whether it needs a review. It says of the agent what the answer says: what the agent was when it answered, not when the rule was ready.
 */
export function toLateFindingInteraction(
  flag: ComplianceFlag,
  answer: FoundAnswer,
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
    metadata: {
      ruleId,
      violationType,
      severity,
      description,
      eventId,
      finding: flag,
      ...toVerdict(flag, answer),
    },
  };
}

/** What an answer comes to with a finding that came later. */
export interface ToldVerdict {
  /** 0 to 100; absent where the event does not say it. */
  readonly riskScore: number | undefined;
  readonly requiresReview: boolean;
}

/** Reads the verdict on a late finding's event; others may have sent it. */
export function readToldVerdict({
  metadata,
}: Pick<ComplianceViolationEvent, "metadata">): ToldVerdict {
  const { riskScore, requiresReview } = metadata ?? {};
  const isScore = typeof riskScore === "number" && riskScore >= 0 && riskScore <= 100;
  return { riskScore: isScore ? riskScore : undefined, requiresReview: requiresReview === true };
}
