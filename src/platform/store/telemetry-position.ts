import type { Steps } from "../turns.ts";
import { change, createStatement, db, readRow, type SelectedRow } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";

/** How far events have been made. */
export interface TelemetryPosition {
  /** All events are stored that are made up to this arrival, and up to this time. */
  readonly readSeq: number;
  /** Milliseconds since the Unix epoch. */
  readonly readClock: number;
  /** Nothing up to this arrival waits for more of its trace. */
  readonly doneSeq: number;
}

/** A position, and the time before which nothing arrives any more. */
export interface HeldPosition extends TelemetryPosition {
  readonly clock: number;
}

/** Time that a replica has for making events, until another one does so. */
export const LEASE_MILLIS = 10_000;

const ID = 1;

const POSITION = db
  .selectFrom("telemetry_position")
  .select([
    "owner",
    "held_until as heldUntil",
    "wanted_until as wantedUntil",
    "clock",
    "read_seq as readSeq",
    "read_clock as readClock",
    "done_seq as doneSeq",
  ])
  .where("id", "=", ID);

/** Who makes events, and since when it is. */
interface Holder {
  readonly owner: string;
  readonly now: number;
}

function* hasArrivals(database: SqlDatabase): Steps<boolean> {
  const query = db.selectFrom("telemetry_arrival").select("seq").limit(1);
  return (yield* readRow(database, query)) !== undefined;
}

function* begin(database: Transaction, { owner, now }: Holder): Steps<HeldPosition | undefined> {
  if (!(yield* hasArrivals(database))) return undefined;
  const position = { clock: 0, readSeq: 0, readClock: 0, doneSeq: 0 };
  yield* change(
    database,
    db.insertInto("telemetry_position").values({
      id: ID,
      owner,
      held_until: now + LEASE_MILLIS,
      wanted_until: 0,
      clock: 0,
      read_clock: 0,
      read_seq: 0,
      done_seq: 0,
    }),
  );
  return position;
}

type StoredPosition = SelectedRow<typeof POSITION>;

// SQLite has one platform: when that dies, the next one goes on at once.
const isFree = ({ dialect }: SqlDatabase, found: StoredPosition, { owner, now }: Holder): boolean =>
  found.owner === owner || found.heldUntil <= now || dialect === "sqlite";

const isWantedLong = ({ wantedUntil }: StoredPosition, { now }: Holder): boolean =>
  wantedUntil >= now + LEASE_MILLIS / 2;

/** Returns whether a claim is worth a transaction. */
export function* isWorthClaim(database: SqlDatabase, holder: Holder): Steps<boolean> {
  const found = yield* readRow(database, POSITION);
  if (found) return isFree(database, found, holder) || !isWantedLong(found, holder);
  return yield* hasArrivals(database);
}

/**
 * Takes over the making of events, unless another replica does so. In a transaction.
 *
 * @returns Where to go on; nothing while another one is at it, and before anything came.
 */
export function* claimPosition(
  database: Transaction,
  holder: Holder,
): Steps<HeldPosition | undefined> {
  const found = yield* readRow(database, POSITION);
  if (!found) return yield* begin(database, holder);
  const { owner } = holder;
  const until = holder.now + LEASE_MILLIS;
  const update = db.updateTable("telemetry_position").where("id", "=", ID);
  if (!isFree(database, found, holder)) {
    if (!isWantedLong(found, holder)) yield* change(database, update.set({ wanted_until: until }));
    return undefined;
  }
  yield* change(database, update.set({ owner, held_until: until, wanted_until: 0 }));
  return found;
}

const ADVANCE = createStatement((values: HeldPosition & { owner: string; heldUntil: number }) =>
  db
    .updateTable("telemetry_position")
    .set({
      held_until: values.heldUntil,
      clock: values.clock,
      read_clock: values.readClock,
      read_seq: values.readSeq,
      done_seq: values.doneSeq,
    })
    .where("owner", "=", values.owner),
);

/** Thrown where another replica has taken over. */
export class LostLeaseError extends Error {
  override readonly name = "LostLeaseError" as const;
}

/**
 * Writes down how far events have been made, and goes on holding it. In the transaction of these events.
 *
 * @throws LostLeaseError where another replica has taken over meanwhile.
 */
export function* advancePosition(
  database: Transaction,
  position: HeldPosition,
  { owner, now }: Holder,
): Steps<void> {
  const heldUntil = now + LEASE_MILLIS;
  if ((yield* ADVANCE.change(database, { ...position, owner, heldUntil })) === 0)
    throw new LostLeaseError("another replica makes events of telemetry");
}

/** Lets another replica go on at once. In a transaction. */
export function* releasePosition(database: Transaction, owner: string): Steps<void> {
  yield* change(
    database,
    db.updateTable("telemetry_position").set({ held_until: 0 }).where("owner", "=", owner),
  );
}

/** Returns whether another replica waits to go on. */
export function* isPositionWanted(database: SqlDatabase, now: number): Steps<boolean> {
  const found = yield* readRow(database, POSITION);
  return found !== undefined && found.wantedUntil > now;
}
