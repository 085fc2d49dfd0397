import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  type Expression,
  QueryCreator,
  type RootOperationNode,
  sql,
  SqliteAdapter,
} from "kysely";
import { followSteps, mapSteps, type Steps } from "../turns.ts";
import { call, compileFor, DEFAULT_WRITER } from "./compile-query.ts";
import {
  type Dialect,
  settle,
  type SqlDatabase,
  type SqlValue,
  type Transaction,
} from "./sql-database.ts";
import type { Tables } from "./tables.ts";

/** Writes queries; it has no connection, `readRows` and `change` run what it writes. */
export const db = new QueryCreator<Tables>({
  // Not `Kysely`, which brings along all that changes a schema.
  executor: new DefaultQueryExecutor(
    DEFAULT_WRITER,
    new SqliteAdapter(),
    new DefaultConnectionProvider(new DummyDriver()),
  ),
});

/** A query that the builder has written. */
export interface Query<Row> {
  compile(): CompiledQuery<Row>;
  toOperationNode(): RootOperationNode;
}

/** Writes a query as a database reads it. */
function compile<Row>(database: SqlDatabase, query: Query<Row>): CompiledQuery<Row> {
  return compileFor(database.dialect, query.toOperationNode());
}

/** Row that a query selects. */
export type SelectedRow<Of> = Of extends Query<infer Row> ? Row : never;

/** Runs a query and returns its rows. */
export function* readRows<Row>(database: SqlDatabase, query: Query<Row>): Steps<Row[]> {
  const { sql: text, parameters } = compile(database, query);
  return yield* settle(database.all<Row>(text, parameters as readonly SqlValue[]));
}

/** Runs a query and returns its first row. */
export function* readRow<Row>(database: SqlDatabase, query: Query<Row>): Steps<Row | undefined> {
  return (yield* readRows(database, query))[0];
}

/** Reads the one number that a query selects; 0 when it selects no row. */
export function* readNumber(
  database: SqlDatabase,
  query: Query<Readonly<Record<string, number>>>,
): Steps<number> {
  return Object.values((yield* readRow(database, query)) ?? {})[0] ?? 0;
}

/** What `EXPLAIN` answers. */
interface Explained {
  readonly "QUERY PLAN": readonly [{ readonly Plan: { readonly "Plan Rows": number } }];
}

