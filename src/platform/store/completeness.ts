import type { DetailedEvent } from "../../events/detailed-event.ts";

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

/**
 * Measures how complete a copy is, by its own marks: more counts more.
 *
 * @returns As `level` 0 without its content, 1 with a part of it, 2 with all; as `length` the UTF-16 units of its content, or of
 * the JSON of its free value.
 */
export function measureCompleteness(event: DetailedEvent) {
  const { captured, truncated } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { text, isCut } = toContent(event);
  const partly = truncated === true || isCut ? 1 : 2;
  return { level: captured === false ? 0 : partly, length: text.length };
}

type Completeness = ReturnType<typeof measureCompleteness>;

/** Returns whether a copy is more complete than another one; two whole ones are equal. */
export function isFuller(copy: Completeness, other: Completeness): boolean {
  if (copy.level !== other.level) return copy.level > other.level;
  return copy.level === 1 && copy.length > other.length;
}
