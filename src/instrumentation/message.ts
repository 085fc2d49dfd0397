import type { Attributes } from "@opentelemetry/api";
import * as semconv from "../semconv.ts";
import { cutString } from "../util/cut-string.ts";
import { toJsonValue } from "../util/safe-json.ts";
import { readMember } from "../util/untrusted-values.ts";
import { isRecord, parseJson, toArray, toRecord, toText, type JsonRecord } from "../util/values.ts";

/**
 * A part of a message in the format of OpenTelemetry's GenAI conventions.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/non-normative/models.ipynb
 */
export type Part =
  | { readonly type: "text"; readonly content: string }
  | {
      readonly type: "tool_call";
      readonly id: string | null;
      readonly name: string;
      readonly arguments: unknown;
    }
  | {
      readonly type: "tool_call_response";
      readonly id: string | null;
      readonly name?: string | undefined;
      readonly response: unknown;
    }
  /** Content other than text; its bytes are left out. */
  | { readonly type: "blob"; readonly modality: string };

/** A message to a model. */
export interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
}

/** A message from a model. */
export interface OutputMessage extends Message {
  readonly finish_reason: string;
}

/** Creates a text part. */
export function toTextPart(content: string): Part {
  return { type: "text", content };
}

/** Creates a tool call part. */
export function toCallPart(id: unknown, name: unknown, args: unknown): Part {
  return {
    type: "tool_call",
    id: toText(id) ?? null,
    name: toText(name) ?? "",
    arguments: args ?? null,
  };
}

