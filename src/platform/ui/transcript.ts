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
import { readJudgeResult, type JudgeResult } from "../../events/judge-result.ts";

/** A tool call with its result, as far as either came. */
export interface ToolItem {
  readonly kind: "tool";
  readonly key: string;
  readonly call?: ToolCallEvent;
  result?: ToolResultEvent;
}

/** The judge's result for an answer, and its event. */
export interface ShownJudgeResult {
  readonly result: JudgeResult;
  readonly event: ComplianceViolationEvent;
}

interface EventItem<Kind extends string, Event> {
  readonly kind: Kind;
  readonly key: string;
  readonly event: Event;
}

/** A message; an answer also has the judge's results. */
export interface MessageItem extends EventItem<"message", UserMessageEvent | AgentResponseEvent> {
  readonly judged: readonly ShownJudgeResult[];
}

/** One entry of the transcript. */
export type TranscriptItem =
  | MessageItem
  | ToolItem
  | EventItem<"marker", ConversationEndEvent | ConversationStartEvent>
  | EventItem<"error", ErrorEvent>
  | EventItem<"violation", ComplianceViolationEvent>;

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

/** Groups the judge's results by the answer's event id; answers that are not shown have none. */
function gatherJudged(events: readonly DetailedEvent[]): Map<string, ShownJudgeResult[]> {
  const answers = events.filter(({ interactionType }) => interactionType === "agent_response");
  const judged = new Map(answers.map(({ eventId }) => [eventId, [] as ShownJudgeResult[]]));
  for (const event of events) {
    const result = readJudgeResult(event);
    if (result && event.interactionType === "compliance_violation")
      judged.get(result.eventId)?.push({ result, event });
  }
  return judged;
}

/** Converts events in order of time to a transcript; a tool's result joins its call, the judge's result its answer. */
export function toTranscript(events: readonly DetailedEvent[]): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const waiting: ToolItem[] = [];
  const judged = gatherJudged(events);
  const shown = new Set([...judged.values()].flat().map(({ event }) => event.eventId));
  // The judge's result is shown under its answer.
  for (const event of events.filter(({ eventId }) => !shown.has(eventId))) {
    const key = event.eventId;
    switch (event.interactionType) {
      case "conversation_start":
      case "conversation_end":
        items.push({ kind: "marker", key, event });
        break;
      case "user_message":
      case "agent_response":
        items.push({ kind: "message", key, event, judged: judged.get(key) ?? [] });
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
