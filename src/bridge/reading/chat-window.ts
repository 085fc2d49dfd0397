import { asksForTools, isAnswer, isUserMessage, type ChatMessage } from "./chat-message.ts";
import { toCapturedText } from "./read-attributes.ts";

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
export function toWindow(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.findLastIndex(isFromOutside);
  for (let index = last - 1; index >= 0; index--) {
    if (isFinal(messages, index)) return messages.slice(index + 1);
  }
  return messages;
}

/** Returns whether a text stands in the history as an answer to which the user has said something. */
export function isAnsweredIn(messages: readonly ChatMessage[], text: string): boolean {
  const wanted = text.trim();
  const index = messages.findLastIndex(
    (message, at) => message.text.trim() === wanted && isFinal(messages, at),
  );
  return index >= 0 && messages.slice(index + 1).some(isUserMessage);
}

/** Returns the text of what a model or an agent said, without that on the way to a tool. */
export function toAnswerText(output: readonly ChatMessage[]): string | undefined {
  if (output.some(asksForTools)) {
    // An agent's output may have the whole run in it, its last text behind the calls.
    const rest = output.slice(output.findLastIndex(asksForTools) + 1);
    return rest.length > 0 ? toAnswerText(rest) : undefined;
  }
  const texts = output.filter((message) => isAnswer(message) || message.role === "");
  return toCapturedText(
    texts
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
  );
}
