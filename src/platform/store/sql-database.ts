import type { Steps, Turns } from "../turns.ts";

/** A value that a statement takes or returns. */
export type SqlValue = string | number | Uint8Array | null;

/** How a database writes SQL. */
export type Dialect = "sqlite" | "postgres";

/** Reads rows: SQLite at once, PostgreSQL answers later. Statements are prepared once and kept. */
export interface SqlDatabase {
  readonly dialect: Dialect;
  all<Row>(sql: string, values: readonly SqlValue[]): Row[] | Promise<Row[]>;
}

/** Reads and writes: what it writes is stored together, or not at all. */
export interface Transaction extends SqlDatabase {
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, values: readonly SqlValue[]): number | Promise<number>;
  /**
   * Runs a statement whose outcome nobody needs: where it fails, the transaction does, at its end at the latest.
   *
   * @returns A promise where so much is under way that it is to be waited for.
   */
  send(sql: string, values: readonly SqlValue[]): void | Promise<void>;
}

/** Something that several writes of a transaction add to, and that is stored once, at its end. */
export interface SharedWork {
  save(): Steps<void>;
}

/** A transaction of several writes. */
export interface SharedTransaction extends Transaction {
  /** Returns what its writes share under a name; it is saved before the commit. */
  share<Work extends SharedWork>(name: string, create: () => Work): Work;
}

/** A transaction, and its end. */
export interface OpenTransaction extends Transaction {
  commit(): void | Promise<void>;
  rollBack(): void | Promise<void>;
}

/** What every database has that the platform has opened. */
interface Opened extends SqlDatabase {
  /** Begins a transaction once no other is open. */
  begin(): OpenTransaction | Promise<OpenTransaction>;
  /** Writes without changing anything, in a transaction; throws where nothing can be written. */
  touch(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A driver of SQLite. */
export interface SqliteDriver {
  exec(sql: string): void;
  run(sql: string, values?: readonly SqlValue[]): number;
  all<Row>(sql: string, values?: readonly SqlValue[]): Row[];
  close(): void;
}

/** A database of SQLite: it answers at once. */
export interface SqliteDatabase extends SqliteDriver, Opened {
  readonly dialect: "sqlite";
  run(sql: string, values?: readonly SqlValue[]): number;
  all<Row>(sql: string, values?: readonly SqlValue[]): Row[];
  send(sql: string, values?: readonly SqlValue[]): void;
  begin(): OpenTransaction;
  close(): void;
}

/** A transaction of PostgreSQL. */
export interface PostgresTransaction extends OpenTransaction {
  /** Runs statements without values. */
  exec(sql: string): Promise<void>;
}

/** A database of PostgreSQL, which other replicas use as well. */
export interface PostgresDatabase extends Opened {
  readonly dialect: "postgres";
  begin(): Promise<PostgresTransaction>;
  /** Begins a transaction whose statements have no bound of time. */
  beginLong(): Promise<PostgresTransaction>;
  touch(): Promise<void>;
  close(): Promise<void>;
}

/** A database that the platform has opened. */
export type OpenDatabase = PostgresDatabase | SqliteDatabase;

/** Completes a driver of SQLite. */
export function toSqliteDatabase(driver: SqliteDriver): SqliteDatabase {
  const send = (sql: string, values: readonly SqlValue[] = []): void => {
    driver.run(sql, values);
  };
  const transaction: OpenTransaction = {
    ...driver,
    dialect: "sqlite",
    send,
    commit: () => driver.exec("COMMIT"),
    rollBack: () => rollBack(driver),
  };
  return {
    ...driver,
    dialect: "sqlite",
    send,
    begin() {
      driver.exec("BEGIN IMMEDIATE");
      return transaction;
    },
    touch() {
      // Writes the first page of the file as it is.
      const [before] = driver.all<{ user_version: number }>("PRAGMA user_version");
      driver.exec(`PRAGMA user_version = ${before?.user_version ?? 0}`);
    },
  };
}

/** Rolls back a transaction of SQLite; errors are ignored. */
function rollBack(database: SqliteDriver): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error); the first error is the one to report.
  }
}

