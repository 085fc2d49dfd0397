import type { Subject } from "../assessment/answer-check.ts";
import type { BuildOptions, Interaction } from "../events/event-builder.ts";
import { toTotals } from "../telemetry/conversations.ts";
import type { Clock } from "../util/clock.ts";
import { uuidV7 } from "../util/ids.ts";

/** What holds for every event. */
export interface EventSettings {
  readonly config: {
    readonly environment: BuildOptions["environment"];
    readonly eventSizeLimit: number;
  };
  readonly clock: Clock;
}

/**
 * Gathers what an event says beside its interaction: ids, time, what is known of its agent and its conversation.
 *
 * @param known - Its id, and when it happened, ms since the Unix epoch, if that is known; else it happens now.
 */
export function toBuildOptions(
  interaction: Interaction,
  { conversation, agent }: Subject,
  { config, clock }: EventSettings,
  known: { readonly eventId: string; readonly timestamp: number } | undefined,
): BuildOptions {
  const now = known?.timestamp ?? clock.now();
  const eventId = known?.eventId ?? uuidV7(clock.now());
  return {
    eventId,
    // A UUID as good as any: nothing else is of a request that has no id.
    requestId: interaction.requestId ?? eventId,
    // Most methods take no user, and an event without one is lost to its customer's file.
    userId: interaction.userId ?? conversation.userId,
    now,
    environment: config.environment,
    agent,
    totals: interaction.kind === "conversation_end" ? toTotals(conversation) : undefined,
    maxLength: config.eventSizeLimit,
  };
}
