import type { ToolUsageInfo } from "../../events/compliance.ts";
import { toCapturedText } from "./read-attributes.ts";

/** The text of an exchange. */
export interface ExchangeContent {
  /** The user's last message before the answer. */
  readonly userMessage?: string | undefined;
  readonly agentResponse?: string | undefined;
  /** Tool calls since the user's last message, with their results as far as they are known. */
  readonly toolsUsed?: readonly ToolUsageInfo[] | undefined;
  /** Set when a limit cut the content, so that only a part could be read. */
  readonly isPartial?: true | undefined;
}

/** A tool call as a message carries it. */
export interface MessageToolCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly parameters: unknown;
  /** Set when a limit cut the arguments. */
  readonly isPartial?: true;
}

/** What a tool gave back, as a message carries it. */
export interface MessageToolResult {
  readonly id: string | undefined;
  readonly name?: string | undefined;
  readonly result: unknown;
  /** Set when a limit cut the result. */
  readonly isPartial?: true;
}

/** A message of a chat, whatever the producer's form of it. */
export interface ChatMessage {
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly MessageToolCall[];
  readonly toolResults: readonly MessageToolResult[];
}

/** What came out of reading messages. */
export interface ReadMessages {
  readonly messages: readonly ChatMessage[];
  readonly isPartial: boolean;
}

/** Makes a message of nothing but a text. */
export function createMessage(role: string, text: string): ChatMessage {
  return { role, text, toolCalls: [], toolResults: [] };
}

/** Returns whether a message is something that the user said. */
export const isUserMessage = ({ role, text }: ChatMessage): boolean =>
  (role === "user" || role === "human") && toCapturedText(text) !== undefined;

const ANSWERING: ReadonlySet<string> = new Set(["assistant", "ai", "model", "agent", "chatbot"]);

/** Returns whether a message is the agent's. */
export function isAnswer({ role }: ChatMessage): boolean {
  return ANSWERING.has(role);
}

/** Returns whether a message asks for tools whose results are not in it: a provider may run some itself. */
export function asksForTools({ toolCalls, toolResults }: ChatMessage): boolean {
  return (
    toolCalls.length > toolResults.length ||
    toolCalls.some(({ id }) => id !== undefined && !toolResults.some((result) => result.id === id))
  );
}

/** Returns whether a message of the history is an answer that ended a turn, not one on the way to a tool. */
function isFinal(messages: readonly ChatMessage[], index: number): boolean {
  const message = messages[index];
  if (!message || !isAnswer(message) || asksForTools(message)) return false;
  if (toCapturedText(message.text) === undefined) return false;
  const next = messages[index + 1];
  return !(next && isAnswer(next) && asksForTools(next));
}

const isFromOutside = (message: ChatMessage): boolean =>
  isUserMessage(message) || (message.toolResults.length > 0 && !isAnswer(message));

/**
 * Returns the messages of the turn that a model call belongs to: what follows the last answer in the history.
 *
 * Text of the agent at the very end is one that the model is to go on with, not an answer.
 */
export function toWindow({ messages }: ReadMessages): readonly ChatMessage[] {
  const last = messages.findLastIndex(isFromOutside);
  for (let index = last - 1; index >= 0; index--) {
    if (isFinal(messages, index)) return messages.slice(index + 1);
  }
  return messages;
}

/** Returns whether a text stands in the history as an answer to which the user has said something. */
export function isAnsweredIn({ messages }: ReadMessages, text: string): boolean {
  const wanted = text.trim();
  const index = messages.findLastIndex(
    (message, at) => message.text.trim() === wanted && isFinal(messages, at),
  );
  return index >= 0 && messages.slice(index + 1).some(isUserMessage);
}

/** Returns the texts of some messages, one a line; `undefined` when they say nothing. */
export function joinTexts(messages: readonly ChatMessage[]): string | undefined {
  const texts = messages.map(({ text }) => text).filter((text) => text !== "");
  return toCapturedText(texts.join("\n"));
}

/** Returns what a model or an agent says in some messages; a message of the output may name no role. */
export function joinAnswers(messages: readonly ChatMessage[]): string | undefined {
  return joinTexts(messages.filter((message) => isAnswer(message) || message.role === ""));
}

/** Returns the text of what a model or an agent said, without that on the way to a tool. */
export function toAnswerText({ messages }: ReadMessages): string | undefined {
  // An agent's output may have the whole run in it, its last text behind the calls.
  return joinAnswers(messages.slice(messages.findLastIndex(asksForTools) + 1));
}
