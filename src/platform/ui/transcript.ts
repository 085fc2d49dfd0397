import type {
  AgentResponseEvent,
  ComplianceViolationEvent,
  ConversationEndEvent,
  ConversationStartEvent,
  DetailedEvent,
  ErrorEvent,
  ToolCallEvent,
  ToolResultEvent,
  UserMessageEvent,
} from "../../events/detailed-event.ts";

/** A tool call with its result, as far as either came. */
export interface ToolItem {
  readonly kind: "tool";
  readonly key: string;
  readonly call?: ToolCallEvent;
  result?: ToolResultEvent;
}

/** One entry of the transcript. */
export type TranscriptItem =
  | {
      readonly kind: "marker";
      readonly key: string;
      readonly event: ConversationStartEvent | ConversationEndEvent;
    }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly event: UserMessageEvent | AgentResponseEvent;
    }
  | { readonly kind: "error"; readonly key: string; readonly event: ErrorEvent }
  | { readonly kind: "violation"; readonly key: string; readonly event: ComplianceViolationEvent }
  | ToolItem;

function readToolCallId(event: ToolCallEvent | ToolResultEvent): unknown {
  return event.metadata?.["toolCallId"];
}

function takeCall(waiting: ToolItem[], result: ToolResultEvent): ToolItem | undefined {
  const id = readToolCallId(result);
  const index = waiting.findIndex(({ call }) => {
    if (call?.toolName !== result.toolName) return false;
    const callId = readToolCallId(call);
    return id === undefined || callId === undefined || callId === id;
  });
  return index === -1 ? undefined : waiting.splice(index, 1)[0];
}

/** Turns events in order of time into a transcript; a tool's result joins its call. */
export function toTranscript(events: readonly DetailedEvent[]): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const waiting: ToolItem[] = [];
  for (const event of events) {
    const key = event.eventId;
    switch (event.interactionType) {
      case "conversation_start":
      case "conversation_end":
        items.push({ kind: "marker", key, event });
        break;
      case "user_message":
      case "agent_response":
        items.push({ kind: "message", key, event });
        break;
      case "tool_call": {
        const item: ToolItem = { kind: "tool", key, call: event };
        waiting.push(item);
        items.push(item);
        break;
      }
      case "tool_result": {
        const item = takeCall(waiting, event);
        if (item) item.result = event;
        else items.push({ kind: "tool", key, result: event });
        break;
      }
      case "error":
        items.push({ kind: "error", key, event });
        break;
      case "compliance_violation":
        items.push({ kind: "violation", key, event });
        break;
    }
  }
  return items;
}
