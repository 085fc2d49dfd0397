import type { Steps, Turns } from "../turns.ts";
import { rollBack, type SqlDatabase } from "./sql-database.ts";

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

/** Writes to a database, one transaction after the other. */
export interface WriteQueue {
  /**
   * Runs work in a transaction of its own: all of it is stored, or nothing.
   *
   * It may take many turns. Nothing else is written meanwhile, but others may read uncommitted rows.
   */
  write<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Resolves once all queued writes are done. */
  idle(): Promise<void>;
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
export function createWriteQueue(database: SqlDatabase, turns: Turns): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    write(work) {
      const done = last.then(() => turns.take(transact(database, work)));
      // The caller gets the failure; the next write starts all the same.
      last = done.catch(() => undefined);
      return done;
    },
    async idle() {
      await last;
    },
  };
}
