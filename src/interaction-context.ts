import type { CheckedOptions } from "./arguments.ts";
import type { AgentInfo } from "./events/agent.ts";
import {
  customerProfileSchema,
  transactionContextSchema,
  type InteractionContext,
} from "./events/compliance.ts";
import type { AgentResponseEvent } from "./events/detailed-event.ts";
import type { Conversation } from "./otel/conversations.ts";

/** Members of the metadata that describe the case for the rules. */
function toCaseContext(metadata: unknown): Partial<InteractionContext> {
  if (typeof metadata !== "object" || metadata === null) return {};
  const { customerProfile, transactionContext, riskFactors } = metadata as Record<string, unknown>;
  const profile = customerProfileSchema.safeParse(customerProfile);
  const transaction = transactionContextSchema.safeParse(transactionContext);
  const factors = Array.isArray(riskFactors)
    ? riskFactors.filter((factor): factor is string => typeof factor === "string")
    : undefined;
  return {
    ...(profile.success && { customerProfile: profile.data }),
    ...(transactionContext !== undefined &&
      transaction.success && { transactionContext: transaction.data }),
    ...(factors && { riskFactors: factors }),
  };
}

/** What the agent is for the rules: as the options say, else as registered. */
function toAgentContext(
  agent: AgentInfo | undefined,
  options: CheckedOptions | undefined,
): Pick<InteractionContext, "agentCategory" | "agentSpecialty"> {
  const agentSpecialty = options?.agentSpecialty ?? agent?.specialty;
  return {
    agentCategory: options?.agentCategory ?? agent?.category ?? "tool_calling",
    ...(agentSpecialty && { agentSpecialty }),
  };
}

/**
 * Gives the rules what there is to know about an answer.
 *
 * @param content - The whole answer, not what a limit left of it.
 */
export function toInteractionContext(
  event: AgentResponseEvent,
  content: string,
  conversation: Conversation,
  agent: AgentInfo | undefined,
  options: CheckedOptions | undefined,
): InteractionContext {
  const { openMessage, tools } = conversation;
  return {
    agentId: event.agentId,
    sessionId: event.sessionId,
    timestamp: event.timestamp,
    agentResponse: content,
    ...toAgentContext(agent, options),
    ...(openMessage && { userMessage: openMessage.content }),
    ...(tools.length > 0 && { toolsUsed: tools }),
    ...(event.userId !== undefined && { userId: event.userId }),
    // A copy: a rule must not change what is delivered.
    ...(event.metadata && { metadata: structuredClone(event.metadata) }),
    ...toCaseContext(event.metadata),
  };
}
