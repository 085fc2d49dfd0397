import { sql } from "kysely";
import type { OddValue } from "../otlp/odd-values.ts";
import type { Steps } from "../turns.ts";
import { createStatement, db, greatest, readNumber } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { TelemetryTable } from "./telemetry-tables.ts";

/** Values that JSON has not, by the number of their item. */
export type OddValues = readonly (readonly [seq: number, values: readonly OddValue[]])[];

/** Items that were stored together. */
export interface NewArrival {
  readonly organizationId: string;
  readonly source: TelemetryTable;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly oddValues: OddValues;
  /** Milliseconds since the Unix epoch. */
  readonly storedAt: number;
}

/** Items that were stored together, and the place of these among all. */
export interface StoredArrival extends NewArrival {
  readonly seq: number;
}

// A replica whose clock is behind stores nothing before what another one has stored, or has made events up to.
const ADD = createStatement(
  (values: Omit<NewArrival, "oddValues"> & { readonly oddValues: string | null }) =>
    db.insertInto("telemetry_arrival").values((eb) => {
      const last = eb
        .selectFrom("telemetry_arrival")
        .select("stored_at")
        .orderBy("seq", "desc")
        .limit(eb.lit(1));
      const clock = eb.selectFrom("telemetry_position").select("clock");
      const now = sql<number>`cast(${values.storedAt} as bigint)`;
      const earliest = greatest(eb.fn.coalesce(last, eb.lit(0)), eb.fn.coalesce(clock, eb.lit(0)));
      return {
        organization_id: values.organizationId,
        source: values.source,
        first_seq: values.firstSeq,
        last_seq: values.lastSeq,
        bytes: values.bytes,
        odd_values: values.oddValues,
        stored_at: greatest(now, earliest),
      };
    }),
);

/** Writes down what was stored together. In the transaction of its rows. */
export function* addArrival(database: Transaction, arrival: NewArrival): Steps<void> {
  const { oddValues } = arrival;
  yield* ADD.change(database, {
    ...arrival,
    oddValues: oddValues.length === 0 ? null : JSON.stringify(oddValues),
  });
}

const ARRIVALS = db
  .selectFrom("telemetry_arrival")
  .select([
    "seq",
    "organization_id as organizationId",
    "source",
    "first_seq as firstSeq",
    "last_seq as lastSeq",
    "bytes",
    "odd_values as oddValues",
    "stored_at as storedAt",
  ]);

const LIST = createStatement((values: { readonly after: number; readonly limit: number }) =>
  ARRIVALS.where("seq", ">", values.after).orderBy("seq").limit(values.limit),
);

/** Lists what was stored behind an arrival, the oldest first. */
export function* listArrivals(
  database: SqlDatabase,
  after: number,
  limit: number,
): Steps<StoredArrival[]> {
  const rows = yield* LIST.rows(database, { after, limit });
  return rows.map(({ oddValues, ...arrival }) => ({
    ...arrival,
    oddValues: oddValues === null ? [] : (JSON.parse(oddValues) as OddValues),
  }));
}

const FIRST_OPEN = createStatement((values: { readonly source: TelemetryTable }) =>
  db
    .selectFrom("telemetry_arrival")
    .select("first_seq as firstSeq")
    .where("source", "=", values.source)
    .where("seq", ">", (eb) =>
      eb.fn.coalesce(eb.selectFrom("telemetry_position").select("done_seq"), eb.lit(0)),
    )
    .orderBy("seq")
    .limit(1),
);

/** Returns the number of the first row of which events may still be made. */
export function* findFirstOpen(
  database: SqlDatabase,
  source: TelemetryTable,
): Steps<number | undefined> {
  return (yield* FIRST_OPEN.rows(database, { source }))[0]?.firstSeq;
}

const COUNT_OPEN = db
  .selectFrom("telemetry_arrival")
  .select((eb) => {
    const rows = eb(eb("last_seq", "-", eb.ref("first_seq")), "+", eb.lit(1));
    return eb.fn.coalesce(eb.fn.sum<number>(rows), eb.lit(0)).as("rows");
  })
  .where("seq", ">", (eb) =>
    eb.fn.coalesce(eb.selectFrom("telemetry_position").select("done_seq"), eb.lit(0)),
  );

/** Counts the spans and log records of which events may still be made. */
export const countOpen = (database: SqlDatabase): Steps<number> => readNumber(database, COUNT_OPEN);

const BEFORE = createStatement((values: { readonly before: number; readonly limit: number }) =>
  db
    .selectFrom("telemetry_arrival")
    .select((eb) => [
      "seq",
      eb(eb("last_seq", "-", eb.ref("first_seq")), "+", eb.lit(1)).as("rows"),
      "bytes",
    ])
    .where("seq", "<", values.before)
    .orderBy("seq", "desc")
    .limit(values.limit),
);

const CHUNK = 500;

/** Bounds of what is read again. */
interface ReplayLimits {
  readonly maxRows: number;
  /** UTF-8 bytes of JSON. */
  readonly maxBytes: number;
}

/** Returns the arrival behind which to begin, so that no more than so much stands between it and another one. */
export function* findReplayStart(
  database: SqlDatabase,
  upTo: number,
  { maxRows, maxBytes }: ReplayLimits,
): Steps<number> {
  let [start, allRows, allBytes] = [upTo, 0, 0];
  for (;;) {
    const chunk = yield* BEFORE.rows(database, { before: start + 1, limit: CHUNK });
    for (const { seq, rows, bytes } of chunk) {
      allRows += rows;
      allBytes += bytes;
      if (allRows > maxRows || allBytes > maxBytes) return seq;
      start = seq - 1;
    }
    if (chunk.length < CHUNK) return start;
  }
}

const REMOVE = createStatement((values: { readonly upTo: number }) =>
  db.deleteFrom("telemetry_arrival").where("seq", "<=", values.upTo),
);

/** Removes the arrivals up to one; their items stay. */
export function* removeArrivals(database: Transaction, upTo: number): Steps<void> {
  yield* REMOVE.change(database, { upTo });
}
