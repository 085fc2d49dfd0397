import { createStatement, db } from "./query.ts";
import { type SqlDatabase, StoreError, type Transaction } from "./sql-database.ts";
import { findFirstOpen } from "./telemetry-arrivals.ts";
import type { TelemetryTable } from "./telemetry-tables.ts";
import type { Steps } from "../turns.ts";

/** Rows read at a time, until a page is full: a thousand of the largest events would be gigabytes. */
const CHUNK_ROWS = 16;
/** Length of the JSON of a page, in UTF-16 units; the row that crosses it is in the page. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024;

/** A row that has its data as JSON. */
interface JsonRow {
  readonly json: string;
}

/** Part of a list. */
export interface Page {
  readonly limit: number;
  /** Rows before it. */
  readonly offset: number;
}

/** A page of rows. */
export interface BoundedRows<Row extends JsonRow = JsonRow> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads a page of rows: `limit` of them, or fewer when they are large.
 *
 * @param read - Returns the next `count` rows.
 */
export function* readBounded<Row extends JsonRow>(
  limit: number,
  read: (count: number, before: readonly Row[]) => Steps<readonly Row[]>,
): Steps<BoundedRows<Row>> {
  const rows: Row[] = [];
  let length = 0;
  for (;;) {
    // One more than wanted shows whether there is a next page.
    const count = Math.min(CHUNK_ROWS, limit + 1 - rows.length);
    const chunk = yield* read(count, rows);
    for (const row of chunk) {
      if (rows.length === limit || length > MAX_PAGE_LENGTH) return { rows, hasMore: true };
      rows.push(row);
      length += row.json.length;
    }
    if (chunk.length < count) return { rows, hasMore: false };
  }
}

/** Limits of the newest spans, and again of the newest log records, that are kept. */
export interface TelemetryLimits {
  readonly maxRows: number;
  /** UTF-8 bytes of the JSON in the rows; the row that crosses the limit stays. */
  readonly maxBytes: number;
}

/** Spans are for viewing, events for keeping: events of the SDK are not bounded by these. */
export const DEFAULT_TELEMETRY_LIMITS: TelemetryLimits = {
  maxRows: 200_000,
  maxBytes: 256 * 1024 * 1024,
};

/** Origin of the rows of a request. */
export interface Arrival {
  readonly organizationId: string;
  readonly receivedAt: number;
  /** When they are stored, which is later where they waited elsewhere. */
  readonly storedAt: number;
}

/** Position of the next row of a table. */
export interface End {
  /** Number of the last row. */
  seq: number;
  /** Bytes of all rows ever inserted, the last one included. */
  offset: number;
}

function writeStatements(table: TelemetryTable) {
  return {
    findEnd: createStatement(() =>
      db.selectFrom(table).select(["seq", "end_offset as offset"]).orderBy("seq", "desc").limit(1),
    ),
    findFirst: createStatement((over: End) =>
      db
        .selectFrom(table)
        .select("seq")
        .where("seq", ">", over.seq)
        .where("end_offset", ">", over.offset)
        .orderBy("seq")
        .limit(1),
    ),
    listBetween: createStatement(
      (values: { readonly after: number; readonly last: number; readonly limit: number }) =>
        db
          .selectFrom(table)
          .select(["seq", "json"])
          .where("seq", ">", values.after)
          .where("seq", "<=", values.last)
          .orderBy("seq")
          .limit(values.limit),
    ),
    remove: createStatement((values: { last: number }) =>
      db.deleteFrom(table).where("seq", "<=", values.last),
    ),
  };
}

const STATEMENTS = { span: writeStatements("span"), log_record: writeStatements("log_record") };

/** Lists the rows of a table behind one and up to another, in the order of arrival. */
export function listBetween(
  database: SqlDatabase,
  table: TelemetryTable,
  { seq: after }: Pick<End, "seq">,
  last: number,
): Steps<{ readonly seq: number; readonly json: string }[]> {
  return STATEMENTS[table].listBetween.rows(database, { after, last, limit: CHUNK_ROWS });
}

/** Finds the end of a table. */
export function* findEnd(database: SqlDatabase, table: TelemetryTable): Steps<End> {
  return (yield* STATEMENTS[table].findEnd.rows(database, {}))[0] ?? { seq: 0, offset: 0 };
}

/**
 * Removes the oldest rows of a table that are over a limit.
 *
 * @throws StoreError where events are still to be made of one of them.
 * @returns The number of the last removed row, or one before the first if none was ever removed.
 */
export function* removeOldest(
  database: Transaction,
  table: TelemetryTable,
  { seq, offset }: End,
  { maxRows, maxBytes }: TelemetryLimits,
): Steps<number> {
  const { findFirst, remove } = STATEMENTS[table];
  const [first] = yield* findFirst.rows(database, {
    seq: seq - maxRows,
    offset: offset - maxBytes,
  });
  const last = (first?.seq ?? seq + 1) - 1;
  const firstOpen = last > 0 ? yield* findFirstOpen(database, table) : undefined;
  if (firstOpen !== undefined && firstOpen <= last)
    throw new StoreError("too much telemetry waits for events to be made of it");
  yield* remove.change(database, { last });
  return last;
}
