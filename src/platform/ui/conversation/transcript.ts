import type { ComplianceFlag } from "../../../events/compliance.ts";
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
} from "../../../events/detailed-event.ts";
import { readJudgeResult, type JudgeResult } from "../../../events/judge-result.ts";

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

/** A rule's finding that came after its answer, and its event. */
interface LateFinding {
  readonly flag: ComplianceFlag;
  readonly event: ComplianceViolationEvent;
}

interface EventItem<Kind extends string, Event> {
  readonly kind: Kind;
  readonly key: string;
  readonly event: Event;
}

/** A message; an answer also has the judge's results, and what rules have found late. */
export interface MessageItem extends EventItem<"message", UserMessageEvent | AgentResponseEvent> {
  readonly judged: readonly ShownJudgeResult[];
  readonly late: readonly LateFinding[];
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

/** What other events say of an answer. */
interface Attached {
  readonly judged: ShownJudgeResult[];
  readonly late: LateFinding[];
}

/** Reads a rule's finding that came after its answer, and the answer's event id. Others may have sent it. */
function readLate({
  metadata,
}: ComplianceViolationEvent): { eventId: string; flag: ComplianceFlag } | undefined {
  const { eventId, finding } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof eventId !== "string" || typeof finding !== "object" || finding === null)
    return undefined;
  const flag = finding as ComplianceFlag;
  const { rule, category, severity, description } = flag;
  const isFlag = [rule, category, severity, description].every((part) => typeof part === "string");
  return isFlag ? { eventId, flag } : undefined;
}

/** Gathers what is said of each answer, by its event id; what is said of answers that are not shown is left out. */
function gatherAttached(events: readonly DetailedEvent[]): Map<string, Attached> {
  const answers = events.filter(({ interactionType }) => interactionType === "agent_response");
  const attached = new Map(
    answers.map(({ eventId }): [string, Attached] => [eventId, { judged: [], late: [] }]),
  );
  for (const event of events) {
    if (event.interactionType !== "compliance_violation") continue;
    const result = readJudgeResult(event);
    const late = result ? undefined : readLate(event);
    if (result) attached.get(result.eventId)?.judged.push({ result, event });
    else if (late) attached.get(late.eventId)?.late.push({ flag: late.flag, event });
  }
  return attached;
}

const NOTHING_ATTACHED: Attached = { judged: [], late: [] };

/** Converts events in order of time to a transcript; a tool's result joins its call, the judge's result and a late finding their answer. */
export function toTranscript(events: readonly DetailedEvent[]): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const waiting: ToolItem[] = [];
  const attached = gatherAttached(events);
  const shown = new Set(
    [...attached.values()]
      .flatMap(({ judged, late }) => [...judged, ...late])
      .map(({ event }) => event.eventId),
  );
  for (const event of events.filter(({ eventId }) => !shown.has(eventId))) {
    const key = event.eventId;
    switch (event.interactionType) {
      case "conversation_start":
      case "conversation_end":
        items.push({ kind: "marker", key, event });
        break;
      case "user_message":
      case "agent_response":
        items.push({ kind: "message", key, event, ...(attached.get(key) ?? NOTHING_ATTACHED) });
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
