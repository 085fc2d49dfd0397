import type { Steps } from "../turns.ts";
import { toManyRows, writeRows } from "./postgres/many-rows.ts";
import type { Statement } from "./query.ts";
import { settle, type Transaction } from "./sql-database.ts";

/**
 * Runs an insertion or an update for each row, of which no two may have the same key: SQLite takes a prepared statement each,
 * PostgreSQL one for all, since each is a way there and back.
 */
export function* changeAll<Values extends object>(
  database: Transaction,
  statement: Statement<Values, unknown>,
  rows: readonly Values[],
): Steps<void> {
  if (database.dialect === "postgres") {
    yield* changeTogether(database, statement, rows);
    return;
  }
  for (const row of rows) {
    yield;
    yield* statement.change(database, row);
  }
}

/** Runs an insertion or an update for all rows at once, and returns the rows that this returns. For PostgreSQL. */
export function* changeTogether<Values extends object, Row>(
  database: Transaction,
  statement: Statement<Values, Row>,
  rows: readonly Values[],
): Steps<Row[]> {
  const [first] = rows;
  if (!first) return [];
  const { sql } = statement.write(database, first);
  const given = yield* writeRows(rows, (row) => statement.write(database, row).values);
  return yield* settle(database.all<Row>(toManyRows(sql), [given]));
}
