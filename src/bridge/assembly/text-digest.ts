import { hash } from "node:crypto";
import { isUserMessage } from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";

/** UTF-16 units at either end of a text that distinguish it from others, together with its length. */
const MAX_HASHED_LENGTH = 16 * 1024;

/** A text up to this length, as most questions are, stands for itself: to hash it takes longer than to keep it. */
const MAX_PLAIN_LENGTH = 256;

/** Digested last: the same text is looked up and noted in a row. */
let lastText: string | undefined;
let lastDigest = "";

/** Returns a short text that stands for a longer one; white space around it makes no difference. */
export function textDigest(text: string): string {
  if (text === lastText) return lastDigest;
  const trimmed = text.trim();
  if (trimmed.length <= MAX_PLAIN_LENGTH) return trimmed;
  const part =
    trimmed.length <= 2 * MAX_HASHED_LENGTH
      ? trimmed
      : `${trimmed.slice(0, MAX_HASHED_LENGTH)}${trimmed.length}${trimmed.slice(-MAX_HASHED_LENGTH)}`;
  lastDigest = hash("sha256", part, "base64");
  // Long texts are not kept alive.
  lastText = text.length <= MAX_HASHED_LENGTH ? text : undefined;
  return lastDigest;
}

/**
 * Returns a short text for what a call was sent: what the user said last, and how many results of tools came after it.
 * Empty when that is unknown.
 */
export function signInput({ input: { messages } }: Pick<SpanRecord, "input">): string {
  const asked = messages.findLastIndex(isUserMessage);
  const question = messages[asked];
  if (!question) return "";
  let results = 0;
  for (let index = asked; index < messages.length; index++) {
    results += messages[index]?.toolResults.length ?? 0;
  }
  return `${results} ${textDigest(question.text)}`;
}

/** Returns a short text for what a call was asked; empty when that is unknown. */
export function signQuestion({ input }: SpanRecord): string {
  return textDigest(input.messages.findLast(isUserMessage)?.text ?? "");
}

/** Returns a short text that stands for the arguments of a call; empty for what JSON can't hold. */
export function signArguments(parameters: unknown): string {
  try {
    return textDigest(JSON.stringify(parameters) ?? "");
  } catch {
    return "";
  }
}