/** Runs a function in a transaction of SQLite: all of it is stored, or nothing. */
export function inTransaction<T>(database: SqliteDriver, work: () => T): T {
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

/** Waits for what a database does, where it does not do it at once. */
export function* settle<Result>(result: Result | Promise<Result>): Steps<Result> {
  return result instanceof Promise ? ((yield result) as Result) : result;
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

/** Writes to a transaction. */
export type Write<Result> = (transaction: SharedTransaction) => Steps<Result>;

/** Work that is written in a transaction, and who waits for it. */
interface QueuedWrite {
  readonly work: Write<unknown>;
  /** Rows that it writes, about; absent for one that has a transaction of its own. */
  readonly rows: number | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs writes in a transaction, and stores what they share. */
function* runWrites(opened: OpenTransaction, writes: readonly QueuedWrite[]): Steps<unknown[]> {
  const works = new Map<string, SharedWork>();
  const transaction: SharedTransaction = {
    ...opened,
    share<Work extends SharedWork>(name: string, create: () => Work): Work {
      const known = works.get(name) as Work | undefined;
      if (known) return known;
      const work = create();
      works.set(name, work);
      return work;
    },
  };
  const results: unknown[] = [];
  for (const { work } of writes) results.push(yield* work(transaction));
  for (const work of works.values()) yield* work.save();
  return results;
}

function* transact(database: OpenDatabase, writes: readonly QueuedWrite[]): Steps<unknown[]> {
  let transaction: OpenTransaction | undefined;
  try {
    transaction = yield* settle(database.begin());
    const results = yield* runWrites(transaction, writes);
    yield* settle(transaction.commit());
    return results;
  } catch (error) {
    if (transaction) yield* settle(transaction.rollBack());
    throw toStoreError(error);
  }
}

/** Writes that share a transaction at most, and their rows, about: what waits behind them waits for all of them. */
const MAX_SHARED = 64;
const MAX_SHARED_ROWS = 4000;

/** Creates the queue of a database, which nothing else may write to. */
export function createWriteQueue(database: OpenDatabase, turns: Turns) {
  const queued: QueuedWrite[] = [];
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  const run = async (writes: readonly QueuedWrite[]): Promise<void> => {
    try {
      const results = await turns.take(transact(database, writes));
      for (const [index, { resolve }] of writes.entries()) resolve(results[index]);
    } catch (error) {
      if (writes.length === 1) return void writes[0]?.reject(error);
      // One of them has failed, and nothing is stored: each has its own answer.
      for (const write of writes) await run([write]);
    }
  };

  /** Returns how many at the beginning of the queue run in one transaction. */
  const countTogether = (): number => {
    let rows = 0;
    const end = queued.findIndex(
      (write) => write.rows === undefined || (rows += write.rows) > MAX_SHARED_ROWS,
    );
    return Math.max(1, Math.min(end === -1 ? queued.length : end, MAX_SHARED));
  };

  const runNext = async (): Promise<void> => {
    if (queued.length > 0) await run(queued.splice(0, countTogether()));
  };

  const enqueue = <Result>(work: Write<Result>, rows?: number): Promise<Result> => {
    waiting++;
    const done = new Promise<Result>((resolve, reject) => {
      queued.push({ work, rows, resolve: resolve as QueuedWrite["resolve"], reject });
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
    write: <Result>(work: Write<Result>): Promise<Result> => enqueue(work),
    /**
     * Runs work in one transaction with other such work that waits: a commit takes as long as storing a hundred events.
     *
     * All of it is stored, or nothing. Where one fails, each is run again by itself: it may do nothing but write.
     *
     * @param rows - How many rows it writes, about.
     */
    writeShared: <Result>(work: Write<Result>, rows = 1): Promise<Result> => enqueue(work, rows),
    /** Resolves once all queued writes are done. */
    idle: () => last,
  };
}

/** Writes to a database, one transaction after the other. */
export type WriteQueue = ReturnType<typeof createWriteQueue>;
