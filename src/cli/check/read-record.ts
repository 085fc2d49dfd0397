import type { ComplianceSettings } from "../../events/agent.ts";
import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import {
  isRecord,
  parseIfJson,
  parseJson,
  readString,
  toArray,
  type JsonRecord,
} from "../../util/values.ts";
import { LineProblem } from "../read-lines.ts";
import { readLabel, type CaseLabel } from "./finding.ts";
import {
  type ReplayedExchange,
  type ToolCall,
  type ToolResult,
  type Turn,
  replay,
} from "./replay.ts";

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

/** Returns the text of a content: a string, or the texts of its parts. */
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

const recordsOf = (list: unknown): JsonRecord[] => toArray(list).filter((one) => isRecord(one));

const partsOf = (content: unknown, type: string): JsonRecord[] =>
  recordsOf(content).filter((part) => part["type"] === type);

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
  const found = recordsOf(toolCalls).map((call) => {
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
  return recordsOf(value) as unknown as ToolUsageInfo[];
}

/**
 * Reads a message of a conversation.
 *
 * @param where - Its path in the line, `messages[3]`.
 * @throws LineProblem
 */
function readTurn(message: unknown, where: string): Turn {
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

/** Content of a line. */
export type CheckedRecord =
  | {
      readonly kind: "conversation";
      readonly id: string | undefined;
      readonly label: CaseLabel | undefined;
      readonly exchanges: readonly ReplayedExchange[];
    }
  | { readonly kind: "events"; readonly events: readonly unknown[] };

/** Context of every exchange of a line. */
export type SharedContext = Partial<InteractionContext> & {
  readonly complianceSettings?: ComplianceSettings;
};

const CONTEXT_MEMBERS = [
  "agentId",
  "agentCategory",
  "agentSpecialty",
  "sessionId",
  "timestamp",
  "userId",
  "metadata",
  "customerProfile",
  "transactionContext",
  "riskFactors",
  "toolsUsed",
  "complianceSettings",
];

function readContext(record: JsonRecord): SharedContext {
  const { context } = record;
  if (context !== undefined && context !== null && !isRecord(context))
    throw new LineProblem("context", "an object", context);
  const members = CONTEXT_MEMBERS.filter((name) => name in record);
  return Object.assign(Object.fromEntries(members.map((name) => [name, record[name]])), context);
}

function readStringMember(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw new LineProblem(name, "a string", value);
}

function readExchange(record: JsonRecord): ReplayedExchange[] {
  const userMessage = readStringMember(record, "userMessage");
  const agentResponse = readStringMember(record, "agentResponse");
  const shared = readContext(record);
  const { toolsUsed } = shared as JsonRecord;
  if (toolsUsed !== undefined && toolsUsed !== null && !Array.isArray(toolsUsed))
    throw new LineProblem("toolsUsed", "an array", toolsUsed);
  const context: SharedContext = {
    ...shared,
    ...(userMessage !== undefined && { userMessage }),
    ...(agentResponse !== undefined && { agentResponse }),
  };
  const hasText = userMessage !== undefined || agentResponse !== undefined;
  if (!hasText && !toolsUsed && !context.transactionContext)
    throw new LineProblem("", "userMessage, agentResponse, turns, messages or events", record);
  return [{ context, userTurn: 1, agentTurn: userMessage === undefined ? 1 : 2 }];
}

function readConversation(record: JsonRecord): ReplayedExchange[] | undefined {
  const name = ["turns", "messages"].find((member) => record[member] !== undefined);
  if (name === undefined) return undefined;
  const list = record[name];
  if (!Array.isArray(list)) throw new LineProblem(name, "an array", list);
  const turns = list.map((message: unknown, index) => readTurn(message, `${name}[${index}]`));
  return replay(turns, readContext(record));
}

function readId({ id, conversationId, sessionId }: JsonRecord): string | undefined {
  const found = [id, conversationId, sessionId].find(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return found === undefined ? undefined : String(found);
}

function unwrap(record: JsonRecord): unknown {
  const { base64 } = record;
  if (typeof base64 !== "string" || Object.keys(record).length > 1) return record;
  const batch = parseJson(Buffer.from(base64, "base64").toString("utf8"));
  if (batch === undefined) throw new LineProblem("base64", "a batch in JSON", base64);
  return batch;
}

/**
 * Reads a line: an exchange, a conversation, an event, or a batch of events.
 *
 * @throws LineProblem
 */
export function readRecord(value: unknown): CheckedRecord {
  const record = isRecord(value) ? unwrap(value) : value;
  if (!isRecord(record)) throw new LineProblem("", "an object", record);
  if (typeof record["interactionType"] === "string") return { kind: "events", events: [record] };
  if (record["events"] !== undefined) {
    if (Array.isArray(record["events"])) return { kind: "events", events: record["events"] };
    throw new LineProblem("events", "an array", record["events"]);
  }
  const exchanges = readConversation(record) ?? readExchange(record);
  return { kind: "conversation", id: readId(record), label: readLabel(record), exchanges };
}
