import type { Steps } from "../turns.ts";
import { toManyRows, writeRows } from "./postgres/many-rows.ts";
import type { Statement } from "./query.ts";
import { settle, type Transaction } from "./sql-database.ts";

/** Writes the one statement for all rows, and its value. For PostgreSQL. */
function* writeTogether<Values extends object>(
  database: Transaction,
  statement: Statement<Values, unknown>,
  rows: readonly [Values, ...Values[]],
): Steps<{ readonly sql: string; readonly given: string }> {
  const { sql } = statement.write(database, rows[0]);
  const given = yield* writeRows(rows, (row) => statement.write(database, row).values);
  return { sql: toManyRows(sql), given };
}

const isSome = <Row>(rows: readonly Row[]): rows is readonly [Row, ...Row[]] => rows.length > 0;

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
    if (!isSome(rows)) return;
    const { sql, given } = yield* writeTogether(database, statement, rows);
    yield* settle(database.send(sql, [given]));
    return;
  }
  for (const row of rows) {
    yield;
    yield* statement.send(database, row);
  }
}

/** Runs an insertion or an update for all rows at once, and returns the rows that this returns. For PostgreSQL. */
export function* changeTogether<Values extends object, Row>(
  database: Transaction,
  statement: Statement<Values, Row>,
  rows: readonly Values[],
): Steps<Row[]> {
  if (!isSome(rows)) return [];
  const { sql, given } = yield* writeTogether(database, statement, rows);
  return yield* settle(database.all<Row>(sql, [given]));
}
