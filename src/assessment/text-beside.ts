import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";

/** Gives what an agent said beside asking for a tool as the rules judge it: as an answer, of the same moment. */
export function toSaid(call: DetailedEvent, text: string): AgentResponseEvent {
  const { metadata: _, ...base } = call;
  return {
    ...base,
    interactionType: "agent_response",
    content: text,
    contentLength: text.length,
  };
}

/** Gives a tool call as it stands while, or where, no rule has seen the text beside it. */
export function markUnread(call: DetailedEvent): DetailedEvent {
  const metadata = { ...call.metadata, evaluated: false, requiresReview: true };
  return { ...call, metadata };
}

/** Takes that mark off; `undefined` when there is none. */
export function withoutUnreadMark(call: DetailedEvent): DetailedEvent | undefined {
  const { evaluated, requiresReview, ...metadata } = { ...call.metadata } as Record<
    string,
    unknown
  >;
  if (call.interactionType !== "tool_call" || evaluated !== false || requiresReview !== true)
    return undefined;
  const { metadata: _, ...base } = call;
  return Object.keys(metadata).length > 0 ? { ...base, metadata } : base;
}
