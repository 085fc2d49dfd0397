import { listMembers, readArgument, type GivenIdentity } from "./arguments.ts";
import { eventTypeSchema, type EventType } from "../events/base-event.ts";
import type { GivenMetadata } from "./interaction-recorder.ts";

/** Values of an interaction as the caller passed them. */
export interface GivenValues {
  readonly content?: unknown;
  readonly toolName?: unknown;
  readonly toolParameters?: unknown;
  readonly toolResult?: unknown;
  readonly executionTime?: number | undefined;
  readonly error?: unknown;
}

/** What `track` reads out of an InteractionEvent. */
export interface GivenInteraction {
  readonly kind: EventType;
  readonly identity: Omit<GivenIdentity, "agentId">;
  readonly values: GivenValues;
  readonly metadata: GivenMetadata;
}

/** Members that have a typed place in these kinds only; in the others they go into the metadata. */
const KINDS_OF_MEMBER: Readonly<Record<string, readonly EventType[]>> = {
  content: ["user_message", "agent_response", "error", "compliance_violation"],
  toolName: ["tool_call", "tool_result"],
  toolParameters: ["tool_call"],
  toolResult: ["tool_result"],
  errorType: [],
  errorCode: [],
  severity: [],
};

const KNOWN_MEMBERS = new Set([
  ...Object.keys(KINDS_OF_MEMBER),
  "sessionId",
  "conversationId",
  "userId",
  "interactionType",
  "metadata",
]);

const MAX_UNKNOWN_MEMBERS = 100;

/** Reads some members of anything; what is absent or can't be read is left out. */
export function pickMembers(source: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = readArgument(source, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** Reads an InteractionEvent, whatever it is; `undefined` when its kind can't be told. */
export function readInteractionEvent(event: unknown): GivenInteraction | undefined {
  const kind = eventTypeSchema.safeParse(readArgument(event, "interactionType"));
  if (!kind.success) return undefined;
  const content = readArgument(event, "content");
  // Members that the type does not know, and those that this kind has no place for.
  const unknown = listMembers(event)
    .filter((name) => !KNOWN_MEMBERS.has(name))
    .slice(0, MAX_UNKNOWN_MEMBERS);
  const untyped = Object.entries(KINDS_OF_MEMBER).filter(([, kinds]) => !kinds.includes(kind.data));
  const names = [...untyped.map(([name]) => name), ...unknown];
  return {
    kind: kind.data,
    identity: {
      sessionId: readArgument(event, "sessionId"),
      conversationId: readArgument(event, "conversationId"),
      userId: readArgument(event, "userId"),
    },
    values: {
      content,
      // An error may be told by its type alone.
      error: content ?? readArgument(event, "errorType") ?? "",
      toolName: readArgument(event, "toolName"),
      toolParameters: readArgument(event, "toolParameters"),
      toolResult: readArgument(event, "toolResult"),
    },
    metadata: { metadata: readArgument(event, "metadata"), extra: pickMembers(event, names) },
  };
}
