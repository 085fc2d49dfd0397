import type { Steps } from "../turns.ts";
import type { Statement } from "./query.ts";
import { settle, type SqlValue, type Transaction } from "./sql-database.ts";

/** Rows of one statement: there are few lengths, since PostgreSQL keeps a statement of each. */
const SIZES = [256, 128, 64, 32, 16, 8, 4, 2, 1];

const ONE_ROW = /^(.* values )(\(.*?\))((?: on conflict| returning).*)?$/s;

const texts = new Map<string, string>();

/** Writes an insertion of one row as one of many. */
function repeatRow(sql: string, columns: number, size: number): string {
  const id = `${size} ${sql}`;
  const known = texts.get(id);
  if (known !== undefined) return known;
  const [, head, row, tail = ""] = ONE_ROW.exec(sql) ?? [];
  if (head === undefined || row === undefined || tail.includes("$"))
    throw new Error("expected an insertion of one row, without a value behind it");
  const rows = Array.from({ length: size }, (_, index) =>
    row.replaceAll(/\$(\d+)/g, (_match, number) => `$${Number(number) + index * columns}`),
  );
  const text = head + rows.join(", ") + tail;
  texts.set(id, text);
  return text;
}

/**
 * Runs an insertion for each row, of which no two may have the same key: SQLite takes a prepared statement each, PostgreSQL few
 * statements, since each is a way there and back.
 */
export function* insertAll<Values extends object>(
  database: Transaction,
  statement: Statement<Values, unknown>,
  rows: readonly Values[],
): Steps<void> {
  if (database.dialect === "postgres") {
    yield* insertMany(database, statement, rows);
    return;
  }
  for (const row of rows) {
    yield;
    yield* statement.change(database, row);
  }
}

/** Inserts rows in few statements, and returns the rows that these return. For PostgreSQL. */
export function* insertMany<Values extends object, Row>(
  database: Transaction,
  statement: Statement<Values, Row>,
  rows: readonly Values[],
): Steps<Row[]> {
  const returned: Row[] = [];
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((each) => each <= rows.length - from) ?? 1;
    const values: SqlValue[] = [];
    let text = "";
    for (const row of rows.slice(from, from + size)) {
      const written = statement.write(database, row);
      values.push(...written.values);
      text = repeatRow(written.sql, written.values.length, size);
    }
    yield;
    for (const row of yield* settle(database.all<Row>(text, values))) returned.push(row);
    from += size;
  }
  return returned;
}
