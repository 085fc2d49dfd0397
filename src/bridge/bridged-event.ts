import { buildEvent } from "../events/build-event.ts";
import type { Environment } from "../events/base-event.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { MetadataReader } from "../events/metadata-reader.ts";

/** Something that an agent, its user, its model or a tool did, as another instrumentation's telemetry tells it. */
export interface BridgedEvent {
  /** Made of where it comes from: the same for the same span, whichever way it comes. */
  readonly eventId: string;
  readonly interaction: Interaction;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly traceId: string;
  /** The span that it was read from. */
  readonly spanId: string;
  /** Of an answer, what the user had said. */
  readonly userMessage?: string | undefined;
  /** Of a tool call, what the agent said beside asking for it, where the user may have read that. */
  readonly agentText?: string | undefined;
}

/** What an event gets that no span tells. */
export interface BridgedEventOptions {
  readonly eventId: string;
  readonly environment: Environment;
  /** Bound of content and of every free value, in UTF-16 units. */
  readonly maxLength: number;
}

/** Converts a bridged event to the shape of its kind, without the rules and the agent's profile. */
export function toDetailedEvent(
  { interaction, metadata, timestamp }: BridgedEvent,
  { eventId, environment, maxLength }: BridgedEventOptions,
): DetailedEvent {
  const reader = new MetadataReader(interaction.kind, metadata, undefined, maxLength);
  return buildEvent(interaction, reader, {
    eventId,
    requestId: interaction.requestId ?? eventId,
    userId: interaction.userId,
    now: timestamp,
    environment,
    maxLength,
  });
}
