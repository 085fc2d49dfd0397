import type { PoolConfig } from "pg";
import type { PostgresDatabase } from "../sql-database.ts";
import { loadPostgres } from "./load-postgres.ts";
import { toPostgresError } from "./postgres-error.ts";
import { beginPostgres, createRunner, LONG } from "./postgres-transaction.ts";

/** Connections for reading, of one replica; it has one more for writing. */
const READERS = 8;
const CONNECT_MILLIS = 10_000;
/** Longest time that a statement may take, and that it may wait for the transaction of another replica. */
const STATEMENT_MILLIS = 60_000;
/** Time after which PostgreSQL ends the transaction of a replica that has stopped in it. */
const IDLE_MILLIS = 30_000;

/** Statements that stay prepared; those that a filter writes are not among them for ever. */
const MAX_STATEMENTS = 300;

/** To compile a query would take longer than any of them does. */
const NO_JIT = "-c jit=off";
/** What is the best way to find one value is the worst for another: few conversations have the one, nearly all have the other. */
const OWN_PLANS = "-c plan_cache_mode=force_custom_plan";

/** Types as SQLite has them: numbers for integers of 64 bits, sums and comparisons. */
const TYPES: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === "t" ? 1 : 0),
  20: Number,
  1700: Number,
};

/** Names statements, so that each is prepared once for a connection. */
function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Opens a database of PostgreSQL; its tables are `preparePostgres`'s. @param url - `postgres://user@host/database`. */
export async function openPostgres(url: string): Promise<PostgresDatabase> {
  const { Pool: PgPool, types } = await loadPostgres();
  const settings: PoolConfig = {
    connectionString: url,
    application_name: "agent-monitor",
    connectionTimeoutMillis: CONNECT_MILLIS,
    statement_timeout: STATEMENT_MILLIS,
    idle_in_transaction_session_timeout: IDLE_MILLIS,
    keepAlive: true,
    options: NO_JIT,
    types: {
      getTypeParser: ((oid: number, format: "text") =>
        TYPES[oid] ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const readers = new PgPool({ ...settings, max: READERS, options: `${NO_JIT} ${OWN_PLANS}` });
  // Statements are sent without waiting for those before them.
  const pipelined = { ...settings, max: 1, pipeline: true };
  const writer = new PgPool(pipelined);
  // A connection that breaks while nobody uses it: the next one who asks gets another.
  for (const pool of [readers, writer]) {
    pool.on("error", () => {});
    // Its statement fails as well.
    pool.on("connect", (client) => client.on("error", () => {}));
  }
  const toName = createNames();
  const database: PostgresDatabase = {
    dialect: "postgres",
    all: createRunner(readers, toName).all,
    begin: () => beginPostgres(writer, toName),
    beginLong: () => beginPostgres(writer, toName, LONG),
    async touch() {
      const [row] = await database.all<{ isReadOnly: number }>(
        `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "isReadOnly"`,
        [],
      );
      if (row?.isReadOnly === 1) throw toPostgresError(new Error("read-only"));
    },
    async close() {
      await Promise.all([readers.end(), writer.end()]);
    },
  };
  return database;
}
