import type { Subject } from "../assessment/answer-check.ts";
import { addCost } from "./call-cost.ts";
import type { ResolvedConfig } from "../config/config.ts";
import { buildEvent } from "../events/build-event.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { MetadataReader } from "../events/metadata-reader.ts";
import { createToCost, type ToCost } from "../config/price-table.ts";
import { toBuildOptions, type EventSettings } from "./build-options.ts";

/** What is known of an event that did not happen just now. */
export interface KnownEvent {
  readonly eventId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
}

/** About the bytes of an event beside what the caller passed: names, ids, times. */
const OVERHEAD_BYTES = 600;

/** Gives about the bytes of an event. */
export const toApproximateBytes = ({ size }: MetadataReader): number => OVERHEAD_BYTES + size;

/** What an EventFactory works with. */
export interface EventFactorySettings extends EventSettings {
  readonly config: EventSettings["config"] & Pick<ResolvedConfig, "priceTable">;
}

/** Makes events of interactions. */
export class EventFactory {
  readonly #settings: EventFactorySettings;
  readonly #toCost: ToCost | undefined;

  constructor(settings: EventFactorySettings) {
    this.#settings = settings;
    const { priceTable } = settings.config;
    this.#toCost = priceTable && createToCost(priceTable);
  }

  /** Reads metadata, whatever it is. @param extra - Members that came as arguments of their own. */
  read(kind: Interaction["kind"], given: unknown, extra?: object): MetadataReader {
    return new MetadataReader(kind, given, extra, this.#settings.config.eventSizeLimit);
  }

  /** Makes an event. @param known - Default: it happens now. */
  build(
    interaction: Interaction,
    metadata: MetadataReader,
    subject: Subject,
    known?: KnownEvent,
  ): DetailedEvent {
    addCost(metadata, subject.agent, this.#toCost);
    const options = toBuildOptions(interaction, subject, this.#settings, known);
    return buildEvent(interaction, metadata, options);
  }
}
