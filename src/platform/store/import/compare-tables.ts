import { toPostgresValue } from "../postgres/postgres-value.ts";
import type { SqlDatabase, SqliteDatabase, SqlValue } from "../sql-database.ts";
import { followSteps } from "../../turns.ts";
import { findNextBody } from "../batch-body.ts";
import type { CopiedTable, OnRows } from "./copy-tables.ts";
import type { Table } from "./list-tables.ts";
import { listColumns, readChunks, type Row } from "./read-chunks.ts";

/** Thrown for what is not the same on both sides. */
export class DifferenceError extends Error {
  override readonly name = "DifferenceError" as const;
}

function isSame(one: SqlValue, other: SqlValue | undefined): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array
    ? Buffer.compare(one, other) === 0
    : one === other;
}

/** Reads rows of PostgreSQL: some behind another one, or one by its key. */
function createReader(target: SqlDatabase, { name, columns, key }: Table) {
  const [selected, order] = [listColumns(columns), listColumns(key)];
  const values = key.map((_, index) => `$${index + 1}`).join(", ");
  const read = (rest: string, given: readonly SqlValue[]) =>
    target.all<Row>(`SELECT ${selected} FROM "${name}" ${rest}`, given);
  const toKey = (row: Row): SqlValue[] =>
    key.map(({ name: column }) => toPostgresValue(row[column] ?? null));
  return {
    behind: (last: Row | undefined, count: number) =>
      last
        ? read(`WHERE (${order}) > (${values}) ORDER BY ${order} LIMIT $${key.length + 1}`, [
            ...toKey(last),
            count,
          ])
        : read(`ORDER BY ${order} LIMIT $1`, [count]),
    one: async (row: Row) => (await read(`WHERE (${order}) = (${values})`, toKey(row)))[0],
  };
}

/** Names a row without its content. */
function toPlace({ name, number }: Table, row: Row, index: number): string {
  const found = number === undefined ? "" : ` (${number} ${String(row[number])})`;
  return `table ${name}, row ${index}${found}`;
}

function compareRows(table: Table, row: Row, other: Row | undefined, index: number): void {
  if (!other) throw new DifferenceError(`${toPlace(table, row, index)}: it is missing`);
  for (const { name } of table.columns)
    if (!isSame(toPostgresValue(row[name] ?? null), other[name]))
      throw new DifferenceError(`${toPlace(table, row, index)}: the column ${name} is another one`);
}

async function countRows(database: SqlDatabase, { name }: Table): Promise<number> {
  const [row] = await database.all<{ rows: number }>(`SELECT count(*) AS rows FROM "${name}"`, []);
  return row?.rows ?? 0;
}

/** Compares a table, value by value. @throws DifferenceError for the first one that is not the same. */
export async function compareTable(
  source: SqliteDatabase,
  target: SqlDatabase,
  { table, hasChangedKeys }: Pick<CopiedTable, "hasChangedKeys" | "table">,
  onRows: OnRows,
): Promise<void> {
  const [expected, count] = [await countRows(source, table), await countRows(target, table)];
  if (count !== expected)
    throw new DifferenceError(`table ${table.name}: expected ${expected} rows, got ${count}`);
  const reader = createReader(target, table);
  let compared = 0;
  let last: Row | undefined;
  for (const chunk of readChunks(source, table)) {
    // Where a key was changed, both sides have another order.
    const others = hasChangedKeys ? [] : await reader.behind(last, chunk.length);
    for (const [index, row] of chunk.entries()) {
      const other = hasChangedKeys ? await reader.one(row) : others[index];
      compareRows(table, row, other, compared + index + 1);
    }
    last = chunk.at(-1);
    compared += chunk.length;
    onRows(chunk.length);
  }
  if (compared !== expected)
    throw new DifferenceError(`table ${table.name}: expected ${expected} rows, read ${compared}`);
}

/** What the bodies of batches are. */
interface Bodies {
  readonly batches: number;
  readonly bytes: number;
}

/** Compares the bodies of batches as they are exported. @throws DifferenceError for the first one that is not the same. */
export async function compareBodies(source: SqliteDatabase, target: SqlDatabase): Promise<Bodies> {
  for (let [after, batches, bytes] = [0, 0, 0]; ;) {
    const body = await followSteps(findNextBody(source, after, null));
    const other = await followSteps(findNextBody(target, after, null));
    const [seq = 0, json = Buffer.alloc(0)] = body ? [body.seq, body.json] : [];
    if (seq !== (other?.seq ?? 0) || other?.json.equals(json) === false)
      throw new DifferenceError(`the body of batch ${seq} is another one`);
    if (!body) return { batches, bytes };
    [after, batches, bytes] = [seq, batches + 1, bytes + json.length];
  }
}
