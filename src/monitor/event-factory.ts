import { countsCacheApart } from "../bridge/reading/read-usage.ts";
import type { ResolvedConfig } from "../config/config.ts";
import { createToCost, type ToCost } from "../config/price-table.ts";
import type { AgentInfo } from "../events/agent.ts";
import { buildEvent } from "../events/build-event.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { MetadataReader } from "../events/metadata-reader.ts";
import type { Subject } from "../telemetry/conversations.ts";
import type { Clock } from "../util/clock.ts";
import { uuidV7 } from "../util/ids.ts";
import { isRecord, readString, toNumber } from "../util/values.ts";

/**
 * Fills in what a model call has cost, where the caller has not said it and the rates are known.
 *
 * The tokens are those of `tokensUsed`, and those of `cacheReadTokens` and `cacheWriteTokens`, which Anthropic and
 * Bedrock count beside the input.
 */
function addCost(
  metadata: MetadataReader,
  agent: AgentInfo | undefined,
  toCost: ToCost | undefined,
): void {
  const tokens = metadata.peek("tokensUsed");
  if (!toCost || !isRecord(tokens) || metadata.has("cost")) return;
  const input = toNumber(tokens["input"]);
  const output = toNumber(tokens["output"]);
  if (input === undefined || output === undefined) return;
  const provider = readString(metadata.peek("provider")) ?? agent?.llmProvider;
  const model = readString(metadata.peek("model")) ?? agent?.model;
  const cost = toCost({
    provider,
    model,
    tokens: {
      input,
      output,
      cacheRead: toNumber(metadata.peek("cacheReadTokens")),
      cacheWrite: toNumber(metadata.peek("cacheWriteTokens")),
      isCacheApart: countsCacheApart(provider),
    },
  });
  metadata.complete("cost", cost);
}

/** About the bytes of an event beside what the caller passed: names, ids, times. */
const OVERHEAD_BYTES = 600;

/** Returns about the bytes of an event. */
export const toApproximateBytes = ({ size }: MetadataReader): number => OVERHEAD_BYTES + size;

/** What an EventFactory works with: what holds for every event. */
export interface EventSettings {
  readonly config: Pick<ResolvedConfig, "environment" | "eventSizeLimit" | "priceTable">;
  readonly clock: Clock;
}

/** Makes events of interactions. */
export class EventFactory {
  readonly #settings: EventSettings;
  readonly #toCost: ToCost | undefined;

  constructor(settings: EventSettings) {
    this.#settings = settings;
    const { priceTable } = settings.config;
    this.#toCost = priceTable && createToCost(priceTable);
  }

  /** Reads metadata, whatever it is. @param extra - Members that came as arguments of their own. */
  read(kind: Interaction["kind"], given: unknown, extra?: object): MetadataReader {
    return new MetadataReader(kind, given, extra, this.#settings.config.eventSizeLimit);
  }

  /** Makes an event. @param known - Its id, and when it happened. Default: it happens now. */
  build(
    interaction: Interaction,
    metadata: MetadataReader,
    subject: Subject,
    known?: { readonly eventId: string; readonly timestamp?: number },
  ): DetailedEvent {
    const { conversation, agent } = subject;
    const { config, clock } = this.#settings;
    addCost(metadata, agent, this.#toCost);
    const eventId = known?.eventId ?? uuidV7(clock.now());
    return buildEvent(interaction, metadata, {
      eventId,
      // A UUID as good as any: nothing else is of a request that has no id.
      requestId: interaction.requestId ?? eventId,
      // Most methods take no user, and an event without one is lost to its customer's file.
      userId: interaction.userId ?? conversation.userId,
      now: known?.timestamp ?? clock.now(),
      environment: config.environment,
      agent,
      totals: conversation,
    });
  }
}