/** Estimates how many rows a query selects, from what PostgreSQL knows of its tables. */
export function* estimateRows(database: SqlDatabase, query: Query<unknown>): Steps<number> {
  const { sql: text, parameters } = compile(database, query);
  const explain = `EXPLAIN (FORMAT JSON) ${text}`;
  const rows = yield* settle(database.all<Explained>(explain, parameters as readonly SqlValue[]));
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** Reads something for each item: SQLite one after the other, PostgreSQL over several connections. */
export function* readEach<Item, Result>(
  database: SqlDatabase,
  items: readonly Item[],
  read: (item: Item) => Steps<Result>,
): Steps<Result[]> {
  return yield* readTogether(database, ...items.map((item) => read(item)));
}

/** Reads several things: SQLite one after the other, PostgreSQL over several connections. */
export function* readTogether<Results extends readonly unknown[]>(
  database: SqlDatabase,
  ...reads: { [Index in keyof Results]: Steps<Results[Index]> }
): Steps<Results> {
  const all: readonly Steps<unknown>[] = reads;
  if (database.dialect === "postgres") return (yield Promise.all(all.map(followSteps))) as Results;
  return (yield* mapSteps(all, (read) => read)) as unknown as Results;
}

/** Runs a statement and returns the number of changed rows. */
export function* change(database: Transaction, query: Query<unknown>): Steps<number> {
  const { sql: text, parameters } = compile(database, query);
  return yield* settle(database.run(text, parameters as readonly SqlValue[]));
}

/** Stands for a value that is known when a statement runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A statement that is written once, and run with other values each time. */
export interface Statement<Values, Row> {
  /** Runs it and returns its rows. */
  rows(database: SqlDatabase, values: Values): Steps<Row[]>;
  /** Runs it and returns the number of changed rows. */
  change(database: Transaction, values: Values): Steps<number>;
  /** Runs it where nobody needs its outcome: where it fails, the transaction does. */
  send(database: Transaction, values: Values): Steps<void>;
  /** Writes it for a database. */
  write(
    database: SqlDatabase,
    values: Values,
  ): { readonly sql: string; readonly values: SqlValue[] };
}

/** Row that a statement returns. */
export type RowOf<Of> = Of extends Statement<never, infer Row> ? Row : never;

/**
 * Writes a statement at its first use, for work in which the writing would count: that of each event.
 *
 * There its values count as well: Node.js 20 takes a microsecond for each member that stands behind a spread.
 *
 * @param write - Gets a placeholder for each value, to be used as one and not looked at.
 */
export function createStatement<Values extends object, Row>(
  write: (values: Values) => Query<Row>,
): Statement<Values, Row> {
  const known: Partial<Record<Dialect, CompiledQuery<Row>>> = {};
  const find = (database: SqlDatabase): CompiledQuery<Row> => {
    const before = known[database.dialect];
    if (before) return before;
    const placeholders = new Proxy({} as Values, {
      get: (_target, name) => new Parameter(String(name)),
    });
    return (known[database.dialect] = compile(database, write(placeholders)));
  };
  const toValues = (parameters: readonly unknown[], values: Values): SqlValue[] =>
    parameters.map((parameter) =>
      parameter instanceof Parameter
        ? ((values as Readonly<Record<string, SqlValue>>)[parameter.name] ?? null)
        : (parameter as SqlValue),
    );
  // Not by `settle`, which would be another generator for each statement of each event.
  return {
    write(database, values) {
      const written = find(database);
      return { sql: written.sql, values: toValues(written.parameters, values) };
    },
    *rows(database, values) {
      const written = find(database);
      const rows = database.all<Row>(written.sql, toValues(written.parameters, values));
      return rows instanceof Promise ? ((yield rows) as Row[]) : rows;
    },
    *change(database, values) {
      const written = find(database);
      const changed = database.run(written.sql, toValues(written.parameters, values));
      return changed instanceof Promise ? ((yield changed) as number) : changed;
    },
    *send(database, values) {
      const written = find(database);
      const full = database.send(written.sql, toValues(written.parameters, values));
      if (full) yield full;
    },
  };
}

/** The greater of two values; `NULL` when one of them is. */
export const greatest = <T>(one: Expression<T>, other: Expression<T>) =>
  call<T>("greatest_of", one, other);

/** The lesser of two values; `NULL` when one of them is. */
export const least = <T>(one: Expression<T>, other: Expression<T>) =>
  call<T>("least_of", one, other);

/** The text of UTF-8 bytes: it reaches the database without being decoded and encoded again. */
export const toText = (bytes: Uint8Array) => call<string>("text_of", sql`${bytes}`);

/** The UTF-8 bytes of a text. */
export const toBytes = (text: Expression<string>) => call<Uint8Array>("bytes_of", text);

/** Joins a text of all rows, a line each; `NULL` where there is none. */
export const joinLines = (text: Expression<string>) => call<string | null>("lines_of", text);

/** Writes values as JSON, on one line; behind commas PostgreSQL writes a space. */
export const toJsonLine = (values: readonly Expression<unknown>[]) =>
  call<string>("json_line", ...values);

/** A value that SQLite is not to look up in an index: it would choose one that finds too much. */
export const withoutIndex = <T>(value: Expression<T>) => call<T>("without_index", value);

/** Texts of a list, which is written as JSON: a statement is the same for lists of every length. */
export const textsOf = (json: string) => call<{ value: string }>("texts_of", sql`${json}`);

/** Numbers of a list, in the same way. */
export const numbersOf = (json: string) => call<{ value: number }>("numbers_of", sql`${json}`);

/** Selects the size of the database in bytes. */
export const DATABASE_SIZE = db.selectNoFrom((eb) =>
  eb.fn.coalesce(call<number>("database_size"), eb.lit(0)).as("bytes"),
);
