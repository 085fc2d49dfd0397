import {
  type CompiledQuery,
  createQueryId,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  type Expression,
  type LimitNode,
  PostgresQueryCompiler,
  QueryCreator,
  type RootOperationNode,
  sql,
  type SqlBool,
  SqliteAdapter,
  SqliteQueryCompiler,
  ValueNode,
} from "kysely";
import type { Steps } from "../turns.ts";
import {
  type Dialect,
  settle,
  type SqlDatabase,
  type SqlValue,
  type Transaction,
} from "./sql-database.ts";
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
  toOperationNode(): RootOperationNode;
}

const COMPILERS: Readonly<Record<Dialect, { compileQuery: QueryCompiler["compileQuery"] }>> = {
  sqlite: new QueryCompiler(),
  postgres: new PostgresQueryCompiler(),
};

/** Writes a query as a database reads it. */
function compile<Row>(database: SqlDatabase, query: Query<Row>): CompiledQuery<Row> {
  const compiler = COMPILERS[database.dialect];
  return compiler.compileQuery(query.toOperationNode(), createQueryId());
}

/** Row that a query selects. */
export type SelectedRow<Of> = Of extends Query<infer Row> ? Row : never;

/** Runs a query and returns its rows. */
export function* readRows<Row>(database: SqlDatabase, query: Query<Row>): Steps<Row[]> {
  const { sql: text, parameters } = compile(database, query);
  const rows = database.all<Row>(text, parameters as readonly SqlValue[]);
  return rows instanceof Promise ? ((yield rows) as Row[]) : rows;
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
    const placeholders = new Proxy({} as Values, {
      get: (_target, name) => new Parameter(String(name)),
    });
    return (known[database.dialect] ??= compile(database, write(placeholders)));
  };
  const toValues = (parameters: readonly unknown[], values: Values): SqlValue[] =>
    parameters.map((parameter) =>
      parameter instanceof Parameter
        ? ((values as Readonly<Record<string, SqlValue>>)[parameter.name] ?? null)
        : (parameter as SqlValue),
    );
  return {
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

/** Joins a text of all rows, a line each; `NULL` where there is none. */
export const joinLines = (text: Expression<string>) =>
  sql<string | null>`group_concat(${text}, char(10))`;

/** Writes values as JSON, on one line. */
export const toJsonLine = (values: readonly Expression<unknown>[]) =>
  sql<string>`json_array(${sql.join(values)})`;

/** Selects the size of the database in bytes. */
export const DATABASE_SIZE = db.selectNoFrom(
  sql<number>`(select page_count * page_size from pragma_page_count(), pragma_page_size())`.as(
    "bytes",
  ),
);

/** Matches rows of the index of messages; `text` as `toSearchWords` writes it. */
export const isMatch = (text: string) => sql<SqlBool>`message match ${text}`;

/** A message for the index, by its event's row. */
interface IndexedMessage {
  readonly seq: number;
  /** UTF-8. */
  readonly text: Uint8Array;
}

/** Puts a message into the index. */
export const INSERT_MESSAGE = createStatement(({ seq, text }: IndexedMessage) =>
  db.insertInto("message").values({ rowid: seq, text: toText(text) }),
);

/** Replaces a message in the index. */
export const REPLACE_MESSAGE = createStatement(({ seq, text }: IndexedMessage) =>
  db.replaceInto("message").values({ rowid: seq, text: toText(text) }),
);

/**
 * Merges parts of the index of messages: what is deleted stays in it until then.
 *
 * Its rank is the number of pages to write, negative to begin with the whole of it.
 *
 * @see https://sqlite.org/fts5.html#the_merge_command
 */
export const MERGE_MESSAGES = createStatement(({ pages }: { readonly pages: number }) =>
  db.insertInto("message").values({ message: "merge", rank: pages }),
);

/** Selects how many rows have changed since the database was opened, those of the index among them. */
export const CHANGED_ROWS = db.selectNoFrom(sql<number>`total_changes()`.as("rows"));

const MAX_WORDS = 32;
/** What the index takes as part of a word. */
const WORD = /[\p{L}\p{N}\p{Co}]/u;
// The drivers end a text at NUL.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** Words that have to stand in one message: each a phrase of one or more, the last word of which may be a beginning. */
export interface SearchTerm {
  readonly phrase: string;
  readonly isPrefix: boolean;
}

/**
 * Reads what a person has typed: words, `"a phrase"`, and `begin*`. Whatever is typed, it is text and no operator.
 *
 * @returns At most 32 terms; none where no word is in it.
 */
export function readSearch(text: string): SearchTerm[] {
  const parts = text.replaceAll(CONTROLS, " ").matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g);
  return [...parts]
    .map(([, quoted, star, word = ""]) => ({
      phrase: quoted ?? word.replace(/\*+$/, ""),
      isPrefix: quoted === undefined ? word.endsWith("*") : star === "*",
    }))
    .filter(({ phrase }) => WORD.test(phrase))
    .slice(0, MAX_WORDS);
}

/** Terms as the index takes them. */
export interface SearchWords {
  readonly text: string;
  /** Whether any of them is a beginning: at each search the index puts together all words that begin so. */
  readonly hasPrefix: boolean;
}

/** Writes terms for the index: all of them in one message. @see https://sqlite.org/fts5.html#full_text_query_syntax */
export function toSearchWords(terms: readonly SearchTerm[]): SearchWords {
  const written = terms.map(
    ({ phrase, isPrefix }) => `"${phrase.replaceAll('"', '""')}"${isPrefix ? "*" : ""}`,
  );
  return { text: written.join(" AND "), hasPrefix: terms.some(({ isPrefix }) => isPrefix) };
}
