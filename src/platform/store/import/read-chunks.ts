import type { SqliteDatabase, SqlValue } from "../sql-database.ts";
import type { Column, Table } from "./list-tables.ts";

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Bounds of the rows that are in memory at a time; one row may be larger. */
const MAX_ROWS = 1000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Name of a column of the key as bytes, in the order of the key. */
const toKeyName = (index: number): string => `key bytes ${index}`;

const quote = ({ name }: Pick<Column, "name">): string => `"${name}"`;

/** Lists columns by commas. */
export const listColumns = (columns: readonly Pick<Column, "name">[]): string =>
  columns.map(quote).join(", ");

const hasBytes = ({ type }: Column): boolean => type === "TEXT" || type === "BLOB";

/** Selects a column; a text with NUL as its bytes, since drivers end a text there. */
const select = (column: Column): string =>
  column.type === "TEXT"
    ? `CASE WHEN instr(${quote(column)}, char(0)) > 0 THEN CAST(${quote(column)} AS BLOB) ELSE ${quote(column)} END AS ${quote(column)}`
    : quote(column);

/** Writes the queries that read a table in the order of its key. */
function writeQueries({ name, columns, key }: Table) {
  const sizes = columns
    .filter(hasBytes)
    .map((column) => `coalesce(octet_length(${quote(column)}), 0)`);
  // Texts are compared by their bytes, which not every text that a driver returns has.
  const keys = key.map((column, index) =>
    column.type === "TEXT"
      ? `CAST(${quote(column)} AS BLOB) AS "${toKeyName(index)}"`
      : `${quote(column)} AS "${toKeyName(index)}"`,
  );
  const values = key.map(({ type }) => (type === "TEXT" ? "CAST(? AS TEXT)" : "?"));
  // With the table: by its name alone a column would be what is selected as that.
  const order = key.map((column) => `"${name}".${quote(column)}`).join(", ");
  const write = (selected: string) => (isFirst: boolean) => {
    const behind = isFirst ? "" : `WHERE (${order}) > (${values.join(", ")})`;
    return `SELECT ${selected} FROM "${name}" ${behind} ORDER BY ${order} LIMIT ?`;
  };
  return {
    sizes: write(`${["0", ...sizes].join(" + ")} AS bytes`),
    rows: write([...columns.map(select), ...keys].join(", ")),
  };
}

/** Returns how many rows fit into a chunk: at least one. */
function countFitting(sizes: readonly { readonly bytes: number }[]): number {
  let total = 0;
  const end = sizes.findIndex(({ bytes }) => (total += bytes) > MAX_BYTES);
  return end === -1 ? MAX_ROWS : Math.max(end, 1);
}

/** Texts that were read as bytes, as texts. */
function decode(columns: readonly Column[], row: Row): Row {
  const found = columns.filter(
    ({ name, type }) => type === "TEXT" && row[name] instanceof Uint8Array,
  );
  if (found.length === 0) return row;
  const texts = found.map(({ name }) => [
    name,
    Buffer.from(row[name] as Uint8Array).toString("utf8"),
  ]);
  return { ...row, ...Object.fromEntries(texts) };
}

/** Yields all rows of a table in the order of its key, some at a time. */
export function* readChunks(source: SqliteDatabase, table: Table): Generator<readonly Row[]> {
  const { columns, key } = table;
  const queries = writeQueries(table);
  for (let last: Row | undefined; ;) {
    const isFirst = last === undefined;
    const from = last ? key.map((_, index) => last?.[toKeyName(index)] ?? null) : [];
    const sizes = source.all<{ bytes: number }>(queries.sizes(isFirst), [...from, MAX_ROWS]);
    const rows = source.all<Row>(queries.rows(isFirst), [...from, countFitting(sizes)]);
    last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => decode(columns, row));
  }
}
