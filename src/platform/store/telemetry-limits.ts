import type { SqlDatabase } from "./sql-database.ts";

/** How much of the newest spans, and again of the newest log records, is kept. */
export interface TelemetryLimits {
  readonly maxRows: number;
  /** UTF-8 bytes of the JSON in the rows; the row that crosses the limit stays. */
  readonly maxBytes: number;
}

/** Spans are there to look at, events to be kept: what the SDK delivers is not bounded by these. */
export const DEFAULT_TELEMETRY_LIMITS: TelemetryLimits = {
  maxRows: 200_000,
  maxBytes: 256 * 1024 * 1024,
};

type Table = "span" | "log_record";

/** Where the next row of a table goes. */
export interface End {
  /** Number of the last row. */
  seq: number;
  /** Bytes of every row that ever was, the last one included. */
  offset: number;
}

/** Finds the end of a table. */
export function findEnd(database: SqlDatabase, table: Table): End {
  const sql = `SELECT seq, end_offset AS offset FROM ${table} ORDER BY seq DESC LIMIT 1`;
  return database.all<End>(sql)[0] ?? { seq: 0, offset: 0 };
}

/**
 * Removes the oldest rows of a table that are over a limit.
 *
 * @returns The number of the last row that is gone, or one before the first that ever was.
 */
export function removeOldest(
  database: SqlDatabase,
  table: Table,
  { seq, offset }: End,
  { maxRows, maxBytes }: TelemetryLimits,
): number {
  const [first] = database.all<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE seq > ? AND end_offset > ? ORDER BY seq LIMIT 1`,
    seq - maxRows,
    offset - maxBytes,
  );
  const last = (first?.seq ?? seq + 1) - 1;
  database.run(`DELETE FROM ${table} WHERE seq <= ?`, last);
  return last;
}
