import { readString } from "../util/values.ts";
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

/** Whom an interaction belongs to. */
type InteractionIdentity = Pick<
  Interaction,
  "agentId" | "sessionId" | "conversationId" | "userId" | "requestId" | "agentVersion"
>;

/** What happened, as a caller or a span says it: a content or a name that is no text is left out. */
interface InteractionValues extends Pick<
  Interaction,
  "toolParameters" | "toolResult" | "executionTime" | "error"
> {
  readonly content?: unknown;
  readonly toolName?: unknown;
}

/**
 * Creates an interaction.
 *
 * Member by member, so that all have one shape: spreads took a tenth of the time of the paths that make and read them.
 */
export function createInteraction(
  kind: EventType,
  identity: InteractionIdentity,
  values: InteractionValues,
  agent?: Pick<Interaction, "agentCategory" | "agentSpecialty">,
): Interaction {
  return {
    kind,
    agentId: identity.agentId,
    sessionId: identity.sessionId,
    conversationId: identity.conversationId,
    userId: identity.userId,
    requestId: identity.requestId,
    content: readString(values.content),
    toolName: readString(values.toolName),
    toolParameters: values.toolParameters,
    toolResult: values.toolResult,
    executionTime: values.executionTime,
    error: values.error,
    agentVersion: identity.agentVersion,
    agentCategory: agent?.agentCategory,
    agentSpecialty: agent?.agentSpecialty,
  };
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
