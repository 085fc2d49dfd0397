import type { Steps, Turns } from "../turns.ts";

/** A value that a statement takes or returns. */
export type SqlValue = string | number | Uint8Array | null;

/** Common interface of the two drivers; statements are prepared once and kept. */
export interface SqlDatabase {
  exec(sql: string): void;
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  close(): void;
}

/** Rolls back a transaction; errors are ignored. */
function rollBack(database: SqlDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error); the first error is the one to report.
  }
}

/** Runs a function in a transaction: all of it is stored, or nothing. */
export function inTransaction<T>(database: SqlDatabase, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Thrown when the database can't be read or written: it is locked, the disk is full or broken. */
export class StoreError extends Error {
  override readonly name = "StoreError" as const;
}

function isDriverError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  // The names of `node-sqlite3-wasm` and of `node:sqlite`.
  return error.name === "SQLite3Error" || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}

/** Wraps an error of a driver; any other stays as it is. The message is SQLite's, never content. */
export function toStoreError(error: unknown): unknown {
  return isDriverError(error) ? new StoreError(error.message, { cause: error }) : error;
}

function* transact<Result>(database: SqlDatabase, work: () => Steps<Result>): Steps<Result> {
  try {
    database.exec("BEGIN IMMEDIATE");
    const result = yield* work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw toStoreError(error);
  }
}

/** Creates the queue of a database, which nothing else may write to. */
export function createWriteQueue(database: SqlDatabase, turns: Turns) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    /** Writes that are queued or under way. */
    get waiting() {
      return waiting;
    },
    /**
     * Runs work in a transaction of its own: all of it is stored, or nothing.
     *
     * It may take many turns. Nothing else is written meanwhile, but others may read uncommitted rows.
     */
    write: <Result>(work: () => Steps<Result>): Promise<Result> => {
      waiting++;
      const done = last
        .then(() => turns.take(transact(database, work)))
        .finally(() => void waiting--);
      // The caller gets the failure; the next write starts all the same.
      last = done.catch(() => undefined);
      return done;
    },
    /** Resolves once all queued writes are done. */
    idle: () => last,
  };
}

/** Writes to a database, one transaction after the other. */
export type WriteQueue = ReturnType<typeof createWriteQueue>;
