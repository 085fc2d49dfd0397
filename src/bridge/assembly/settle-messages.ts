import type { ChatMessage } from "../reading/chat-message.ts";
import { readMember } from "../../util/untrusted-values.ts";

/** Returns whether a message of a stream was followed by more of the same: its reason to end is there and empty. */
function isPiece(source: unknown): boolean {
  const reason: unknown = readMember(source, "finish_reason");
  return reason === "";
}

/**
 * Returns whether messages are the pieces of one, as they came from a stream.
 *
 * @param sources - The messages as they were written.
 */
export function arePieces(sources: readonly unknown[]): boolean {
  if (sources.length < 2) return false;
  // The last one has the reason.
  for (let index = sources.length - 2; index >= 0; index--) {
    if (!isPiece(sources[index])) return false;
  }
  return true;
}

/** Puts the pieces of a message together. */
export function joinPieces(pieces: readonly ChatMessage[]): ChatMessage[] {
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
const isCounted = (id: string | undefined, name: string): boolean =>
  id !== undefined && id.startsWith(`${name}_`) && COUNTED.exec(id)?.groups?.["name"] === name;

function hasCountedIds(messages: readonly ChatMessage[]): boolean {
  for (const { toolCalls } of messages) {
    for (const { id, name } of toolCalls) if (isCounted(id, name)) return true;
  }
  return false;
}

/** Leaves ids out that only count calls: they stand for no call beyond the request. */
export function dropCountedIds(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!hasCountedIds(messages)) return messages;
  const counted = new Map<string, string>();
  for (const { toolCalls } of messages) {
    for (const { id, name } of toolCalls) if (id && isCounted(id, name)) counted.set(id, name);
  }
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
