import { readMember } from "../../util/untrusted-values.ts";
import type { ChatMessage, MessageToolCall, MessageToolResult } from "./chat-message.ts";
import { toList } from "./read-attributes.ts";
import { readJson } from "./tolerant-json.ts";
import { readToolArguments, readToolResult } from "./read-tool.ts";
import { isObject, readString } from "../../util/values.ts";

interface Draft {
  text: string[];
  toolCalls: MessageToolCall[];
  toolResults: MessageToolResult[];
  /** Whether the last text is one that pieces go on with. */
  isInPieces: boolean;
}

/** Returns the first member of an object that is there. */
export function pick(source: unknown, ...names: string[]): unknown {
  for (const name of names) {
    const value = readMember(source, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Reads the id of a tool call; a mere number counts the calls of one answer and comes again in the next. */
function readId(value: unknown): string | undefined {
  const id = readString(value);
  return id === undefined || /^\d{0,4}$/.test(id) ? undefined : id;
}

function addToolCall(draft: Draft, call: unknown): void {
  const inner = pick(call, "function", "functionCall", "tool_call") ?? call;
  const described = pick(inner, "function") ?? inner;
  const name = readString(pick(described, "name", "toolName") ?? pick(call, "name", "toolName"));
  if (name === undefined) return;
  const { value, isPartial } = readToolArguments(
    pick(described, "arguments", "args", "input", "parameters", "server_tool_call"),
  );
  draft.toolCalls.push({
    id: readId(pick(call, "call_id", "id", "toolCallId", "toolUseId", "ref") ?? pick(inner, "id")),
    name,
    parameters: value,
    ...(isPartial && { isPartial }),
  });
}

function addToolResult(draft: Draft, part: unknown, texts: readonly string[] = []): void {
  const given = pick(part, "response", "result", "output", "content", "server_tool_call_response");
  const { value, isPartial } = readToolResult(
    given ?? (texts.length > 0 ? texts.join("\n") : undefined),
  );
  draft.toolResults.push({
    id: readId(
      pick(part, "call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id", "ref", "id"),
    ),
    name: readString(pick(part, "name", "toolName", "tool_name")),
    result: value,
    ...(isPartial && { isPartial }),
  });
}

const CALL_TYPES = /^(?:server_|mcp_)?(?:tool[_-]?call|tool_?use|function_?call)$/i;
const RESULT_TYPES =
  /^(?:server_|mcp_)?(?:tool[_-]?call[_-]?response|tool[_-]?result|function_?call_?output)$/i;
/** Parts without a type, by the one member that identifies them: Gemini's, Genkit's, Bedrock's. */
const CALL_MEMBERS = ["functionCall", "function_call", "toolRequest", "toolUse"] as const;
const RESULT_MEMBERS = [
  "functionResponse",
  "function_response",
  "toolResponse",
  "toolResult",
] as const;
/** Parts that the user never gets to see, or that hold no text. */
const SILENT_TYPES =
  /^(?:reasoning|thinking|redacted_thinking|blob|file|uri|image|image_url|audio)$/;

/** Parts without a type are pieces of one text, as streams bring them; others stand by themselves. */
function addTextPart(draft: Draft, part: unknown, type: string): void {
  const text = readString(pick(part, "content", "text", "refusal"));
  if (text === undefined) return;
  const isPiece = type === "";
  if (isPiece && draft.isInPieces) draft.text[draft.text.length - 1] += text;
  else draft.text.push(text);
  draft.isInPieces = isPiece;
}

/** Newer conventions name the kind of a part that they do not know apart. */
function toPartType(part: unknown): string {
  const type = readString(readMember(part, "type")) ?? "";
  return type === "generic" ? (readString(readMember(part, "generic_type")) ?? type) : type;
}

function addPart(draft: Draft, part: unknown): void {
  if (typeof part === "string") {
    draft.text.push(part);
    return;
  }
  const content = readMember(part, "message_content");
  const inner = isObject(content) ? content : part;
  const type = toPartType(inner);
  if (type === "text") {
    addTextPart(draft, inner, type);
    return;
  }
  if (SILENT_TYPES.test(type)) return;
  const call = pick(inner, ...CALL_MEMBERS);
  const result = pick(inner, ...RESULT_MEMBERS);
  if (isObject(call)) addToolCall(draft, call);
  else if (isObject(result)) addToolResult(draft, result);
  else if (CALL_TYPES.test(type)) addToolCall(draft, inner);
  else if (RESULT_TYPES.test(type)) addToolResult(draft, inner);
  else addTextPart(draft, inner, type);
}

const ROLES_OF_CLASS: Readonly<Record<string, string>> = {
  HumanMessage: "user",
  AIMessage: "assistant",
  AIMessageChunk: "assistant",
  SystemMessage: "system",
  ToolMessage: "tool",
};

/** LangChain's plain messages state their role by their type. */
const ROLES_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
]);

/** Types of whole messages. */
export const MESSAGE_TYPES: readonly string[] = [...ROLES_OF_TYPE.keys()];

/** LangChain serialises its messages as constructor calls. */
function toLangChainRole(message: object): string | undefined {
  const id: unknown = readMember(message, "id");
  return Array.isArray(id) ? ROLES_OF_CLASS[String(id.at(-1))] : undefined;
}

function toTypeRole(message: object): string | undefined {
  return ROLES_OF_TYPE.get(readString(readMember(message, "type")) ?? "");
}

const PART_TYPES = /^(?:(?:input_|output_)?text|image|document|thinking)$/;
const PART_MEMBERS = [...CALL_MEMBERS, ...RESULT_MEMBERS, "text"] as const;

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const type = readString(readMember(value, "type"));
  if (type === undefined) return pick(value, ...PART_MEMBERS) !== undefined;
  return PART_TYPES.test(type) || CALL_TYPES.test(type) || RESULT_TYPES.test(type);
}

