import type { ComplianceFlag } from "./compliance.ts";
import type { AgentResponseEvent, ComplianceViolationEvent } from "./detailed-event.ts";
import type { Interaction } from "./event-builder.ts";

/** Returns whether a finding must be kept from people outside. @see 31 CFR § 1020.320(e) */
export const isConfidential = ({ context }: Pick<ComplianceFlag, "context">): boolean =>
  context?.["confidential"] === true;

/** Who took part in an answer, and in which request. */
const NAMES = [
  "agentId",
  "sessionId",
  "conversationId",
  "userId",
  "requestId",
  "agentVersion",
  "agentCategory",
  "agentSpecialty",
] as const;
const FOUND_MEMBERS = [
  "eventId",
  ...NAMES,
  "complianceFlags",
  "riskScore",
  "requiresReview",
] as const;

/** Fields of an answer that an event about it repeats. */
export type FoundAnswer = Pick<AgentResponseEvent, (typeof FOUND_MEMBERS)[number]>;

function pick<T, Name extends keyof T>(source: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<T, Name>;
}

/** Returns these fields of an answer alone: its event is delivered and forgotten. */
export const toFoundAnswer = (answer: FoundAnswer): FoundAnswer => pick(answer, FOUND_MEMBERS);

/** Computes the verdict on the answer with all findings; empty where a score would give away a confidential one. */
function toVerdict(flag: ComplianceFlag, answer: FoundAnswer): object {
  const { complianceFlags = [], riskScore, requiresReview } = answer;
  const isSecret = !isConfidential(flag) && complianceFlags.some(isConfidential);
  return isSecret || riskScore === undefined ? {} : { riskScore, requiresReview };
}

/**
 * Builds the interaction of a finding that came after the answer's event was sent: an event of its own, joined by id.
 *
 * It holds the answer's new score, and whether a review is needed. Its agent fields are those of the answer's time.
 */
export function toLateFindingInteraction(
  flag: ComplianceFlag,
  answer: FoundAnswer,
): { interaction: Interaction; metadata: object } {
  const { rule: ruleId, category: violationType, severity, description } = flag;
  return {
    interaction: { kind: "compliance_violation", ...pick(answer, NAMES) },
    metadata: {
      ruleId,
      violationType,
      severity,
      description,
      eventId: answer.eventId,
      finding: flag,
      ...toVerdict(flag, answer),
    },
  };
}

/** Verdict on an answer with a late finding. */
export interface EventVerdict {
  /** 0 to 100; absent if the event has none. */
  readonly riskScore: number | undefined;
  readonly requiresReview: boolean;
}

/** Reads the verdict from a late finding's event; others may have sent it. */
export function readEventVerdict({
  metadata,
}: Pick<ComplianceViolationEvent, "metadata">): EventVerdict {
  const { riskScore, requiresReview } = metadata ?? {};
  const isScore = typeof riskScore === "number" && riskScore >= 0 && riskScore <= 100;
  return { riskScore: isScore ? riskScore : undefined, requiresReview: requiresReview === true };
}
