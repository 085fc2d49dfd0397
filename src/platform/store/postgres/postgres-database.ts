import type { Pool, PoolClient, PoolConfig } from "pg";
import type { PostgresDatabase, PostgresTransaction, SqlValue } from "../sql-database.ts";
import { loadPostgres } from "./load-postgres.ts";
import { toPostgresError } from "./postgres-error.ts";
import { toPostgresValue } from "./postgres-value.ts";

/** Connections for reading, of one replica; it has one more for writing. */
const READERS = 8;
const CONNECT_MILLIS = 10_000;
/** Longest time that a statement may take, and that it may wait for the transaction of another replica. */
const STATEMENT_MILLIS = 60_000;
/** Time after which PostgreSQL ends the transaction of a replica that has stopped in it. */
const IDLE_MILLIS = 30_000;

/** Who holds this lock writes: as in SQLite there is one transaction at a time, whatever replica it is of. */
const WRITE_LOCK = 0x61_67_6d_77;

/** Statements that stay prepared; those that a filter writes are not among them for ever. */
const MAX_STATEMENTS = 300;

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

type Ask = Pick<PoolClient, "query">;

/** Creates what runs statements on a connection. */
function createRunner(client: Ask, toName: (sql: string) => string | undefined) {
  const query = async (sql: string, values: readonly SqlValue[]) => {
    try {
      const name = toName(sql);
      const statement = { text: sql, values: values.map(toPostgresValue) };
      return await client.query(name === undefined ? statement : { name, ...statement });
    } catch (error) {
      throw toPostgresError(error);
    }
  };
  return {
    run: async (sql: string, values: readonly SqlValue[] = []) =>
      (await query(sql, values)).rowCount ?? 0,
    all: async <Row>(sql: string, values: readonly SqlValue[] = []) =>
      (await query(sql, values)).rows as Row[],
  };
}

/**
 * For a transaction that takes as long as it needs, and waits for others of that kind: without a bound of time, but ended by the server
 * within a second of its client's end, where the server can look for that.
 */
const LONG = `
  SET LOCAL statement_timeout = 0;
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1s', true);
  EXCEPTION WHEN OTHERS THEN NULL; END $$;`;

async function begin(
  writer: Pool,
  toName: (sql: string) => string | undefined,
  settings = "",
): Promise<PostgresTransaction> {
  let client: PoolClient | undefined;
  try {
    client = await writer.connect();
    await client.query(`BEGIN; ${settings} SELECT pg_advisory_xact_lock(${WRITE_LOCK})`);
  } catch (error) {
    client?.release(true);
    throw toPostgresError(error);
  }
  const held = client;
  let isOver = false;
  const end = async (command: "COMMIT" | "ROLLBACK"): Promise<void> => {
    if (isOver) return;
    isOver = true;
    try {
      await held.query(command);
      held.release();
    } catch (error) {
      // Its connection goes with it, and so does what was not committed.
      held.release(true);
      if (command === "COMMIT") throw toPostgresError(error);
    }
  };
  return {
    dialect: "postgres",
    ...createRunner(held, toName),
    async exec(sql) {
      try {
        await held.query(sql);
      } catch (error) {
        throw toPostgresError(error);
      }
    },
    commit: () => end("COMMIT"),
    rollBack: () => end("ROLLBACK"),
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
    types: {
      getTypeParser: ((oid: number, format: "text") =>
        TYPES[oid] ?? types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const readers = new PgPool({ ...settings, max: READERS });
  const writer = new PgPool({ ...settings, max: 1 });
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
    begin: () => begin(writer, toName),
    beginLong: () => begin(writer, toName, LONG),
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
