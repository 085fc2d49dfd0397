import { readMember } from "../util/read-member.ts";
import type { ChatMessage, MessageToolCall, MessageToolResult } from "./chat-message.ts";
import { toList } from "./read-attributes.ts";
import { readJson } from "./tolerant-json.ts";

interface Draft {
  text: string[];
  toolCalls: MessageToolCall[];
  toolResults: MessageToolResult[];
}

/** Tells whether a value has members. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** Gives a value that is a string. */
export function readString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Gives the first member of an object that is there. */
export function pick(source: unknown, ...names: string[]): unknown {
  for (const name of names) {
    const value = readMember(source, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Arguments often are JSON inside a string. */
function toValue(value: unknown): unknown {
  return typeof value === "string" ? (readJson(value)?.value ?? value) : (value ?? null);
}

function addToolCall(draft: Draft, call: unknown): void {
  const inner = pick(call, "function", "functionCall", "tool_call") ?? call;
  const described = pick(inner, "function") ?? inner;
  const name = readString(pick(described, "name", "toolName") ?? pick(call, "name", "toolName"));
  if (name === undefined) return;
  draft.toolCalls.push({
    id: readString(pick(call, "call_id", "id", "toolCallId") ?? pick(inner, "id")),
    name,
    parameters: toValue(pick(described, "arguments", "args", "input", "parameters")),
  });
}

function addToolResult(draft: Draft, part: unknown): void {
  draft.toolResults.push({
    id: readString(pick(part, "call_id", "id", "toolCallId", "tool_use_id", "tool_call_id")),
    result: toValue(pick(part, "response", "result", "output", "content")),
  });
}

const CALL_TYPES = /^(?:server_|mcp_)?(?:tool[_-]call|tool_use|function_call)$/;
const RESULT_TYPES =
  /^(?:server_|mcp_)?(?:tool[_-]call[_-]response|tool[_-]result|function_call_output)$/;
/** Parts that the user never gets to see, or that hold no text. */
const SILENT_TYPES =
  /^(?:reasoning|thinking|redacted_thinking|blob|file|uri|image|image_url|audio)$/;

function addPart(draft: Draft, part: unknown): void {
  if (typeof part === "string") {
    draft.text.push(part);
    return;
  }
  const content = readMember(part, "message_content");
  const inner = isObject(content) ? content : part;
  const type = readString(readMember(inner, "type")) ?? "";
  if (SILENT_TYPES.test(type)) return;
  if (CALL_TYPES.test(type) || isObject(readMember(inner, "functionCall"))) {
    addToolCall(draft, inner);
  } else if (RESULT_TYPES.test(type)) {
    addToolResult(draft, inner);
  } else {
    const text = readString(pick(inner, "content", "text"));
    if (text !== undefined) draft.text.push(text);
  }
}

const ROLES_OF_CLASS: Readonly<Record<string, string>> = {
  HumanMessage: "user",
  AIMessage: "assistant",
  AIMessageChunk: "assistant",
  SystemMessage: "system",
  ToolMessage: "tool",
};

/** LangChain serialises its messages as constructor calls. */
function toLangChainRole(message: object): string | undefined {
  const id: unknown = readMember(message, "id");
  return Array.isArray(id) ? ROLES_OF_CLASS[String(id.at(-1))] : undefined;
}

function addContent(draft: Draft, content: unknown): void {
  if (typeof content === "string") draft.text.push(content);
  else if (Array.isArray(content)) for (const part of content) addPart(draft, part);
  else if (isObject(content)) {
    const parts = toList(content);
    if (parts.length > 0) for (const part of parts) addPart(draft, part);
    else addPart(draft, content);
  }
}

/** Choices of OpenAI and generations of LangChain have the message as a member. */
function unwrapMessage(source: object): { message: object; role: string | undefined } {
  const inner: unknown = readMember(source, "message");
  const message = isObject(inner) ? inner : source;
  const role = toLangChainRole(message);
  const members: unknown = role === undefined ? message : readMember(message, "kwargs");
  return { message: isObject(members) ? members : message, role };
}

function addToolMessage(draft: Draft, message: object): void {
  const content = pick(message, "parts", "content");
  if (Array.isArray(content)) addContent(draft, content);
  if (draft.toolResults.length === 0) addToolResult(draft, message);
  // What a tool said is no message of a person or of the agent.
  draft.text = [];
}

function fillDraft(draft: Draft, message: object, role: string): void {
  const type = readString(readMember(message, "type")) ?? "";
  if (SILENT_TYPES.test(type)) return;
  if (CALL_TYPES.test(type)) addToolCall(draft, message);
  else if (RESULT_TYPES.test(type)) addToolResult(draft, message);
  else if (role === "tool" || pick(message, "tool_call_id") !== undefined) {
    addToolMessage(draft, message);
  } else addContent(draft, pick(message, "parts", "contents", "content", "text"));
  // Anthropic's calls stand among the contents as well: they count once.
  if (draft.toolCalls.length > 0) return;
  for (const call of toList(pick(message, "tool_calls", "toolCalls"))) addToolCall(draft, call);
}

/** Reads one message in any known form; `undefined` when it says nothing. */
export function toMessage(source: object, defaultRole: string): ChatMessage | undefined {
  const { message, role: langChainRole } = unwrapMessage(source);
  const role = (
    readString(readMember(message, "role")) ??
    langChainRole ??
    defaultRole
  ).toLowerCase();
  const draft: Draft = { text: [], toolCalls: [], toolResults: [] };
  fillDraft(draft, message, role);
  const { text, toolCalls, toolResults } = draft;
  if (text.length + toolCalls.length + toolResults.length === 0) return undefined;
  return { role, text: text.join("\n"), toolCalls, toolResults };
}