/** Returns the arguments of a call, parsed from JSON if they are a string. */
export function toArguments(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

/** Reads the tool calls of a message, plain or in the form of OpenAI's chat completions. */
export function readToolCalls(message: unknown): Part[] {
  return toArray(readMember(message, "tool_calls")).map((call) => {
    const inner = readMember(call, "function") ?? call;
    const args = readMember(inner, "args") ?? readMember(inner, "arguments");
    return toCallPart(readMember(call, "id"), readMember(inner, "name"), args);
  });
}

/** Creates a part with a tool's result. */
export function toResultPart(id: unknown, response: unknown, name?: unknown): Part {
  return {
    type: "tool_call_response",
    id: toText(id) ?? null,
    name: toText(name),
    response: response ?? null,
  };
}

/** Creates a part for content other than text, with its modality: `image`, `audio`, `video`, else `file`. */
export function toBlobPart(kind: string): Part {
  return { type: "blob", modality: /image|audio|video/i.exec(kind)?.[0].toLowerCase() ?? "file" };
}

/** Reads a provider's own type of a part; `undefined` for any other part. */
type PartReader = (part: JsonRecord) => Part | undefined;

/** Reads content that is a text or a list of parts with a `type`; `toPart` reads the provider's own part types. */
export function toParts(content: unknown, toPart: PartReader = () => undefined): Part[] {
  if (typeof content === "string") return content === "" ? [] : [toTextPart(content)];
  const given = Array.isArray(content) ? content : isRecord(content) ? [content] : [];
  return given.flatMap((value: unknown) => {
    if (typeof value === "string") return [toTextPart(value)];
    const part = toRecord(value);
    const type = toText(part["type"]) ?? "";
    // A model's thinking is never recorded.
    if (/thinking|reasoning/.test(type) || part["thought"] === true) return [];
    const special = toPart(part);
    if (special) return [special];
    const text = part["text"] ?? part["refusal"];
    if (typeof text === "string") return [toTextPart(text)];
    return type === "" ? [] : [toBlobPart(type)];
  });
}

/** Returns the joined text of a result that is a list of texts, any other result unchanged. */
export function toResult(content: unknown): unknown {
  const texts = toArray(content).map((part) => toRecord(part)["text"]);
  const isText = texts.length > 0 && texts.every((text) => typeof text === "string");
  return isText ? texts.join("\n") : content;
}

/** Creates a message; its role is `tool` if it carries only results of tools. */
export function toMessage(role: string, parts: readonly Part[]): Message {
  const isResult = parts.length > 0 && parts.every(({ type }) => type === "tool_call_response");
  return { role: isResult ? "tool" : role, parts };
}

/** Reads a message with `role` and `content`, the form that most providers use. */
export function toRoleMessage(value: unknown, toPart?: PartReader): Message {
  const { role, content } = toRecord(value);
  return toMessage(toText(role) ?? "user", toParts(content, toPart));
}

/** Longest JSON of one side, or value of a library, in UTF-16 units; readers accept no more. */
const MAX_LENGTH = 1_000_000;
const MAX_MESSAGES = 500;

/**
 * Writes messages as JSON: the last ones if there are too many; a single message that is too long is cut, which readers
 * detect.
 */
export function toInputJson(messages: readonly Message[]): string {
  if (messages.length <= MAX_MESSAGES) {
    const json = JSON.stringify(messages);
    if (json.length <= MAX_LENGTH) return json;
  }
  const written: string[] = [];
  let length = 2;
  for (const message of messages.slice(-MAX_MESSAGES).toReversed()) {
    const json = JSON.stringify(message);
    length += json.length + 1;
    if (length > MAX_LENGTH) {
      if (written.length === 0) return cutString(`[${json}`, MAX_LENGTH);
      break;
    }
    written.push(json);
  }
  return `[${written.toReversed().join(",")}]`;
}

/** Writes a completion as JSON. @param isPartial - Leaves out the end, by which readers see that more was to come. */
export function toOutputJson(messages: readonly Message[], isPartial: boolean): string {
  const json = JSON.stringify(messages);
  if (json.length > MAX_LENGTH) return cutString(json, MAX_LENGTH);
  return isPartial ? json.slice(0, -1) : json;
}

/** Writes a list as JSON; `undefined` when it is empty or too long. */
export function toListJson(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return undefined;
  const json = JSON.stringify(values);
  return json.length <= MAX_LENGTH ? json : undefined;
}

/** Copies a part whose values are a library's own objects. */
function toSafePart(part: Part): Part {
  if (part.type === "tool_call") {
    return { ...part, arguments: toJsonValue(part.arguments, MAX_LENGTH).value };
  }
  if (part.type !== "tool_call_response") return part;
  return { ...part, response: toJsonValue(part.response, MAX_LENGTH).value };
}

function toSafe<T extends Message>(message: T): T {
  return { ...message, parts: message.parts.map(toSafePart) };
}

/** Writes what a library reports as the input of a model or an agent. */
export function toInputContent(messages: readonly Message[]): Attributes {
  if (messages.length === 0) return {};
  return { [semconv.ATTR_GEN_AI_INPUT_MESSAGES]: toInputJson(messages.map(toSafe)) };
}

/** Writes what a library reports as the output of a model or an agent. */
export function toOutputContent(messages: readonly OutputMessage[]): Attributes {
  const answers = messages.filter(({ parts }) => parts.length > 0);
  if (answers.length === 0) return {};
  return { [semconv.ATTR_GEN_AI_OUTPUT_MESSAGES]: toOutputJson(answers.map(toSafe), false) };
}

/** Converts a library's value to text: text as it is, anything else as JSON; never throws. */
function toContentText(value: unknown): string {
  if (typeof value === "string") return cutString(value, MAX_LENGTH);
  return JSON.stringify(toJsonValue(value, MAX_LENGTH).value);
}

/** Writes the arguments of a tool. */
export function toArgumentsContent(args: unknown): Attributes {
  return args === undefined
    ? {}
    : { [semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: toContentText(args) };
}

/** Writes the result of a tool; `undefined` is a result as well. */
export function toResultContent(result: unknown): Attributes {
  return { [semconv.ATTR_GEN_AI_TOOL_CALL_RESULT]: toContentText(result ?? null) };
}

/** Returns the error of a failed tool: the text of its result. */
export function toToolFailure(content: unknown): object {
  return {
    name: "tool_error",
    message: toText(toResult(content)) ?? "the tool reported an error",
  };
}
