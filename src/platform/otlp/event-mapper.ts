import { EventBridge } from "../../bridge/event-bridge.ts";
import { toDetailedEvent, type BridgedEvent } from "../../bridge/bridged-event.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { countNoun } from "../../util/count-noun.ts";
import { createBurstLogger, toErrorName } from "../../util/logger.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import type { Store } from "../store/store.ts";
import type { Steps, Turns } from "../turns.ts";
import { createBridgedIds } from "./bridged-ids.ts";
import type { ReceivedLogRecord, ReceivedSpan } from "./received.ts";
import { storeEvents } from "./store-events.ts";

/** What came in one request and had not come before. */
export interface NewTelemetry {
  readonly spans: readonly ReceivedSpan[];
  readonly records: readonly ReceivedLogRecord[];
  readonly organizationId: string;
}

/** Makes events of foreign spans and log records, and stores them as those of a batch. */
export interface EventMapper {
  /** Takes what came; its events are stored once all of a trace seems to be there. Never throws. */
  map(telemetry: NewTelemetry): Steps<void>;
  /** Stores what is still being gathered, and takes nothing more. */
  close(): Promise<void>;
}

/** Organizations whose traces are gathered at a time; sessions of two must not be taken for one. */
const MAX_ORGANIZATIONS = 8;
const MAX_EVENTS_PER_BATCH = 500;

// Exporters send spans every 5 s and log records every 1 to 5 s, so that parts of a trace come far from each other.
const LIMITS = { settleMillis: 2000, orphanMillis: 12_000, maxBytes: 32 * 1024 * 1024 };

/** Nobody says what kind of deployment sends to a platform for development. */
const ENVIRONMENT = "development";
/** Bound of content in UTF-16 units, as the SDK has it. */
const MAX_LENGTH = 256 * 1024;

type Options = Pick<ResolvedOptions, "clock" | "logger">;

/** Creates the mapper of one organization. */
function createOrganizationMapper(
  { store, turns }: { readonly store: Store; readonly turns: Turns },
  organizationId: string,
  { clock, logger }: Options,
): EventMapper {
  const toId = createBridgedIds();
  const log = createBurstLogger(logger, clock);
  let pending: DetailedEvent[] = [];
  let cancel: (() => void) | undefined;

  const storeAll = async (events: readonly DetailedEvent[]): Promise<void> => {
    try {
      const origin = { organizationId, now: clock.now() };
      const { accepted, rejected } = await storeEvents(store, turns, events, origin);
      logger.info(`spans: ${countNoun(accepted, "event")} made, ${rejected} rejected`);
    } catch (error) {
      const lost = countNoun(events.length, "event");
      logger.error(`spans: ${lost} could not be stored: ${toErrorName(error)}`);
    }
  };
  let storing: Promise<unknown> = Promise.resolve();

  const storePending = (): void => {
    cancel?.();
    cancel = undefined;
    if (pending.length === 0) return;
    const events = pending;
    pending = [];
    storing = Promise.all([storing, storeAll(events)]);
  };

  const onEvent = (bridged: BridgedEvent): void => {
    const settings = { eventId: "", environment: ENVIRONMENT, maxLength: MAX_LENGTH } as const;
    const event = toDetailedEvent(bridged, settings);
    const eventId = toId(bridged, event);
    pending.push({ ...event, eventId, requestId: event.requestId || eventId });
    if (pending.length >= MAX_EVENTS_PER_BATCH) storePending();
    // The events of a trace are told one after the other, and belong into one batch.
    else cancel ??= clock.schedule(storePending, 0);
  };

  const bridge = new EventBridge({ onEvent, clock, log, limits: LIMITS });
  return {
    *map({ spans, records }) {
      for (const record of records) {
        yield;
        bridge.onLogRecord(record);
      }
      for (const span of spans) {
        yield;
        bridge.onEnd(span);
      }
    },
    async close() {
      bridge.shutdown();
      storePending();
      await storing;
      log.flush();
    },
  };
}

/** Creates the mapper of a platform. */
export function createEventMapper(store: Store, turns: Turns, options: Options): EventMapper {
  const mappers = new BoundedMap<string, EventMapper>(
    MAX_ORGANIZATIONS,
    (mapper) => void mapper.close(),
  );
  return {
    map(telemetry) {
      const { organizationId } = telemetry;
      let mapper = mappers.get(organizationId);
      if (!mapper) {
        mapper = createOrganizationMapper({ store, turns }, organizationId, options);
        mappers.set(organizationId, mapper);
      }
      return mapper.map(telemetry);
    },
    async close() {
      await Promise.all(Array.from(mappers.values(), (mapper) => mapper.close()));
      mappers.clear();
    },
  };
}
