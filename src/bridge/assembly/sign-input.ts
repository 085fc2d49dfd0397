import { isUserMessage } from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";
import { textDigest } from "./text-digest.ts";

/**
 * Returns a short text for what a call was sent: what the user said last, and how many results of tools came after it.
 * Empty when that is unknown.
 */
export function signInput({ input }: Pick<SpanRecord, "input">): string {
  const asked = input.findLastIndex(isUserMessage);
  const question = input[asked];
  if (!question) return "";
  let results = 0;
  for (let index = asked; index < input.length; index++) {
    results += input[index]?.toolResults.length ?? 0;
  }
  return `${results} ${textDigest(question.text)}`;
}

/** Returns whether two calls may have been sent the same: nobody can say where one has no question. */
export function mayHaveSameInput(one: SpanRecord, other: SpanRecord): boolean {
  const [first, second] = [signInput(one), signInput(other)];
  return first === "" || second === "" || first === second;
}
