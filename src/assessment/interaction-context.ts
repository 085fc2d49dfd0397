import { isDeepStrictEqual } from "node:util";
import type { RegisteredAgent } from "../events/agent.ts";
import { readCaseContext } from "../events/case-context.ts";
import type { InteractionContext, ToolUsageInfo } from "../events/compliance.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import type { ValidationDetail } from "../events/validation-error.ts";
import type { Subject } from "../telemetry/conversations.ts";
import type { JsonValue } from "../util/values.ts";
import type { BurstLogger } from "../util/logger.ts";

const MAX_CODE_LENGTH = 200;

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

const isSameCall = (one: ToolUsageInfo, other: ToolUsageInfo): boolean =>
  one.name === other.name && isDeepStrictEqual(one.parameters, other.parameters);

/** Joins the calls that were tracked with those that the answer lists; one that is both counts once. */
function joinCalls(
  tracked: readonly ToolUsageInfo[],
  listed: readonly ToolUsageInfo[],
): readonly ToolUsageInfo[] {
  const others = [...listed];
  const calls = tracked.map((call) => {
    const index = others.findIndex((other) => isSameCall(call, other));
    const [same] = index < 0 ? [] : others.splice(index, 1);
    // A call without a time has no result yet.
    if (!same || call.executionTime !== undefined) return call;
    const { result, success, executionTime } = same;
    return {
      ...same,
      ...call,
      result,
      success,
      ...(executionTime !== undefined && { executionTime }),
    };
  });
  return [...calls, ...others];
}

function reportUnread(details: readonly ValidationDetail[], log: BurstLogger): void {
  const fields = details.map(({ field }) => field).join();
  const problems = details.map(({ field, message }) => `${field} ${message}`).join("; ");
  const code = `context:${fields.slice(0, MAX_CODE_LENGTH)}`;
  log.log("warn", code, `agent_response: ${problems}`, { details });
}

/**
 * Returns the context in which rules evaluate an answer.
 *
 * @param content - The whole answer, not what a limit left of it.
 * @param log - Gets what the metadata says of the case and is not what it should be.
 */
export function readInteractionContext(
  event: AgentResponseEvent,
  content: string,
  { conversation, agent }: Subject,
  log: BurstLogger,
): InteractionContext {
  const problems: ValidationDetail[] = [];
  const { openMessage, tools } = conversation;
  const { agentSpecialty } = event;
  // Metadata of an event is JSON; a copy, because a rule must not change what is delivered.
  const metadata = event.metadata && (structuredClone(event.metadata) as Record<string, JsonValue>);
  const { toolsUsed: listed, ...ofCase } = metadata
    ? readCaseContext(metadata, (problem) => void problems.push(problem))
    : {};
  if (problems.length > 0) reportUnread(problems, log);
  const calls = listed ? joinCalls(tools, listed) : tools;
  const toolsUsed = calls.map((call) => toKnownTool(call, agent));
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
