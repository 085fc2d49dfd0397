import { cutString } from "../util/cut-string.ts";
import { toJsonValue } from "../util/safe-json.ts";
import type { JsonValue } from "../util/values.ts";
import type { RegisteredAgent } from "./agent.ts";
import type {
  AgentCategory,
  BankingSpecialty,
  BaseEvent,
  Environment,
  EventType,
} from "./base-event.ts";
import type { DetailedEvent } from "./detailed-event.ts";
import type { MetadataReader } from "./metadata-reader.ts";

/** A tracked interaction, identified and checked, before it has the shape of its kind. */
export interface Interaction {
  readonly kind: EventType;
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly content?: string | undefined;
  readonly toolName?: string | undefined;
  readonly toolParameters?: unknown;
  readonly toolResult?: unknown;
  readonly executionTime?: number | undefined;
  readonly error?: unknown;
  /** The agent's version at the time; default: as it is registered. */
  readonly agentVersion?: string | undefined;
  readonly agentCategory?: AgentCategory | undefined;
  readonly agentSpecialty?: BankingSpecialty | undefined;
}

/** Totals of a conversation, as this process has seen it. */
export interface ConversationTotals {
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly errorCount: number;
  /** Mean time in ms from a user message to the answer. */
  readonly averageResponseMillis?: number | undefined;
}

export interface BuildOptions {
  readonly eventId: string;
  readonly requestId: string;
  readonly userId?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly environment: Environment;
  /** The agent as it is registered at the moment. */
  readonly agent?: RegisteredAgent | undefined;
  /** Needed for the end of a conversation alone. */
  readonly totals?: ConversationTotals | undefined;
  /** Bound of content and of every free value, in UTF-16 units. */
  readonly maxLength: number;
}

/** Returns an interaction the shape of its kind; the base is the event that it completes. */
export type Build = (
  base: BaseEvent,
  interaction: Interaction,
  metadata: MetadataReader,
  options: BuildOptions,
) => DetailedEvent;

/** Content within the bound; what is cut is marked. */
export function toContent(content: string, maxLength: number, metadata: MetadataReader): string {
  const cut = cutString(content, maxLength);
  if (cut.length < content.length) metadata.add("truncated", true);
  metadata.size += cut.length;
  return cut;
}

/** A copy of any value within the bound; what is cut is marked. */
export function toFreeValue(
  value: unknown,
  maxLength: number,
  metadata: MetadataReader,
): JsonValue {
  const copy = toJsonValue(value, maxLength);
  if (copy.truncated) metadata.add("truncated", true);
  metadata.size += copy.length;
  return copy.value;
}
