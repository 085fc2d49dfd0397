import type { Attributes } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
} from "../../semconv.ts";
import { cutString } from "../../util/cut-string.ts";
import { toJsonValue } from "../../util/safe-json.ts";
import {
  toInputJson,
  toOutputJson,
  type Message,
  type OutputMessage,
  type Part,
} from "../message.ts";

/** Longest value of a library, in UTF-16 units. */
const MAX_LENGTH = 1_000_000;

/** Converts a library's value to text: text as it is, anything else as JSON; never throws. */
function toContentText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return cutString(value, MAX_LENGTH);
  return JSON.stringify(toJsonValue(value, MAX_LENGTH).value);
}

/** Copies a part whose values are the library's own objects. */
function toSafePart(part: Part): Part {
  if (part.type === "tool_call") {
    return { ...part, arguments: toJsonValue(part.arguments, MAX_LENGTH).value };
  }
  if (part.type !== "tool_call_response") return part;
  return { ...part, response: toJsonValue(part.response, MAX_LENGTH).value };
}

const toSafe = <T extends Message>(message: T): T => ({
  ...message,
  parts: message.parts.map(toSafePart),
});

/** Writes the input of a model or an agent. */
export function toInputContent(messages: readonly Message[]): Attributes {
  if (messages.length === 0) return {};
  return { [ATTR_GEN_AI_INPUT_MESSAGES]: toInputJson(messages.map(toSafe)) };
}

/** Writes the output of a model or an agent. */
export function toOutputContent(messages: readonly OutputMessage[]): Attributes {
  const answers = messages.filter(({ parts }) => parts.length > 0);
  if (answers.length === 0) return {};
  return { [ATTR_GEN_AI_OUTPUT_MESSAGES]: toOutputJson(answers.map(toSafe), false) };
}

/** Writes the arguments of a tool. */
export function toArgumentsContent(args: unknown): Attributes {
  const text = toContentText(args);
  return text === undefined ? {} : { [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: text };
}

/** Writes the result of a tool; `undefined` is a result as well. */
export function toResultContent(result: unknown): Attributes {
  return { [ATTR_GEN_AI_TOOL_CALL_RESULT]: toContentText(result ?? null) ?? "null" };
}
