import type { RegisteredAgent } from "../events/agent.ts";
import { readCaseContext } from "../events/case-context.ts";
import type { InteractionContext } from "../events/compliance.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import type { ValidationDetail } from "../events/validation-error.ts";
import type { Conversation } from "../telemetry/conversations.ts";
import type { JsonValue } from "../util/values.ts";
import { toToolsUsed } from "./tools-used.ts";

/** Metadata of an event is JSON; a copy, because a rule must not change what is delivered. */
function copyMetadata({ metadata }: AgentResponseEvent): Record<string, JsonValue> | undefined {
  return metadata && (structuredClone(metadata) as Record<string, JsonValue>);
}

/**
 * Gives the rules what there is to know about an answer.
 *
 * @param content - The whole answer, not what a limit left of it.
 * @param report - Told of what the metadata says of the case and is not what it should be.
 */
export function toInteractionContext(
  event: AgentResponseEvent,
  content: string,
  conversation: Conversation,
  agent: RegisteredAgent | undefined,
  report: (problem: ValidationDetail) => void,
): InteractionContext {
  const { openMessage, tools } = conversation;
  const { agentSpecialty } = event;
  const metadata = copyMetadata(event);
  const { toolsUsed: listed, ...ofCase } = metadata ? readCaseContext(metadata, report) : {};
  const toolsUsed = toToolsUsed(tools, listed, agent);
  return {
    agentId: event.agentId,
    sessionId: event.sessionId,
    timestamp: event.timestamp,
    agentResponse: content,
    agentCategory: event.agentCategory ?? "tool_calling",
    ...(agentSpecialty !== undefined && { agentSpecialty }),
    ...(openMessage && { userMessage: openMessage.content }),
    ...(toolsUsed.length > 0 && { toolsUsed }),
    ...(event.userId !== undefined && { userId: event.userId }),
    ...(metadata && { metadata }),
    ...ofCase,
  };
}
