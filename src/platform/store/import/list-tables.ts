import { SCHEMA } from "../create-tables.ts";
import type { SqliteDatabase } from "../sql-database.ts";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** As SQLite has it: `TEXT`, `INTEGER`, `REAL` or `BLOB`. */
  readonly type: string;
}

/** A table of the platform. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that no two rows have the same values of. */
  readonly key: readonly Column[];
  /** The column that numbers its rows; `undefined` for none. */
  readonly number: string | undefined;
}

/** Names of the tables that the platform creates, but for the index of messages. */
const NAMES = [...SCHEMA.matchAll(/CREATE TABLE (\w+) \(/g)].map(([, name = ""]) => name);

const COLUMNS = `SELECT name, type, pk AS place FROM pragma_table_info(?)`;
const UNIQUE_COLUMNS = `
  SELECT of_index.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS of_index
  WHERE list.origin = 'u' ORDER BY list.seq, of_index.seqno`;

/** Index of messages: its texts can't be read, only which events it has. */
const MESSAGE_KEY = [{ name: "rowid", type: "INTEGER" }];
export const MESSAGE_TABLE: Table = {
  name: "message",
  columns: MESSAGE_KEY,
  key: MESSAGE_KEY,
  number: undefined,
};

function readTable(source: SqliteDatabase, name: string): Table {
  const columns = source.all<Column & { readonly place: number }>(COLUMNS, [name]);
  const primary = columns
    .filter(({ place }) => place > 0)
    .toSorted((one, other) => one.place - other.place);
  const unique = source.all<{ name: string }>(UNIQUE_COLUMNS, [name]);
  const key =
    primary.length > 0
      ? primary
      : unique.flatMap((each) => columns.find((column) => column.name === each.name) ?? []);
  if (key.length === 0)
    throw new Error(`platform: the file has no table ${name}: it is no database of the platform`);
  const [first, second] = primary;
  const isNumbered = second === undefined && first?.type === "INTEGER";
  return { name, columns, key, number: isNumbered ? first.name : undefined };
}

/** Lists the tables of a platform's file, with the columns that this has. */
export const listTables = (source: SqliteDatabase): Table[] =>
  NAMES.map((name) => readTable(source, name));
