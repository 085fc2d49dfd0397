import type { Context } from "hono";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../delivery-routes.ts";
import { storeUnavailable } from "../health-routes.ts";
import { type BodyLease, readBody } from "../read-body.ts";
import type { Arrival } from "../store/bounded-rows.ts";
import { addLogRecords, createDigester, type Digester } from "../store/log-store.ts";
import { addSpans } from "../store/span-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import type { NewTelemetry } from "./event-mapper.ts";
import { type CountName, toSuccessResponse } from "./otlp-response.ts";
import {
  BODY_FACTOR,
  LOG_RECORDS,
  readOtlpFormat,
  readTelemetry,
  SPANS,
  type TelemetryKind,
} from "./read-telemetry.ts";
import type { ReceivedLogRecord, ReceivedSpan } from "./received.ts";

/** One kind of telemetry: how its requests are read and stored. */
interface Signal<Item> {
  readonly noun: "log records" | "spans";
  readonly countName: CountName;
  readonly kind: TelemetryKind<Item>;
  readonly add: (
    database: SqlDatabase,
    items: readonly Item[],
    arrival: Arrival & { readonly toDigest: Digester },
  ) => Steps<readonly Item[]>;
  readonly toTelemetry: (items: readonly Item[]) => Omit<NewTelemetry, "organizationId">;
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

type Receive = (platform: PlatformContext, context: Context, lease: BodyLease) => Promise<Response>;

function createReceiver<Item extends object>(signal: Signal<Item>): Receive {
  const { noun, countName, toTelemetry } = signal;
  return async ({ options, store, turns, authenticator, mapper }, { req: { raw } }, lease) => {
    const organizationId = authenticator.authenticateTelemetry(raw);
    // Acknowledged telemetry must become events, and earlier ones still wait for the store.
    if (mapper.isFull) throw storeUnavailable();
    const format = readOtlpFormat(raw);
    const maxBytes = options.maxBodyBytes * BODY_FACTOR;
    const { bytes } = await readBody(raw, { maxBytes, lease });
    const receivedAt = options.clock.now();
    const received = await turns.take(readTelemetry({ bytes, format }, signal.kind, receivedAt));
    const { items, rejected } = received;
    const arrival = { organizationId, receivedAt, toDigest: createDigester() };
    const added: Item[] = [];
    // A repeated item is recognised, so a request that was only stored in part can simply be repeated.
    for (let first = 0; first < items.length; first += PART_SIZE) {
      const part = items.slice(first, first + PART_SIZE);
      const stored = await store.write(() => signal.add(store.database, part, arrival));
      for (const item of stored) added.push(item);
    }
    await turns.take(mapper.map({ ...toTelemetry(added), organizationId }));
    const duplicates = countNoun(items.length - added.length, "duplicate");
    options.logger.info(`${noun}: ${added.length} accepted, ${duplicates}, ${rejected} rejected`);
    return toSuccessResponse(format, countName, received);
  };
}

/** Receives spans: `POST /v1/traces`. */
export const receiveTraces = createReceiver<ReceivedSpan>({
  noun: "spans",
  countName: "rejectedSpans",
  kind: SPANS,
  add: addSpans,
  toTelemetry: (spans) => ({ spans }),
});

/** Receives log records: `POST /v1/logs`. */
export const receiveLogs = createReceiver<ReceivedLogRecord>({
  noun: "log records",
  countName: "rejectedLogRecords",
  kind: LOG_RECORDS,
  add: addLogRecords,
  toTelemetry: (records) => ({ records }),
});
