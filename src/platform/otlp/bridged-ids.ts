import { createHash } from "node:crypto";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { BoundedMap } from "../../util/bounded-map.ts";

const MAX_REMEMBERED = 20_000;

/** Writes 16 bytes as a UUID whose meaning is the maker's own. @see RFC 9562, 5.8 */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}

/**
 * Creates a source of ids that an event has by what it says and where: made again of the same span, it is the same
 * event, and is not stored twice.
 *
 * Of events of one span that say the same, each has an id of its own.
 */
export function createBridgedIds(): (
  place: { readonly traceId: string; readonly spanId: string },
  event: DetailedEvent,
) => string {
  const seen = new BoundedMap<string, number>(MAX_REMEMBERED);
  return ({ traceId, spanId }, event) => {
    const { eventId: _, requestId: __, ...said } = event;
    const hash = createHash("sha256").update(JSON.stringify([traceId, spanId, said]));
    const first = hash.copy().digest("hex");
    const count = seen.get(first) ?? 0;
    seen.set(first, count + 1);
    return toUuid(count === 0 ? first : hash.update(String(count)).digest("hex"));
  };
}
