import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../platform-context.ts";
import type { Arrival } from "../store/bounded-rows.ts";
import { addLogRecords, createDigester, type Digester } from "../store/log-store.ts";
import { addSpans } from "../store/span-store.ts";
import type { Transaction } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
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
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

/** What storing needs. */
type TelemetryRoom = Pick<PlatformContext, "eventMaker" | "options" | "store">;

/** Stores telemetry, of which events are made behind it. */
export async function storeTelemetry<Item extends object>(
  { options: { clock, logger }, store, eventMaker }: TelemetryRoom,
  { noun, add }: StoredSignal<Item>,
  { items, rejected }: Received<Item>,
  { organizationId, receivedAt }: Omit<Arrival, "storedAt">,
): Promise<void> {
  const toDigest = createDigester();
  let added = 0;
  // A repeated item is recognised, so a request that was only stored in part can simply be repeated.
  for (let first = 0; first < items.length; first += PART_SIZE) {
    const part = items.slice(first, first + PART_SIZE);
    const stored = await store.write((transaction) =>
      add(transaction, part, { organizationId, receivedAt, storedAt: clock.now(), toDigest }),
    );
    added += stored.length;
    if (stored.length > 0) eventMaker.wake();
  }
  const duplicates = countNoun(items.length - added, "duplicate");
  logger.info(`${noun}: ${added} accepted, ${duplicates}, ${rejected} rejected`);
}

export const STORED_SPANS: StoredSignal<ReceivedSpan> = {
  noun: "spans",
  kind: SPANS,
  add: addSpans,
};

export const STORED_LOG_RECORDS: StoredSignal<ReceivedLogRecord> = {
  noun: "log records",
  kind: LOG_RECORDS,
  add: addLogRecords,
};
