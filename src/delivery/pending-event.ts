import { addContentHash } from "../events/content-hash.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { serialiseEvent, type SerialisedEvent } from "../events/event-size.ts";
import { toJsonValue } from "../util/safe-json.ts";

/** Serialises an event; one that is not plain JSON, which none should be, is converted first. */
function serialise(event: DetailedEvent, limitBytes: number): SerialisedEvent {
  try {
    return serialiseEvent(event, limitBytes);
  } catch {
    const { value } = toJsonValue(event, limitBytes);
    return serialiseEvent(value as unknown as DetailedEvent, limitBytes);
  }
}

/** Returns the last members of every delivered event, up to the number of `sequence`. */
export function toDeliveredMembers(writerId: string): string {
  return `,"writerId":"${writerId}","sequence":`;
}

/** A serialised event. */
export interface EventJson {
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
}

/**
 * Writes an event's JSON as it is delivered: with its writer and its sequence, so that the platform sees when an
 * event is missing.
 *
 * @param members - `toDeliveredMembers`, the sequence and the closing brace.
 * @returns End of the event in the buffer, which must have room for `bytes - 1` and the members.
 */
export function writeDeliveredJson(
  { json, bytes }: EventJson,
  members: string,
  buffer: Buffer,
  offset: number,
): number {
  // As many bytes as characters: nothing has to be encoded.
  buffer.write(json, offset, bytes === json.length ? "latin1" : "utf8");
  // Overwrites the closing brace.
  const end = offset + bytes - 1;
  return end + buffer.write(members, end, "latin1");
}

/**
 * An event that waits for delivery; it is serialised and hashed at the first access to its bytes, which the
 * memory store makes while it makes a batch, off the track path.
 */
export class PendingEvent {
  readonly eventId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** Approximate bytes of `json`, known without making it. */
  readonly approximateBytes: number;
  /** Whether its final form replaces it before it is sent. */
  readonly isProvisional: boolean;
  /** Returns the exchange from which another process would make the final form if this one is killed; never sent. */
  readonly toExchange: (() => string | undefined) | undefined;
  readonly #event: DetailedEvent;
  readonly #limitBytes: number;
  #serialised: SerialisedEvent | undefined;

  /** @param event - Not changed by anybody any more, but for adding its `contentHash`. */
  constructor(
    event: DetailedEvent,
    approximateBytes: number,
    limitBytes: number,
    isProvisional = false,
    toExchange?: () => string | undefined,
  ) {
    this.eventId = event.eventId;
    this.timestamp = event.timestamp;
    this.approximateBytes = approximateBytes;
    this.isProvisional = isProvisional;
    this.toExchange = toExchange;
    this.#event = event;
    this.#limitBytes = limitBytes;
  }

  get json(): string {
    return this.#serialise().json;
  }

  /** UTF-8 bytes of `json`. */
  get bytes(): number {
    return this.#serialise().bytes;
  }

  #serialise(): SerialisedEvent {
    if (!this.#serialised) {
      addContentHash(this.#event);
      this.#serialised = serialise(this.#event, this.#limitBytes);
    }
    return this.#serialised;
  }
}

/** The final form of an event; else that it has it already, or that only a later process can make it. */
export type CompletedEvent = EventJson | "unchanged" | "not_now";

/**
 * Makes the final form of an event whose process ended before it could. Never rejects.
 *
 * @param event - JSON of the event, as it is stored.
 * @param exchange - The exchange that was kept beside it, from which the final form is made.
 */
export type CompleteEvent = (event: Buffer, exchange: Buffer) => Promise<CompletedEvent>;
