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
  messageCount: number;
  toolCallCount: number;
  errorCount: number;
  /** Answers to user messages, and the time in ms that all of them took. */
  responseCount: number;
  responseMillis: number;
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
  readonly totals?: Readonly<ConversationTotals> | undefined;
}

/** Returns an interaction the shape of its kind; the base is the event that it completes. */
export type Build = (
  base: BaseEvent,
  interaction: Interaction,
  metadata: MetadataReader,
  options: BuildOptions,
) => DetailedEvent;
