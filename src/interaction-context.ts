import type { RegisteredAgent } from "./events/agent-facts.ts";
import {
  customerProfileSchema,
  transactionContextSchema,
  type InteractionContext,
  type ToolUsageInfo,
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

/** Completes what is known of a tool by what the agent's profile says of it. */
function toKnownTool(tool: ToolUsageInfo, agent: RegisteredAgent | undefined): ToolUsageInfo {
  const facts = agent?.facts.tools.get(tool.name);
  if (!facts) return tool;
  const version = tool.version ?? facts.version;
  return {
    ...tool,
    category: tool.category ?? facts.category,
    riskLevel: tool.riskLevel ?? facts.riskLevel,
    ...(version !== undefined && { version }),
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
  agent: RegisteredAgent | undefined,
): InteractionContext {
  const { openMessage, tools } = conversation;
  const { agentSpecialty } = event;
  return {
    agentId: event.agentId,
    sessionId: event.sessionId,
    timestamp: event.timestamp,
    agentResponse: content,
    agentCategory: event.agentCategory ?? "tool_calling",
    ...(agentSpecialty !== undefined && { agentSpecialty }),
    ...(openMessage && { userMessage: openMessage.content }),
    ...(tools.length > 0 && {
      toolsUsed: tools.map((tool) => toKnownTool(tool, agent)),
    }),
    ...(event.userId !== undefined && { userId: event.userId }),
    // A copy: a rule must not change what is delivered.
    ...(event.metadata && { metadata: structuredClone(event.metadata) }),
    ...toCaseContext(event.metadata),
  };
}
