import { createHash } from "node:crypto";
import { type BridgedEvent, toDetailedEvent } from "../../bridge/bridged-event.ts";
import { EventBridge } from "../../bridge/event-bridge.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { createBurstLogger } from "../../util/logger.ts";
import type { Steps } from "../turns.ts";
import { EventQueue, type EventQueueOptions } from "./event-queue.ts";
import type { ReceivedLogRecord, ReceivedSpan } from "./received.ts";

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

/** New items of one request. */
export interface NewTelemetry {
  readonly spans?: readonly ReceivedSpan[];
  readonly records?: readonly ReceivedLogRecord[];
  readonly organizationId: string;
}

/** Organizations whose traces are gathered at a time; sessions of two must not be merged. */
const MAX_ORGANIZATIONS = 8;

// Exporters send spans every 5 s and log records every 1 to 5 s, so parts of a trace arrive far apart.
const LIMITS = { settleMillis: 2000, orphanMillis: 12_000, maxBytes: 32 * 1024 * 1024 };

/** Environment of the events: senders to a development platform don't report one. */
const ENVIRONMENT = "development";
/** Bound of content in UTF-16 units, as the SDK has it. */
const MAX_LENGTH = 256 * 1024;

/** Creates the mapper of one organization. */
function createOrganizationMapper(options: EventQueueOptions) {
  const { clock, logger } = options;
  const toId = createBridgedIds();
  const log = createBurstLogger(logger, clock);
  const queue = new EventQueue(options);

  const onEvent = (bridged: BridgedEvent): void => {
    const settings = { eventId: "", environment: ENVIRONMENT, maxLength: MAX_LENGTH } as const;
    const event = toDetailedEvent(bridged, settings);
    const eventId = toId(bridged, event);
    queue.add({ ...event, eventId, requestId: event.requestId || eventId });
  };

  const bridge = new EventBridge({ onEvent, clock, log, limits: LIMITS });
  return {
    get isFull() {
      return queue.isFull;
    },
    *map({ spans = [], records = [] }: NewTelemetry): Steps<void> {
      for (const record of records) {
        yield;
        bridge.onLogRecord(record);
      }
      for (const span of spans) {
        yield;
        bridge.onEnd(span);
      }
    },
    async close(): Promise<void> {
      bridge.shutdown();
      await queue.close();
      log.flush();
    },
  };
}

/** Creates the mapper of a platform. */
export function createEventMapper(options: Omit<EventQueueOptions, "organizationId">) {
  const mappers = new BoundedMap<string, ReturnType<typeof createOrganizationMapper>>(
    MAX_ORGANIZATIONS,
    (mapper) => void mapper.close(),
  );
  return {
    /** Whether so many events wait for the store that no more telemetry should be acknowledged. */
    get isFull() {
      return [...mappers.values()].some((mapper) => mapper.isFull);
    },
    /** Takes new telemetry; its events are stored once all of a trace seems to be there. Never throws. */
    map(telemetry: NewTelemetry): Steps<void> {
      const { organizationId } = telemetry;
      const known = mappers.get(organizationId);
      const mapper = known ?? createOrganizationMapper({ ...options, organizationId });
      if (!known) mappers.set(organizationId, mapper);
      return mapper.map(telemetry);
    },
    /** Stores the telemetry being gathered, and takes no more. */
    async close(): Promise<void> {
      await Promise.all(Array.from(mappers.values(), (mapper) => mapper.close()));
      mappers.clear();
    },
  };
}

/** Converts foreign spans and log records to events, and stores these as a batch. */
export type EventMapper = ReturnType<typeof createEventMapper>;
