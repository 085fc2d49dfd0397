import type { Attributes } from "@opentelemetry/api";
import type { AgentInfo } from "../events/agent.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Conversation } from "./conversations.ts";
import * as semconv from "../semconv.ts";

/** What an agent was when something was made for it. */
export interface AgentOfTheMoment {
  readonly agentVersion?: DetailedEvent["agentVersion"];
  readonly agentCategory?: DetailedEvent["agentCategory"];
  readonly agentSpecialty?: DetailedEvent["agentSpecialty"];
}

/** Says whom a span is about. */
export function toIdentityAttributes(
  { identity, userId }: Conversation,
  agent: AgentInfo | undefined,
  { agentVersion, agentCategory, agentSpecialty }: AgentOfTheMoment,
): Attributes {
  const { agentId, sessionId, conversationId } = identity;
  return {
    [semconv.ATTR_GEN_AI_AGENT_ID]: agentId,
    [semconv.ATTR_SESSION_ID]: sessionId,
    ...(conversationId !== undefined && { [semconv.ATTR_GEN_AI_CONVERSATION_ID]: conversationId }),
    ...(userId !== undefined && { [semconv.ATTR_USER_ID]: userId }),
    ...(agent && {
      [semconv.ATTR_GEN_AI_AGENT_NAME]: agent.name,
      [semconv.ATTR_GEN_AI_PROVIDER_NAME]: agent.llmProvider,
      [semconv.ATTR_GEN_AI_REQUEST_MODEL]: agent.model,
    }),
    ...(agentVersion !== undefined && { [semconv.ATTR_GEN_AI_AGENT_VERSION]: agentVersion }),
    ...(agentCategory !== undefined && { [semconv.ATTR_AGENT_CATEGORY]: agentCategory }),
    ...(agentSpecialty !== undefined && { [semconv.ATTR_AGENT_SPECIALTY]: agentSpecialty }),
  };
}
