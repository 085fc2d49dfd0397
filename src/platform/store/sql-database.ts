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

/** Work that is written in a transaction, and who waits for it. */
interface Write {
  readonly work: () => Steps<unknown>;
  readonly isShared: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function* transact(database: SqlDatabase, writes: readonly Write[]): Steps<unknown[]> {
  const results: unknown[] = [];
  try {
    database.exec("BEGIN IMMEDIATE");
    for (const { work } of writes) results.push(yield* work());
    database.exec("COMMIT");
    return results;
  } catch (error) {
    rollBack(database);
    throw toStoreError(error);
  }
}

/** Writes that share a transaction at most: what waits behind them waits for all of them. */
const MAX_SHARED = 8;

/** Creates the queue of a database, which nothing else may write to. */
export function createWriteQueue(database: SqlDatabase, turns: Turns) {
  const queued: Write[] = [];
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  const run = async (writes: readonly Write[]): Promise<void> => {
    try {
      const results = await turns.take(transact(database, writes));
      for (const [index, { resolve }] of writes.entries()) resolve(results[index]);
    } catch (error) {
      if (writes.length === 1) return void writes[0]?.reject(error);
      // One of them has failed, and nothing is stored: each has its own answer.
      for (const write of writes) await run([write]);
    }
  };

  /** Runs the first of the queue; with it those behind it, where they may share its transaction. */
  const runNext = async (): Promise<void> => {
    const [first] = queued;
    if (!first) return;
    const end = queued.findIndex(({ isShared }) => !isShared);
    const shared = end === -1 ? queued.length : end;
    await run(queued.splice(0, first.isShared ? Math.min(shared, MAX_SHARED) : 1));
  };

  const enqueue = <Result>(work: () => Steps<Result>, isShared: boolean): Promise<Result> => {
    waiting++;
    const done = new Promise<Result>((resolve, reject) => {
      queued.push({ work, isShared, resolve: resolve as Write["resolve"], reject });
    });
    last = last.then(runNext);
    return done.finally(() => void waiting--);
  };

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
    write: <Result>(work: () => Steps<Result>): Promise<Result> => enqueue(work, false),
    /**
     * Runs work in one transaction with other such work that waits: a commit takes as long as storing a hundred events.
     *
     * All of it is stored, or nothing. Where one fails, each is run again by itself: it may do nothing but write.
     */
    writeShared: <Result>(work: () => Steps<Result>): Promise<Result> => enqueue(work, true),
    /** Resolves once all queued writes are done. */
    idle: () => last,
  };
}

/** Writes to a database, one transaction after the other. */
export type WriteQueue = ReturnType<typeof createWriteQueue>;
