import type { DetailedEvent } from "../../events/detailed-event.ts";

/** Last time that a Date can hold; an event's timestamp may be later. */
const MAX_DATE = 8.64e15;

/** Writes a time as ISO 8601 in UTC. */
export function toIsoTime(millis: number): string {
  return new Date(Math.min(millis, MAX_DATE)).toISOString();
}

function toJson(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** Writes what an event says as text for people. */
export function describeEvent(event: DetailedEvent): string {
  switch (event.interactionType) {
    case "user_message":
    case "agent_response":
      return event.content;
    case "tool_call":
      return `${event.toolName} ${toJson(event.toolParameters)}`;
    case "tool_result":
      return `${event.toolName} ${toJson(event.toolResult)}`;
    case "error":
      return `${event.errorType}: ${event.errorMessage}`;
    case "compliance_violation":
      return event.description;
    case "conversation_start":
    case "conversation_end":
      return "";
  }
}
