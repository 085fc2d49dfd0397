import { createHash } from "node:crypto";
import { type BridgedEvent, toDetailedEvent } from "../../bridge/bridged-event.ts";
import { type BridgeRecord, type BridgeSpan } from "../../bridge/bridge-span.ts";
import { EventBridge } from "../../bridge/event-bridge.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { Clock } from "../../util/clock.ts";
import type { BurstLogger } from "../../util/logger.ts";

const MAX_REMEMBERED = 20_000;

/** Writes 16 bytes as a UUID of version 8, whose meaning is ours. @see RFC 9562, 5.8 */
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
 * Creates a source of ids that depend on the event's content and span: an event created again from one span has the
 * same id, and is not stored twice.
 *
 * Of equal events of one span, each has an id of its own.
 */
function createBridgedIds(): (
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

/** Organizations whose traces are gathered at a time; sessions of two must not be merged. */
const MAX_ORGANIZATIONS = 8;

// Exporters send spans every 5 s and log records every 1 to 5 s, so parts of a trace arrive far apart.
const LIMITS = { settleMillis: 2000, orphanMillis: 12_000, maxBytes: 32 * 1024 * 1024 };

/** Environment of the events: senders to a development platform don't report one. */
const ENVIRONMENT = "development";
/** Bound of content in UTF-16 units, as the SDK has it. */
const MAX_LENGTH = 256 * 1024;

/** Where the first that waits of a trace has come. */
export interface Place {
  /** Number of its arrival. */
  readonly seq: number;
  /** Rows that were read before it. */
  readonly rows: number;
  /** Bytes that were read before it. */
  readonly bytes: number;
}

/** A trace of which something waits. */
interface Gathered {
  readonly organizationId: string;
  readonly traceId: string;
  readonly place: Place;
  /** Number of the last arrival of it. */
  lastSeq: number;
}

/** What a mapper works with. */
interface MapperOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Gets the JSON of each event. */
  readonly onEvent: (organizationId: string, json: string) => void;
}

/** Makes the events of stored spans and log records, for each organization by itself. */
export class EventMapper {
  readonly #options: MapperOptions;
  readonly #bridges = new BoundedMap<string, EventBridge>(MAX_ORGANIZATIONS, (bridge) =>
    bridge.shutdown(),
  );
  /** Traces of which something waits, the one that began first first. */
  readonly #gathered = new Map<string, Gathered>();

  constructor(options: MapperOptions) {
    this.#options = options;
  }

  /** Where the oldest has come that waits for more of its trace. */
  get oldest(): Place | undefined {
    return this.#gathered.values().next().value?.place;
  }

  takeSpan(organizationId: string, span: BridgeSpan, place: Place): void {
    const bridge = this.#findBridge(organizationId);
    bridge.onEnd(span);
    this.#note(bridge, organizationId, span.spanContext().traceId, place);
  }

  takeRecord(organizationId: string, record: BridgeRecord, place: Place): void {
    const bridge = this.#findBridge(organizationId);
    const placed = bridge.placeRecord(record);
    if (typeof placed !== "object") return;
    bridge.takeRecord(placed);
    this.#note(bridge, organizationId, placed.traceId, place);
  }

  /** Makes the events of the traces that wait the longest, as much of them as has come. */
  releaseOldest(isToRelease: (place: Place) => boolean): void {
    for (const gathered of this.#gathered.values()) {
      if (!isToRelease(gathered.place)) return;
      this.#release(gathered);
    }
  }

  /** Makes the events of what waits of which nothing came behind an arrival. */
  releaseUpTo(seq: number): void {
    for (const gathered of this.#gathered.values())
      if (gathered.lastSeq <= seq) this.#release(gathered);
  }

  /** Makes the events of all that waits. */
  drain(): void {
    for (const bridge of this.#bridges.values()) bridge.drain();
  }

  #release({ organizationId, traceId }: Gathered): void {
    this.#bridges.get(organizationId)?.release([traceId]);
    this.#gathered.delete(organizationId + traceId);
  }

  #note(bridge: EventBridge, organizationId: string, traceId: string, place: Place): void {
    const key = organizationId + traceId;
    const known = this.#gathered.get(key);
    if (known) known.lastSeq = place.seq;
    else if (bridge.isWaiting(traceId))
      this.#gathered.set(key, { organizationId, traceId, place, lastSeq: place.seq });
  }

  #findBridge(organizationId: string): EventBridge {
    const known = this.#bridges.get(organizationId);
    if (known) return known;
    const bridge = this.#createBridge(organizationId);
    this.#bridges.set(organizationId, bridge);
    return bridge;
  }

  #createBridge(organizationId: string): EventBridge {
    const { clock, log, onEvent } = this.#options;
    const toId = createBridgedIds();
    const settings = { eventId: "", environment: ENVIRONMENT, maxLength: MAX_LENGTH } as const;
    return new EventBridge({
      clock,
      log,
      limits: LIMITS,
      onEvent(bridged: BridgedEvent) {
        const event = toDetailedEvent(bridged, settings);
        const eventId = toId(bridged, event);
        const made = { ...event, eventId, requestId: event.requestId || eventId };
        onEvent(organizationId, JSON.stringify(made));
      },
      onEmitted: (traceIds) => {
        for (const traceId of traceIds) this.#gathered.delete(organizationId + traceId);
      },
    });
  }
}
