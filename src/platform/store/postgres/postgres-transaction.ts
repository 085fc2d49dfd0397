import type { Pool, PoolClient } from "pg";
import type { PostgresTransaction, SqlValue } from "../sql-database.ts";
import { toPostgresError } from "./postgres-error.ts";
import { toPostgresValue } from "./postgres-value.ts";

/** Who holds this lock writes: as in SQLite there is one transaction at a time, whatever replica it is of. */
const WRITE_LOCK = 0x61_67_6d_77;

type Ask = Pick<PoolClient, "query">;

/** Creates what runs statements on a connection. */
export function createRunner(client: Ask, toName: (sql: string) => string | undefined) {
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
    exec: async (sql: string): Promise<void> => {
      try {
        await client.query(sql);
      } catch (error) {
        throw toPostgresError(error);
      }
    },
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
export const LONG = `
  SET LOCAL statement_timeout = 0;
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1s', true);
  EXCEPTION WHEN OTHERS THEN NULL; END $$;`;

/** UTF-16 units of values that may be under way: more are waited for, so that they don't fill the memory. */
const MAX_UNDER_WAY = 8 * 1024 * 1024;

const measure = (values: readonly SqlValue[]): number =>
  values.reduce<number>(
    (sum, value) =>
      sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 0),
    0,
  );

/** Creates what sends statements without waiting for them. */
function createSender(run: PostgresTransaction["run"]) {
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<void> = Promise.resolve();
  let underWay = 0;
  const follow = async (sql: string, values: readonly SqlValue[], size: number): Promise<void> => {
    try {
      await run(sql, values);
    } catch (error) {
      failure ??= { error };
    }
    underWay -= size;
  };
  return {
    send: (sql: string, values: readonly SqlValue[]): void | Promise<void> => {
      const size = measure(values);
      underWay += size;
      last = follow(sql, values, size);
      return underWay > MAX_UNDER_WAY ? last : undefined;
    },
    /** Throws the error of the first statement that has failed: those behind it say only that one has. */
    settle: async (): Promise<void> => {
      // They end in the order in which they were sent.
      await last;
      if (failure) throw failure.error;
    },
  };
}

/**
 * Begins a transaction once no other replica has one.
 *
 * @param settings - Statements behind its beginning, before it waits.
 */
export async function beginPostgres(
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
  const { run, all, exec } = createRunner(held, toName);
  const { send, settle } = createSender(run);
  /** Waits for a statement; where one that was sent before it has failed, that is the reason. */
  const follow = async <Result>(outcome: Promise<Result>): Promise<Result> => {
    try {
      return await outcome;
    } catch (error) {
      await settle();
      throw error;
    }
  };
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
    // Where one has failed, the server has rolled back what was to be committed.
    if (command === "COMMIT") await settle();
  };
  return {
    dialect: "postgres",
    run: (sql, values) => follow(run(sql, values)),
    all: (sql, values) => follow(all(sql, values)),
    send,
    exec: (sql) => follow(exec(sql)),
    commit: () => end("COMMIT"),
    rollBack: () => end("ROLLBACK"),
  };
}
