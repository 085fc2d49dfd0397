import type { EventJson } from "./pending-event.ts";

/** The last form of an event; else that it has it already, or that only a later process can tell. */
export type CompletedEvent = EventJson | "unchanged" | "not_now";

/**
 * Makes the last form of an event whose process ended before it could. Never rejects.
 *
 * @param event - JSON of the event, as it is kept.
 * @param exchange - What was kept beside it to make its last form of.
 */
export type CompleteEvent = (event: Buffer, exchange: Buffer) => Promise<CompletedEvent>;
