import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  type Expression,
  type LimitNode,
  QueryCreator,
  sql,
  SqliteAdapter,
  SqliteQueryCompiler,
  ValueNode,
} from "kysely";
import type { SqlDatabase, SqlValue } from "./sql-database.ts";
import type { Tables } from "./tables.ts";

class QueryCompiler extends SqliteQueryCompiler {
  /** Writes a number as it is: a statement with a bound limit is prepared anew by SQLite whenever it runs. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value))
      this.append(`limit ${String(limit.value)}`);
    else super.visitLimit(node);
  }
}

/** Writes queries; it has no connection, `readRows` and `change` run what it writes. */
export const db = new QueryCreator<Tables>({
  // Not `Kysely`, which brings along all that changes a schema.
  executor: new DefaultQueryExecutor(
    new QueryCompiler(),
    new SqliteAdapter(),
    new DefaultConnectionProvider(new DummyDriver()),
  ),
});

/** A query that the builder has written. */
interface Query<Row> {
  compile(): CompiledQuery<Row>;
}

/** Runs a query and returns its rows. */
export function readRows<Row>(database: SqlDatabase, query: Query<Row>): Row[] {
  const written = query.compile();
  return database.all<Row>(written.sql, ...(written.parameters as readonly SqlValue[]));
}

/** Runs a query and returns its first row. */
export function readRow<Row>(database: SqlDatabase, query: Query<Row>): Row | undefined {
  return readRows(database, query)[0];
}

/** Reads the one number that a query selects; 0 when it selects no row. */
export function readNumber(
  database: SqlDatabase,
  query: Query<Readonly<Record<string, number>>>,
): number {
  return Object.values(readRow(database, query) ?? {})[0] ?? 0;
}

/** Runs a statement and returns the number of changed rows. */
export function change(database: SqlDatabase, query: Query<unknown>): number {
  const written = query.compile();
  return database.run(written.sql, ...(written.parameters as readonly SqlValue[]));
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
  rows(database: SqlDatabase, values: Values): Row[];
  /** Runs it and returns the number of changed rows. */
  change(database: SqlDatabase, values: Values): number;
}

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
  let known: CompiledQuery<Row> | undefined;
  const find = (): CompiledQuery<Row> => {
    if (known) return known;
    const placeholders = new Proxy({} as Values, {
      get: (_target, name) => new Parameter(String(name)),
    });
    return (known = write(placeholders).compile());
  };
  const toValues = (parameters: readonly unknown[], values: Values): SqlValue[] =>
    parameters.map((parameter) =>
      parameter instanceof Parameter
        ? ((values as Readonly<Record<string, SqlValue>>)[parameter.name] ?? null)
        : (parameter as SqlValue),
    );
  return {
    rows(database, values) {
      const written = find();
      return database.all<Row>(written.sql, ...toValues(written.parameters, values));
    },
    change(database, values) {
      const written = find();
      return database.run(written.sql, ...toValues(written.parameters, values));
    },
  };
}

// What follows is written otherwise in other databases.

/** The greater of two values; `NULL` when one of them is. */
export const greatest = <T>(one: Expression<T>, other: Expression<T>) =>
  sql<T>`max(${one}, ${other})`;

/** The lesser of two values; `NULL` when one of them is. */
export const least = <T>(one: Expression<T>, other: Expression<T>) => sql<T>`min(${one}, ${other})`;

/** The text of UTF-8 bytes: it reaches the database without being decoded and encoded again. */
export const toText = (bytes: Uint8Array) => sql<string>`cast(${bytes} as text)`;

/** The UTF-8 bytes of a text. */
export const toBytes = (text: Expression<string>) => sql<Uint8Array>`cast(${text} as blob)`;

/** Selects the size of the database in bytes. */
export const DATABASE_SIZE = db.selectNoFrom(
  sql<number>`(select page_count * page_size from pragma_page_count(), pragma_page_size())`.as(
    "bytes",
  ),
);
