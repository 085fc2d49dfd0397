import type { ToolUsageInfo } from "../events/compliance.ts";
import type { ToolCallEvent, ToolResultEvent } from "../events/detailed-event.ts";
import { toJsonValue } from "../util/safe-json.ts";

/** Most tool calls since the last answer that are kept for the rules. */
const MAX_TOOLS = 10;
/** Bound of the parameters and of the result of each, roughly in UTF-16 units of JSON. */
const MAX_TOOL_VALUE_LENGTH = 8192;

/** Ids of calls without a result, kept outside of the objects that rules see. */
const callIds = new WeakMap<ToolUsageInfo, unknown>();

function remember(tools: ToolUsageInfo[], tool: ToolUsageInfo): void {
  tools.push(tool);
  if (tools.length > MAX_TOOLS) tools.shift();
}

const toRemembered = (value: unknown): unknown => toJsonValue(value, MAX_TOOL_VALUE_LENGTH).value;

/** Keeps a call for the rules. */
export function noteToolCall(tools: ToolUsageInfo[], event: ToolCallEvent): void {
  const parameters = toRemembered(event.toolParameters);
  const { toolName: name, toolCategory: category, riskLevel, metadata } = event;
  const version = metadata?.toolVersion;
  const approval = metadata?.approval;
  const call: ToolUsageInfo = {
    name,
    parameters,
    result: null,
    success: true,
    ...(category !== undefined && { category }),
    ...(riskLevel !== undefined && { riskLevel }),
    ...(version !== undefined && { version }),
    ...(approval !== undefined && { approval }),
  };
  callIds.set(call, metadata?.["toolCallId"]);
  remember(tools, call);
}

/** Removes the call that a result belongs to: by its id, else the last call of this tool without a result. */
function takeCall(tools: ToolUsageInfo[], event: ToolResultEvent): ToolUsageInfo | undefined {
  const id = event.metadata?.["toolCallId"];
  const index = tools.findLastIndex(
    (tool) =>
      tool.name === event.toolName &&
      tool.executionTime === undefined &&
      (id === undefined || (callIds.get(tool) ?? id) === id),
  );
  return index < 0 ? undefined : tools.splice(index, 1)[0];
}

/** Keeps a result with the parameters of its call. */
export function noteToolResult(tools: ToolUsageInfo[], event: ToolResultEvent): void {
  const { toolName: name, success, executionTime } = event;
  const call = takeCall(tools, event);
  remember(tools, {
    ...call,
    name,
    parameters: call?.parameters ?? null,
    result: toRemembered(event.toolResult),
    success,
    executionTime,
  });
}
