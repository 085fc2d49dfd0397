import type { Steps } from "../turns.ts";
import type { End } from "./bounded-rows.ts";
import { changeAll } from "./change-all.ts";
import type { Statement } from "./query.ts";
import type { Transaction } from "./sql-database.ts";

/** A row whose number and offset are set when it is appended. */
export interface AppendedRow extends End {
  readonly organizationId: string;
  readonly json: string;
}

/** Keys of an organization, of which those are looked for that rows have. */
export interface SoughtKeys {
  readonly organizationId: string;
  /** A list as JSON. */
  readonly keys: string;
}

/** A table that rows are appended to. */
export interface AppendedTable<Row extends AppendedRow> {
  /** Inserts a row, unless one has its key. */
  readonly insert: Statement<Row, unknown>;
  readonly findKnown: Statement<SoughtKeys, { key: string }>;
  readonly toKey: (row: Row) => string;
}

/** What is appended, all of one organization. */
export interface Appending<Item, Row> {
  readonly items: readonly Item[];
  readonly toRow: (item: Item) => Row;
  /** Gets each item that was new, and its row. */
  readonly note: (item: Item, row: Row) => void;
}

/** Returns a row at the place behind the last one. */
function placeBehind(end: End, row: AppendedRow): void {
  row.seq = end.seq + 1;
  row.offset = end.offset + Buffer.byteLength(row.json);
}

function moveTo(end: End, { seq, offset }: AppendedRow): void {
  end.seq = seq;
  end.offset = offset;
}

/**
 * Appends the rows that are new to a table, whose end moves by these alone. In a transaction.
 *
 * SQLite finds a known one when it inserts it; PostgreSQL is asked before, since each statement is a way there and back.
 */
export function* appendNew<Item, Row extends AppendedRow>(
  database: Transaction,
  table: AppendedTable<Row>,
  end: End,
  appending: Appending<Item, Row>,
): Steps<void> {
  if (database.dialect === "postgres") {
    yield* appendTogether(database, table, end, appending);
    return;
  }
  const { items, toRow, note } = appending;
  for (const item of items) {
    yield;
    const row = toRow(item);
    placeBehind(end, row);
    if ((yield* table.insert.change(database, row)) === 0) continue;
    moveTo(end, row);
    note(item, row);
  }
}

function* appendTogether<Item, Row extends AppendedRow>(
  database: Transaction,
  { insert, findKnown, toKey }: AppendedTable<Row>,
  end: End,
  { items, toRow, note }: Appending<Item, Row>,
): Steps<void> {
  // The first of each key.
  const rows = new Map<string, { readonly item: Item; readonly row: Row }>();
  for (const item of items) {
    yield;
    const row = toRow(item);
    const key = toKey(row);
    if (!rows.has(key)) rows.set(key, { item, row });
  }
  const [first] = rows.values();
  if (!first) return;
  const { organizationId } = first.row;
  const keys = JSON.stringify([...rows.keys()]);
  for (const { key } of yield* findKnown.rows(database, { organizationId, keys })) rows.delete(key);
  for (const { item, row } of rows.values()) {
    placeBehind(end, row);
    moveTo(end, row);
    note(item, row);
  }
  const added = Array.from(rows.values(), ({ row }) => row);
  yield* changeAll(database, insert, added);
}
