import * as semconv from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { isObject, isRecord, parseIfJson } from "../../util/values.ts";
import type { ToolRun } from "../span-record.ts";
import { firstText, firstValue, type Attributes } from "./read-attributes.ts";
import { readJson, type ReadValue } from "./tolerant-json.ts";

/** Names of the attributes that report a tool's run, the surest first. */
export type ToolAttributes = Readonly<
  Partial<Record<"id" | "name" | "parameters" | "result", readonly string[]>>
>;

/** What producers write where they know no id. */
const NO_IDS: ReadonlySet<string> = new Set(["<not specified>", "undefined", "null"]);

/** Reads a tool's run; what is absent stays `undefined`. */
export function readTool(attributes: Attributes, names: ToolAttributes): Partial<ToolRun> {
  const id = firstText(attributes, names.id);
  const name = firstText(attributes, names.name);
  const parameters = firstValue(attributes, names.parameters);
  const result = firstValue(attributes, names.result);
  return {
    ...(id !== undefined && !NO_IDS.has(id) && { id }),
    ...(name !== undefined && { name }),
    ...(parameters !== undefined && toRunParameters(readToolArguments(parameters))),
    ...(result !== undefined && toRunResult(readToolResult(result))),
  };
}

/** Returns the arguments of a run, and whether they are whole. */
export function toRunParameters({ value, isPartial }: ReadValue): Partial<ToolRun> {
  return { parameters: value, areParametersPartial: isPartial };
}

/** Returns the result of a run, and whether it is whole. */
export function toRunResult({ value, isPartial }: ReadValue): Partial<ToolRun> {
  return { result: value, isResultPartial: isPartial };
}

const GEN_AI: ToolAttributes = {
  id: [semconv.ATTR_GEN_AI_TOOL_CALL_ID],
  name: [semconv.ATTR_GEN_AI_TOOL_NAME],
  parameters: [
    semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
    semconv.ATTR_GEN_AI_TOOL_INPUT,
    semconv.ATTR_GEN_AI_TOOL_ARGS,
  ],
  result: [
    semconv.ATTR_GEN_AI_TOOL_CALL_RESULT,
    semconv.ATTR_GEN_AI_TOOL_OUTPUT,
    semconv.ATTR_GEN_AI_TOOL_RESULT,
  ],
};

/**
 * Reads the attributes of the conventions, older names of them included.
 *
 * @param own - Names of a producer's own for what these leave open.
 */
export function readGenAiTool(attributes: Attributes, own?: ToolAttributes): Partial<ToolRun> {
  const conventions = readTool(attributes, GEN_AI);
  return own ? { ...readTool(attributes, own), ...conventions } : conventions;
}

/** Wrappers around wrappers: none is deeper in any known producer. */
const MAX_WRAPPERS = 5;

function parse(value: unknown): ReadValue {
  const read = typeof value === "string" ? readJson(value) : undefined;
  return read ?? { value, isPartial: false };
}

/** Returns the text in quotes that JSON has; it may be JSON text again. Anything else stays as it is. */
export function unquote(value: unknown): unknown {
  return typeof value === "string" && value.startsWith('"') ? parseIfJson(value) : value;
}

/** Reads the arguments of a tool call, which often are JSON inside a string. */
export function readToolArguments(value: unknown): ReadValue {
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
export function readToolResult(given: unknown): ReadValue {
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
