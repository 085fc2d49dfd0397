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

/** Statements of a database by their SQL, each prepared once. */
export interface StatementCache<S> {
  get(sql: string): S;
  /** Removes and returns a statement. */
  forget(sql: string): S | undefined;
  /** Removes and returns every statement. */
  drain(): S[];
}

/** Creates the cache of one database. */
export function createStatementCache<S>(prepare: (sql: string) => S): StatementCache<S> {
  const statements = new Map<string, S>();
  return {
    get(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    forget(sql) {
      const statement = statements.get(sql);
      statements.delete(sql);
      return statement;
    },
    drain() {
      const all = [...statements.values()];
      statements.clear();
      return all;
    },
  };
}

/** Rolls back a transaction; errors are ignored. */
export function rollBack(database: SqlDatabase): void {
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