const isPartsText = (text: string): boolean => /^\s*\[\s*\{/.test(text);

/** Some producers write the parts of a message as JSON text. */
function toParts(text: string): unknown[] | undefined {
  if (!isPartsText(text)) return undefined;
  const value = readJson(text)?.value;
  return Array.isArray(value) && value.every(isPart) ? value : undefined;
}

function addContent(draft: Draft, given: unknown): void {
  const content = typeof given === "string" ? (toParts(given) ?? given) : given;
  if (typeof content === "string") draft.text.push(content);
  else if (Array.isArray(content)) for (const part of content) addPart(draft, part);
  else if (isObject(content)) {
    const parts = toList(content);
    if (parts.length > 0) for (const part of parts) addPart(draft, part);
    else addPart(draft, content);
  }
}

/** The message inside a choice of OpenAI, a generation of LangChain, a candidate of Gemini. */
function findInner(source: object): object {
  const inner: unknown = readMember(source, "message");
  if (isObject(inner)) return inner;
  const content: unknown = readMember(source, "content");
  return isObject(content) && Array.isArray(readMember(content, "parts")) ? content : source;
}

function unwrapMessage(source: object): { message: object; role: string | undefined } {
  const message = findInner(source);
  const role = toLangChainRole(message);
  const members: unknown = role === undefined ? message : readMember(message, "kwargs");
  return { message: isObject(members) ? members : message, role };
}

function addToolMessage(draft: Draft, message: object): void {
  const given = pick(message, "parts", "content");
  const content = typeof given === "string" ? toParts(given) : given;
  if (Array.isArray(content)) addContent(draft, content);
  if (draft.toolResults.length === 0) addToolResult(draft, message, draft.text);
  // What a tool said is no message of a person or of the agent.
  draft.text = [];
}

/** The one function that a message could call before there were tools; OpenInference flattens it. */
function addFunctionCall(draft: Draft, message: object): void {
  const call = pick(message, "function_call");
  const name = readString(pick(message, "function_call_name"));
  if (isObject(call)) addToolCall(draft, call);
  else if (name !== undefined) {
    addToolCall(draft, { name, arguments: pick(message, "function_call_arguments_json") });
  }
}

const TOOL_ROLES: ReadonlySet<string> = new Set(["tool", "function"]);

/** @returns Whether the message is of a type that is no message's but a part's. */
function addTyped(draft: Draft, message: object): boolean {
  const type = readString(readMember(message, "type")) ?? "";
  if (type === "") return false;
  if (CALL_TYPES.test(type)) addToolCall(draft, message);
  else if (RESULT_TYPES.test(type)) addToolResult(draft, message);
  else return SILENT_TYPES.test(type);
  return true;
}

function fillDraft(draft: Draft, message: object, role: string): void {
  if (addTyped(draft, message)) return;
  if (TOOL_ROLES.has(role) || pick(message, "tool_call_id") !== undefined) {
    addToolMessage(draft, message);
  } else addContent(draft, pick(message, "parts", "contents", "content", "text", "refusal"));
  // Anthropic's calls stand among the contents as well: they count once.
  if (draft.toolCalls.length > 0) return;
  const calls = pick(message, "tool_calls", "toolCalls");
  if (calls !== undefined) for (const call of toList(calls)) addToolCall(draft, call);
  else addFunctionCall(draft, message);
}

/** Reads a message that is a role and a text and nothing else, as most are; `undefined` for any other. */
function toPlainMessage(source: object): ChatMessage | undefined {
  const content = readMember(source, "content");
  const role = readMember(source, "role");
  if (typeof content !== "string" || typeof role !== "string" || TOOL_ROLES.has(role))
    return undefined;
  if (Object.keys(source).length > 2 || isPartsText(content)) return undefined;
  return { role: role.toLowerCase(), text: content, toolCalls: [], toolResults: [] };
}

/** Reads one message in any known form; `undefined` when it says nothing. */
export function toMessage(source: object, defaultRole: string): ChatMessage | undefined {
  const plain = toPlainMessage(source);
  if (plain) return plain;
  const { message, role: langChainRole } = unwrapMessage(source);
  const role = (
    readString(readMember(message, "role")) ??
    langChainRole ??
    toTypeRole(message) ??
    defaultRole
  ).toLowerCase();
  const draft: Draft = { text: [], toolCalls: [], toolResults: [], isInPieces: false };
  fillDraft(draft, message, role);
  const { text, toolCalls, toolResults } = draft;
  if (text.length + toolCalls.length + toolResults.length === 0) return undefined;
  return { role, text: text.join("\n"), toolCalls, toolResults };
}
