import { readMember } from "../../util/untrusted-values.ts";
import { readJson } from "./tolerant-json.ts";
import { isObject, isRecord, parseIfJson } from "../../util/values.ts";

/** Wrappers around wrappers: none is deeper in any known producer. */
const MAX_WRAPPERS = 5;

/** What was asked of a tool, or what it gave back. */
export interface ToolValue {
  readonly value: unknown;
  /** Set when a limit cut it, and its beginning is all there is. */
  readonly isPartial: boolean;
}

function parse(value: unknown): ToolValue {
  const read = typeof value === "string" ? readJson(value) : undefined;
  return read ?? { value, isPartial: false };
}

/** Returns the text in quotes that JSON has; it may be JSON text again. Anything else stays as it is. */
export function unquote(value: unknown): unknown {
  return typeof value === "string" && value.startsWith('"') ? parseIfJson(value) : value;
}

/** Reads the arguments of a tool call, which often are JSON inside a string. */
export function readToolArguments(value: unknown): ToolValue {
  return parse(unquote(value));
}

function joinTexts(parts: readonly unknown[]): string | undefined {
  const texts = parts.map((part) => {
    const type: unknown = readMember(part, "type");
    return type === "text" || type === undefined ? readMember(part, "text") : undefined;
  });
  return texts.length > 0 && texts.every((text) => typeof text === "string")
    ? texts.join("\n")
    : undefined;
}

/** Members of a result as the Model Context Protocol has it, all but the content. */
const MCP_MEMBERS: ReadonlySet<string> = new Set([
  "content",
  "isError",
  "structuredContent",
  "_meta",
]);

function isMcpResult(value: object): boolean {
  return (
    Array.isArray(readMember(value, "content")) &&
    readMember(value, "isError") !== true &&
    Object.keys(value).every((key) => MCP_MEMBERS.has(key))
  );
}

/** Takes a message off from around its content. */
function unwrapMessage(value: object): unknown {
  // LangChain's serialised messages.
  if (readMember(value, "lc") !== undefined) {
    return readMember(readMember(value, "kwargs"), "content");
  }
  return readMember(value, "tool_call_id") === undefined ? undefined : readMember(value, "content");
}

/** Takes off the kind of an output, which the AI SDK writes beside it. */
function unwrapTyped(value: object): unknown {
  const type: unknown = readMember(value, "type");
  if (typeof type !== "string" || !/^(?:json|text|content)$/.test(type)) return undefined;
  return readMember(value, "value") ?? (type === "text" ? readMember(value, "text") : undefined);
}

/** Takes one wrapper off; `undefined` when there is none. */
function unwrap(value: object): unknown {
  const content = unwrapMessage(value) ?? unwrapTyped(value);
  if (content !== undefined) return content;
  return isMcpResult(value) ? readMember(value, "content") : unwrapSingle(value);
}

/** Takes a list off from around texts, or from around one wrapper. */
function unwrapList(parts: readonly unknown[]): unknown {
  const [only] = parts;
  return joinTexts(parts) ?? (parts.length === 1 && isRecord(only) ? unwrap(only) : undefined);
}

/** Takes off an object around one value. */
function unwrapSingle(value: object): unknown {
  const keys = Object.keys(value);
  if (keys.length !== 1) return undefined;
  const inner: unknown = readMember(value, keys[0] ?? "");
  // A part as Gemini and Bedrock have it, or a result that was made an object.
  if (keys[0] === "json" || keys[0] === "text") return inner;
  return isObject(inner) && readMember(inner, "lc") !== undefined ? inner : undefined;
}

/** Takes off the object that some producers put around every result, as their protocol wants one. */
export function unwrapResult(output: unknown): unknown {
  const isWrapped = isObject(output) && Object.keys(output).join() === "result";
  return isWrapped ? readMember(output, "result") : output;
}

/** What JavaScript makes of an object where text was wanted. */
const NO_VALUE = /^\[object \w+\]$/;

/** Reads what a tool gave back, without the wrappers that frameworks put around it; JSON text becomes a value. */
export function readToolResult(given: unknown): ToolValue {
  if (typeof given === "string" && NO_VALUE.test(given)) {
    return { value: undefined, isPartial: false };
  }
  let { value, isPartial } = parse(unquote(given));
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    if (!isObject(value)) break;
    const inner = Array.isArray(value) ? unwrapList(value) : unwrap(value);
    if (inner === undefined) break;
    const read = parse(inner);
    value = read.value;
    isPartial ||= read.isPartial;
  }
  return { value, isPartial };
}
