import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../platform-context.ts";
import { storeUnavailable } from "../health-routes.ts";
import type { Arrival } from "../store/bounded-rows.ts";
import { addLogRecords, createDigester, type Digester } from "../store/log-store.ts";
import { addSpans } from "../store/span-store.ts";
import type { Transaction } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import type { NewTelemetry } from "./event-mapper.ts";
import { LOG_RECORDS, SPANS, type TelemetryKind } from "./read-telemetry.ts";
import type { Received, ReceivedLogRecord, ReceivedSpan } from "./received.ts";

/** One kind of telemetry: how its requests are read and stored. */
export interface StoredSignal<Item> {
  readonly noun: "log records" | "spans";
  readonly kind: TelemetryKind<Item>;
  readonly add: (
    transaction: Transaction,
    items: readonly Item[],
    arrival: Arrival & { readonly toDigest: Digester },
  ) => Steps<readonly Item[]>;
  readonly toTelemetry: (items: readonly Item[]) => Omit<NewTelemetry, "organizationId">;
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

/** What storing needs. */
type TelemetryRoom = Pick<PlatformContext, "mapper" | "options" | "store" | "turns">;

/** Throws a problem while events of earlier telemetry wait for the store: what is acknowledged must become events. */
export function refuseWhileFull({ mapper }: Pick<TelemetryRoom, "mapper">): void {
  if (mapper.isFull) throw storeUnavailable();
}

/** Stores telemetry, and makes events of what is new. */
export async function storeTelemetry<Item extends object>(
  { options, store, turns, mapper }: TelemetryRoom,
  { noun, add, toTelemetry }: StoredSignal<Item>,
  { items, rejected }: Received<Item>,
  { organizationId, receivedAt }: Arrival,
): Promise<void> {
  const arrival = { organizationId, receivedAt, toDigest: createDigester() };
  const added: Item[] = [];
  // A repeated item is recognised, so a request that was only stored in part can simply be repeated.
  for (let first = 0; first < items.length; first += PART_SIZE) {
    const part = items.slice(first, first + PART_SIZE);
    const stored = await store.write((transaction) => add(transaction, part, arrival));
    for (const item of stored) added.push(item);
  }
  await turns.take(mapper.map({ ...toTelemetry(added), organizationId }));
  const duplicates = countNoun(items.length - added.length, "duplicate");
  options.logger.info(`${noun}: ${added.length} accepted, ${duplicates}, ${rejected} rejected`);
}

export const STORED_SPANS: StoredSignal<ReceivedSpan> = {
  noun: "spans",
  kind: SPANS,
  add: addSpans,
  toTelemetry: (spans) => ({ spans }),
};

export const STORED_LOG_RECORDS: StoredSignal<ReceivedLogRecord> = {
  noun: "log records",
  kind: LOG_RECORDS,
  add: addLogRecords,
  toTelemetry: (records) => ({ records }),
};
