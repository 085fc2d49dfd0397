import type { ToolUsageInfo } from "../../events/compliance.ts";
import { LineProblem } from "./line-problem.ts";
import { isRecord, parseIfJson, readString, toArray, type JsonRecord } from "../../util/values.ts";
import type { ToolCall, ToolResult, Turn } from "./replay.ts";

const ROLES: Readonly<Record<string, Turn["role"]>> = {
  user: "user",
  human: "user",
  customer: "user",
  agent: "agent",
  assistant: "agent",
  ai: "agent",
  model: "agent",
  tool: "tool",
  function: "tool",
  system: "system",
  developer: "system",
};

/** Gives the text of a content: a string, or the texts of its parts. */
function readText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part: unknown) => {
    if (typeof part === "string") return [part];
    const isText = isRecord(part) && typeof part["text"] === "string" && !("tool_use_id" in part);
    return isText ? [part["text"] as string] : [];
  });
  return texts.length > 0 ? texts.join("\n") : undefined;
}

function partsOf(content: unknown, type: string): JsonRecord[] {
  return toArray(content)
    .filter((part) => isRecord(part))
    .filter((part) => part["type"] === type);
}

function toResult(value: unknown, message: JsonRecord): ToolResult {
  const text = readText(value) ?? value;
  const result = parseIfJson(text) ?? null;
  const hasError = isRecord(result) && (Boolean(result["error"]) || result["isError"] === true);
  return {
    id: readString(message["tool_call_id"] ?? message["tool_use_id"]),
    name: readString(message["name"]),
    result,
    success: !hasError && message["is_error"] !== true && message["success"] !== false,
  };
}

function toCall(id: unknown, name: unknown, parameters: unknown): ToolCall {
  return {
    id: readString(id),
    name: readString(name) ?? "unknown",
    parameters: parseIfJson(parameters) ?? {},
  };
}

/** Reads calls as OpenAI (`tool_calls`, `function_call`) and Anthropic (`tool_use`) write them. */
function readCalls(message: JsonRecord): ToolCall[] {
  const { tool_calls: toolCalls, function_call: functionCall, content } = message;
  const found = toArray(toolCalls)
    .filter((call) => isRecord(call))
    .map((call) => {
      const named = isRecord(call["function"]) ? call["function"] : call;
      return toCall(call["id"], named["name"], named["arguments"]);
    });
  if (isRecord(functionCall))
    found.push(toCall(undefined, functionCall["name"], functionCall["arguments"]));
  for (const part of partsOf(content, "tool_use"))
    found.push(toCall(part["id"], part["name"], part["input"]));
  return found;
}

function readToolsUsed(value: unknown, where: string): ToolUsageInfo[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new LineProblem(`${where}.toolsUsed`, "an array", value);
  return value.filter((tool) => isRecord(tool)) as unknown as ToolUsageInfo[];
}

/**
 * Reads a message of a conversation.
 *
 * @param where - Its path in the line, `messages[3]`.
 * @throws LineProblem
 */
export function readTurn(message: unknown, where: string): Turn {
  if (!isRecord(message)) throw new LineProblem(where, "an object", message);
  const { role: roleName, content } = message;
  const role = typeof roleName === "string" ? ROLES[roleName.toLowerCase()] : undefined;
  if (role === undefined)
    throw new LineProblem(`${where}.role`, "user, agent, assistant, tool or system", roleName);
  const isContent = typeof content === "string" || Array.isArray(content);
  if (!isContent && content !== null && content !== undefined)
    throw new LineProblem(`${where}.content`, "a string or an array of parts", content);
  const answers = partsOf(content, "tool_result");
  return {
    role,
    text: role === "tool" ? undefined : readText(content),
    toolsUsed: readToolsUsed(message["toolsUsed"], where),
    calls: role === "agent" ? readCalls(message) : [],
    results:
      role === "tool"
        ? [toResult(content, message)]
        : answers.map((part) => toResult(part["content"], part)),
  };
}
