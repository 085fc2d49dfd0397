import { readMember } from "../../util/untrusted-values.ts";
import { isObject, readString } from "../../util/values.ts";
import type { ToolUsageInfo } from "../../events/compliance.ts";
import type { SpanMessages } from "../span-record.ts";
import {
  createMessage,
  isUserMessage,
  joinAnswers,
  type ChatMessage,
  type ExchangeContent,
  type ReadMessages,
} from "./chat-message.ts";
import { MESSAGE_TYPES, pick, toMessage } from "./read-message.ts";
import { readJson } from "./tolerant-json.ts";

/** Messages of one value that are read: the last ones of a long history matter. */
const MAX_MESSAGES = 500;
const MAX_DEPTH = 6;

/** Members under which requests and responses of models keep their messages. */
const WRAPPERS = ["messages", "choices", "generations", "candidates", "contents"] as const;
const INPUT_WRAPPERS = [...WRAPPERS, "prompt", "input", "inputs"] as const;
const OUTPUT_WRAPPERS = [...WRAPPERS, "output", "outputs", "response"] as const;
/** Types of what stands in a list of messages by itself, not as part of one. */
const WHOLE_TYPES: ReadonlySet<string> = new Set([
  "message",
  "constructor",
  "function_call",
  "function_call_output",
  ...MESSAGE_TYPES,
]);

/**
 * Returns whether messages are the pieces of one, as they came from a stream.
 *
 * @param sources - The messages as they were written.
 */
function arePieces(sources: readonly unknown[]): boolean {
  const last = sources.length - 1;
  // Each but the last has a reason to end that is empty: more of the same followed.
  const isPiece = (source: unknown, index: number): boolean =>
    index === last || readMember(source, "finish_reason") === "";
  return last > 0 && sources.every(isPiece);
}

/** Puts the pieces of a message together. */
function joinPieces(pieces: readonly ChatMessage[]): ChatMessage[] {
  const [first] = pieces;
  if (!first) return [];
  return [
    {
      role: first.role,
      text: pieces.map(({ text }) => text).join(""),
      toolCalls: pieces.flatMap(({ toolCalls }) => toolCalls),
      toolResults: pieces.flatMap(({ toolResults }) => toolResults),
    },
  ];
}

const COUNTED = /^(?<name>.+)_\d{1,3}$/;

/** An id that is made of the tool's name and a number counts the calls of one answer, and comes again in the next. */
const isCounted = (id: string, name: string): boolean =>
  id.startsWith(`${name}_`) && COUNTED.exec(id)?.groups?.["name"] === name;

/** Leaves ids out that only count calls: they stand for no call beyond the request. */
function dropCountedIds(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let counted: Map<string, string> | undefined;
  for (const { toolCalls } of messages) {
    for (const { id, name } of toolCalls) {
      if (id !== undefined && isCounted(id, name)) (counted ??= new Map()).set(id, name);
    }
  }
  if (!counted) return messages;
  return messages.map((message) => ({
    ...message,
    toolCalls: message.toolCalls.map((call) =>
      counted.has(call.id ?? "") ? { ...call, id: undefined } : call,
    ),
    toolResults: message.toolResults.map((result) => {
      const name = counted.get(result.id ?? "");
      return name === undefined ? result : { ...result, id: undefined, name };
    }),
  }));
}

/** Reads the messages of one request or response. */
class MessageReader {
  readonly messages: ChatMessage[] = [];
  isPartial = false;
  readonly #defaultRole: string;

  constructor(defaultRole: string) {
    this.#defaultRole = defaultRole;
  }

