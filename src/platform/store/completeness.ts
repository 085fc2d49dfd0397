import type { DetailedEvent } from "../../events/detailed-event.ts";

/** How much of an event a copy of it has: more counts more. */
export interface Completeness {
  /** 0: without its content. 1: a part of it. 2: all. */
  readonly level: 0 | 1 | 2;
  /** UTF-16 units of its content, or of the JSON of a free value that stands for it. */
  readonly length: number;
}

function toContent(event: DetailedEvent): { readonly text: string; readonly isCut: boolean } {
  switch (event.interactionType) {
    case "user_message":
    case "agent_response":
      return { text: event.content, isCut: event.content.length < event.contentLength };
    case "tool_call":
      return { text: JSON.stringify(event.toolParameters) ?? "", isCut: false };
    case "tool_result":
      return { text: JSON.stringify(event.toolResult) ?? "", isCut: false };
    default:
      return { text: "", isCut: false };
  }
}

/** Tells how much of an event a copy has, by what the copy says of itself. */
export function measureCompleteness(event: DetailedEvent): Completeness {
  const { captured, truncated } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { text, isCut } = toContent(event);
  const { length } = text;
  if (captured === false) return { level: 0, length };
  return { level: truncated === true || isCut ? 1 : 2, length };
}

/** Tells whether a copy has more of an event than another one; two whole ones have the same. */
export function isFuller(copy: Completeness, other: Completeness): boolean {
  if (copy.level !== other.level) return copy.level > other.level;
  return copy.level === 1 && copy.length > other.length;
}
