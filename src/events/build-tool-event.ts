import { cutString } from "../util/cut-string.ts";
import type { DetailedEvent } from "./detailed-event.ts";
import { describeError, isFailedResult } from "./error-description.ts";
import { MAX_NAME_LENGTH } from "./agent-facts.ts";
import { toContent, toFreeValue, type Build } from "./event-builder.ts";
import type { MetadataReader } from "./metadata-reader.ts";

/** Builds a tool_call; category, risk and version come from the profile of the agent. */
export function buildToolCall(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const toolName = cutString(interaction.toolName ?? "", MAX_NAME_LENGTH);
  const tool = options.agent?.facts.tools.get(toolName);
  metadata.complete("toolVersion", tool?.version);
  return Object.assign(base, {
    interactionType: "tool_call",
    toolName,
    toolParameters: toFreeValue(interaction.toolParameters, options.maxLength, metadata),
    toolCategory: tool?.category,
    riskLevel: tool?.riskLevel,
    metadata: metadata.rest(),
  } as const);
}

/** What the caller says of the outcome wins over what the result looks like. */
function toOutcome(
  toolResult: unknown,
  metadata: MetadataReader,
): { success: boolean; toolError: string | undefined } {
  const toolError = metadata.takeString("toolError");
  const isSuccess = metadata.peek("success");
  if (typeof isSuccess === "boolean") metadata.take("success");
  const success =
    typeof isSuccess === "boolean"
      ? isSuccess
      : toolError === undefined && !isFailedResult(toolResult);
  if (success || toolError !== undefined) return { success, toolError };
  return { success, toolError: describeError(toolResult).message };
}

/** Builds a tool_result; whether it succeeded is read from the result. */
export function buildToolResult(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const { toolResult } = interaction;
  const { success, toolError } = toOutcome(toolResult, metadata);
  const executionTime =
    interaction.executionTime ??
    metadata.takeNumber("executionTime") ??
    metadata.takeNumber("toolExecutionTime");
  if (executionTime === undefined) metadata.add("executionTimeKnown", false);
  return Object.assign(base, {
    interactionType: "tool_result",
    toolName: cutString(interaction.toolName ?? "", MAX_NAME_LENGTH),
    toolResult: toFreeValue(toolResult, options.maxLength, metadata),
    toolError:
      toolError === undefined ? undefined : toContent(toolError, options.maxLength, metadata),
    executionTime: executionTime ?? 0,
    success,
    metadata: metadata.rest(),
  } as const);
}