  read(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === "string") this.#readString(value, depth);
    else if (Array.isArray(value)) this.#readList(value, depth);
    else if (isObject(value)) this.#readObject(value, depth);
  }

  #readString(text: string, depth: number): void {
    const json = readJson(text);
    if (!json) {
      this.#pushText(text);
      return;
    }
    if (json.isPartial) this.isPartial = true;
    this.read(json.value, depth + 1);
  }

  #readList(values: readonly unknown[], depth: number): void {
    const parts = values.every((value) => isObject(value) && this.#isBarePart(value));
    if (parts && values.length > 0) {
      const message = toMessage({ role: this.#defaultRole, content: values }, this.#defaultRole);
      if (message) this.messages.push(message);
      return;
    }
    if (this.#defaultRole === "assistant" && arePieces(values)) {
      const pieces = values
        .filter(isObject)
        .flatMap((value) => toMessage(value, this.#defaultRole) ?? []);
      this.messages.push(...joinPieces(pieces));
      return;
    }
    for (const value of values.slice(-MAX_MESSAGES)) {
      if (typeof value === "string") this.#pushText(value);
      else this.read(value, depth + 1);
    }
  }

  #pushText(text: string): void {
    this.messages.push(createMessage(this.#defaultRole, text));
  }

  #isBarePart(value: object): boolean {
    const type = readString(readMember(value, "type"));
    return (
      type !== undefined &&
      !WHOLE_TYPES.has(type) &&
      ["role", "kwargs", "message"].every((name) => readMember(value, name) === undefined)
    );
  }

  #readObject(value: object, depth: number): void {
    if (readMember(value, "role") === undefined) {
      const names = this.#defaultRole === "user" ? INPUT_WRAPPERS : OUTPUT_WRAPPERS;
      const inner = pick(value, ...names);
      if (inner !== undefined && inner !== value) {
        this.read(inner, depth + 1);
        return;
      }
    }
    const message = toMessage(value, this.#defaultRole);
    if (message) this.messages.push(message);
  }
}

/**
 * Reads messages in any of the forms that instrumentations write: the GenAI message format, requests and responses
 * of OpenAI, Anthropic and Gemini, the AI SDK's messages, serialised LangChain messages, plain text; as JSON text or
 * as a structure.
 *
 * Never throws.
 *
 * @param defaultRole - Role of a message that names none: `user` for input, `assistant` for output.
 */
export function readMessages(value: unknown, defaultRole: "user" | "assistant"): ReadMessages {
  const reader = new MessageReader(defaultRole);
  reader.read(value);
  const { messages, isPartial } = reader;
  return { messages: dropCountedIds(messages), isPartial };
}

/** Stands for one side that says nothing. */
export const NO_MESSAGES: ReadMessages = { messages: [], isPartial: false };

/** Reads the messages of a request and of its response. */
export function readSides(input: unknown, output: unknown): SpanMessages {
  return { input: readMessages(input, "user"), output: readMessages(output, "assistant") };
}

/** Fills each side that has no messages with that of other ones. */
export function fillSides(given: SpanMessages, other: SpanMessages): SpanMessages {
  return {
    input: given.input.messages.length > 0 ? given.input : other.input,
    output: given.output.messages.length > 0 ? given.output : other.output,
  };
}

/** Tool calls of one exchange that the rules get to see, the last ones. */
const MAX_TOOLS = 32;

function toToolsUsed(messages: readonly ChatMessage[]): ToolUsageInfo[] {
  const results = messages.flatMap(({ toolResults }) => toolResults);
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  return calls.slice(-MAX_TOOLS).map(({ id, name, parameters }) => ({
    name,
    parameters: parameters ?? null,
    result: results.find((result) => id !== undefined && result.id === id)?.result ?? null,
    success: true,
  }));
}

/**
 * Sums up a model call: the user's last message, the answer, and the tools used in between.
 *
 * Each call repeats the conversation so far, so only what follows the user's last message belongs to this exchange.
 */
export function toContent({ input, output }: SpanMessages): ExchangeContent {
  const start = input.messages.findLastIndex(isUserMessage);
  const toolsUsed = toToolsUsed([...input.messages.slice(start + 1), ...output.messages]);
  return {
    userMessage: input.messages[start]?.text,
    agentResponse: joinAnswers(output.messages),
    ...(toolsUsed.length > 0 && { toolsUsed }),
    ...((input.isPartial || output.isPartial) && { isPartial: true }),
  };
}
