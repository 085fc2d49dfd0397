import { readMember } from "../../util/untrusted-values.ts";
import {
  toCallPart,
  toMessage,
  toParts,
  toResultPart,
  toTextPart,
  type Message,
  type OutputMessage,
  type Part,
} from "../message.ts";
import { isRecord, toArray, toText } from "../../util/values.ts";

const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  AIMessageChunk: "assistant",
};
const CALL_BLOCKS = /^(?:tool_use|tool_call|function_call|functionCall|input_json_delta)/;

function readType(message: unknown): string | undefined {
  const ownType = readMember(message, "type");
  if (typeof ownType === "string") return ownType;
  const getType = readMember(message, "getType") ?? readMember(message, "_getType");
  if (typeof getType !== "function") return undefined;
  return toText(getType.call(message));
}

function readRole(message: unknown): string {
  const role = readType(message);
  const given = role === undefined || role === "generic" ? readMember(message, "role") : role;
  const name = toText(given) ?? "user";
  return ROLES[name] ?? name;
}

/** Calls stand among the blocks of some providers as well: the list of them counts. */
function withoutCalls(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter(
    (block: unknown) => !CALL_BLOCKS.test(toText(readMember(block, "type")) ?? ""),
  );
}

function toCalls(message: unknown): Part[] {
  return toArray(readMember(message, "tool_calls")).map((call) => {
    // Plain objects may have OpenAI's form.
    const inner = readMember(call, "function") ?? call;
    const args = readMember(inner, "args") ?? readMember(inner, "arguments");
    return toCallPart(readMember(call, "id"), readMember(inner, "name"), args);
  });
}

/** Reads a message of LangChain: an object of its classes, a plain one, a pair of role and text, a text. */
export function toLangChainMessage(message: unknown): Message {
  if (typeof message === "string") return { role: "user", parts: [toTextPart(message)] };
  if (Array.isArray(message)) {
    const [role, content] = message as unknown[];
    const name = toText(role) ?? "user";
    return toMessage(ROLES[name] ?? name, toParts(content));
  }
  const content = readMember(message, "content");
  const id = readMember(message, "tool_call_id");
  if (id !== undefined) {
    return toMessage("tool", [toResultPart(id, content, readMember(message, "name"))]);
  }
  return toMessage(readRole(message), [...toParts(withoutCalls(content)), ...toCalls(message)]);
}

/** Reads the messages of a state, or of the one input that a model got. */
export function toLangChainMessages(given: unknown): Message[] {
  const messages = readMember(given, "messages") ?? given;
  return toArray(messages).map(toLangChainMessage);
}

/** Reads the question of an agent: messages of its state, else its one text. */
export function toQuestion(inputs: unknown): Message[] {
  if (typeof inputs === "string") return [toLangChainMessage(inputs)];
  const messages = readMember(inputs, "messages");
  if (Array.isArray(messages)) return messages.map(toLangChainMessage);
  if (messages !== undefined) return [toLangChainMessage(messages)];
  const text = toText(readMember(inputs, "input")) ?? toText(readMember(inputs, "question"));
  return text === undefined ? [] : [toLangChainMessage(text)];
}

/** Reads the answer of an agent: the last message of its state if it is the model's, else its one text. */
export function toReply(outputs: unknown): OutputMessage[] {
  const last: unknown = toArray(readMember(outputs, "messages")).at(-1);
  const text = toText(readMember(outputs, "output"));
  const message = isRecord(last)
    ? toLangChainMessage(last)
    : { role: "assistant", parts: text === undefined ? [] : [toTextPart(text)] };
  return message.role === "assistant" ? [{ ...message, finish_reason: "stop" }] : [];
}
