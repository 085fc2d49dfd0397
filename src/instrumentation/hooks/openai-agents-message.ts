import { readMember } from "../../util/untrusted-values.ts";
import {
  toCallPart,
  toMessage,
  toParts,
  toResult,
  toResultPart,
  toTextPart,
  type Message,
  type OutputMessage,
  type Part,
} from "../message.ts";
import { toArray, toText } from "../../util/values.ts";

function readId(item: unknown): unknown {
  const id = readMember(item, "callId") ?? readMember(item, "call_id");
  return id ?? readMember(item, "tool_call_id");
}

/** Reads the tool calls of a chat completion, beside the text. */
function toCalls(item: unknown): Part[] {
  return toArray(readMember(item, "tool_calls")).map((call) => {
    const inner = readMember(call, "function") ?? call;
    return toCallPart(
      readMember(call, "id"),
      readMember(inner, "name"),
      readMember(inner, "arguments"),
    );
  });
}

function toOutputValue(output: unknown): unknown {
  return toText(readMember(output, "text")) ?? toResult(output);
}

/**
 * Reads an item of the Responses API, of chat completions, or a text; `undefined` for other items than messages and
 * calls.
 */
function toItem(item: unknown, defaultRole: string): Message | undefined {
  if (typeof item === "string") return { role: defaultRole, parts: [toTextPart(item)] };
  const type = toText(readMember(item, "type"));
  const name = readMember(item, "name");
  if (type === "function_call") {
    return toMessage("assistant", [toCallPart(readId(item), name, readMember(item, "arguments"))]);
  }
  if (type === "function_call_result" || type === "function_call_output") {
    const output = toOutputValue(readMember(item, "output"));
    return toMessage("tool", [toResultPart(readId(item), output, name)]);
  }
  const content = readMember(item, "content");
  const role = toText(readMember(item, "role"));
  if (role === undefined) return undefined;
  if (role === "tool")
    return toMessage("tool", [toResultPart(readId(item), toResult(content), name)]);
  return toMessage(role === "developer" ? "system" : role, [...toParts(content), ...toCalls(item)]);
}

/** Reads the input of a model. */
export function toAgentsInput(input: unknown): Message[] {
  const items = typeof input === "string" ? [input] : toArray(input);
  return items.map((item) => toItem(item, "user")).filter((message) => message !== undefined);
}

/** Reads the output of a model: items of the Responses API, or whole chat completions. */
export function toAgentsOutput(output: unknown): OutputMessage[] {
  const answers: { readonly item: unknown; readonly reason: unknown }[] = [];
  for (const item of toArray(output)) {
    const choices = toArray(readMember(item, "choices"));
    if (choices.length === 0) answers.push({ item, reason: undefined });
    for (const choice of choices) {
      const reason = readMember(choice, "finish_reason");
      answers.push({ item: readMember(choice, "message"), reason });
    }
  }
  return answers.flatMap(({ item, reason }) => {
    const message = toItem(item, "assistant");
    const calls = message?.parts.some(({ type }) => type === "tool_call") === true;
    const finish = toText(reason) ?? (calls ? "tool_call" : "stop");
    return message ? [{ ...message, finish_reason: finish }] : [];
  });
}
