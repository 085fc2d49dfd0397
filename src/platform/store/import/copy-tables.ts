import { followSteps } from "../../turns.ts";
import { EVENT_WITH_BODY } from "../event-store.ts";
import { readBounded } from "../bounded-rows.ts";
import { changeTogether } from "../change-all.ts";
import { indexMessages, type Message } from "../message-index.ts";
import { createStatement, db, type RowOf } from "../query.ts";
import { type SqliteDatabase, StoreError, type Transaction } from "../sql-database.ts";
import { toPostgresValue } from "../postgres/postgres-value.ts";
import type { DetailedEvent } from "../../../events/detailed-event.ts";
import { listColumns, readChunks, type Row } from "./read-chunks.ts";
import type { Table } from "./list-tables.ts";

/** What a table got. */
export interface CopiedTable {
  readonly table: Table;
  readonly rows: number;
  /** Values that PostgreSQL can't hold as they are. */
  readonly changed: number;
  /** Whether such values are part of the key. */
  readonly hasChangedKeys: boolean;
}

/** Called for the rows that were copied, or compared. */
export type OnRows = (rows: number) => void;

const isChanged = (row: Row, name: string): boolean => {
  const value = row[name] ?? null;
  return toPostgresValue(value) !== value;
};

const writeInsertion = ({ name, columns }: Table) =>
  createStatement((values: Row) =>
    db
      .insertInto(name as "batch")
      .values(
        Object.fromEntries(columns.map((column) => [column.name, values[column.name]])) as never,
      ),
  );

/** Says where something has failed, of what the database says. */
async function within<Result>(place: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Error(`platform: ${place}: ${error.message}`, { cause: error });
  }
}

/** Copies the rows of a table. In a transaction. */
export async function copyTable(
  source: SqliteDatabase,
  target: Transaction,
  table: Table,
  onRows: OnRows,
): Promise<CopiedTable> {
  const insertion = writeInsertion(table);
  let [rows, changed, hasChangedKeys] = [0, 0, false];
  for (const chunk of readChunks(source, table)) {
    const place = `table ${table.name}, rows ${rows + 1} to ${rows + chunk.length}`;
    await within(place, followSteps(changeTogether(target, insertion, chunk)));
    rows += chunk.length;
    for (const row of chunk) {
      changed += table.columns.filter(({ name }) => isChanged(row, name)).length;
      hasChangedKeys ||= table.key.some(({ name }) => isChanged(row, name));
    }
    onRows(chunk.length);
  }
  return { table, rows, changed, hasChangedKeys };
}

const CHUNK = 1000;

const MESSAGES = createStatement((given: { readonly after: number; readonly count: number }) =>
  EVENT_WITH_BODY.select(["event.seq", "body.json"])
    .where("event.type", "in", ["user_message", "agent_response"])
    .where("event.seq", ">", given.after)
    .orderBy("event.seq")
    .limit(given.count),
);

/** Makes the index of messages anew: that of SQLite has no texts. In a transaction, behind the events and their bodies. */
export async function copyMessages(
  source: SqliteDatabase,
  target: Transaction,
  onRows: OnRows,
): Promise<number> {
  for (let [after, count] = [0, 0]; ;) {
    const start = after;
    const page = readBounded<RowOf<typeof MESSAGES>>(CHUNK, (limit, before) =>
      MESSAGES.rows(source, { after: before.at(-1)?.seq ?? start, count: limit }),
    );
    const { rows } = await followSteps(page);
    const messages = rows.map(({ seq, json }): Message => {
      return { seq, event: JSON.parse(json) as DetailedEvent };
    });
    await within(
      `the words of messages behind event ${after}`,
      followSteps(indexMessages(target, messages)),
    );
    count += rows.length;
    onRows(rows.length);
    const last = rows.at(-1);
    if (!last) return count;
    after = last.seq;
  }
}

/** Has numbers go on behind the highest one, and the rows counted for the planner of queries. In a transaction. */
export async function completeTables(target: Transaction, tables: readonly Table[]): Promise<void> {
  for (const { name, number } of tables) {
    // Without the right to it PostgreSQL only warns.
    await target.run(`ANALYZE "${name}"`, []);
    if (number === undefined) continue;
    const column = listColumns([{ name: number }]);
    const next = `SELECT setval(pg_get_serial_sequence($1, $2), max(${column})) FROM "${name}" HAVING max(${column}) > 0`;
    await within(`numbers of ${name}`, Promise.resolve(target.all(next, [name, number])));
  }
}
