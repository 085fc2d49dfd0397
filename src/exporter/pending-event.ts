import { addContentHash } from "../events/content-hash.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { toJsonValue } from "../util/safe-json.ts";
import { serialiseEvent, type SerialisedEvent } from "../events/event-size.ts";

/** Serialises an event that is plain JSON, as all are, and for all that any other one. */
function serialise(event: DetailedEvent, limitBytes: number): SerialisedEvent {
  try {
    return serialiseEvent(event, limitBytes);
  } catch {
    const { value } = toJsonValue(event, limitBytes);
    return serialiseEvent(value as unknown as DetailedEvent, limitBytes);
  }
}

/** An event as it is delivered, and its UTF-8 bytes. */
export interface DeliveredJson {
  readonly json: string;
  readonly bytes: number;
}

/** The members that every delivered event ends with, up to the number. */
export function toDeliveredMembers(writerId: string): string {
  return `,"writerId":"${writerId}","sequence":`;
}

/** Adds who wrote an event, and as which, so that the platform can tell when one is missing. */
export function toDeliveredJson(
  { json, bytes }: DeliveredJson,
  writerId: string,
  sequence: number,
): DeliveredJson {
  const members = `${toDeliveredMembers(writerId)}${sequence}}`;
  // Both are ASCII, and the closing brace makes room for the first of them.
  return { json: json.slice(0, -1) + members, bytes: bytes - 1 + members.length };
}

/**
 * An event that waits for delivery; it is serialised and hashed when somebody asks for its bytes, which the
 * memory store does while it makes a batch, off the track path.
 */
export class PendingEvent {
  readonly eventId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** About the bytes of `json`, known without making it. */
  readonly approximateBytes: number;
  readonly #event: DetailedEvent;
  readonly #limitBytes: number;
  #serialised: SerialisedEvent | undefined;

  /** Takes an event that nobody changes any more, but for adding its `contentHash`. */
  constructor(event: DetailedEvent, approximateBytes: number, limitBytes: number) {
    this.eventId = event.eventId;
    this.timestamp = event.timestamp;
    this.approximateBytes = approximateBytes;
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
