import type { Database, Statement } from "node-sqlite3-wasm";
import { createStatementCache, type SqlDatabase, type SqlValue } from "./sql-database.ts";

interface Driver {
  readonly Database: new (file: string) => Database;
}

function isMissing(error: unknown): boolean {
  // `MODULE_NOT_FOUND` from require(), `ERR_MODULE_NOT_FOUND` from import().
  return (
    error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND")
  );
}

async function loadDriver(): Promise<Driver | undefined> {
  try {
    const module = await import("node-sqlite3-wasm");
    // The package is CommonJS: its names may stand on the default export only.
    return "default" in module ? module.default : module;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function finalize(statement: Statement): void {
  try {
    statement.finalize();
  } catch {
    // It is gone all the same: SQLite repeats here what the statement failed with when it ran last.
  }
}

/** Opens a database with `node-sqlite3-wasm`; gives nothing when the package is not installed. */
export async function openWasmSqlite(file: string): Promise<SqlDatabase | undefined> {
  const driver = await loadDriver();
  if (!driver) return undefined;
  const database = new driver.Database(file);
  const statements = createStatementCache((sql) => database.prepare(sql));

  /** A statement that failed is not used again: the driver would tell of the same failure once more. */
  const use = <Result>(sql: string, work: (statement: Statement) => Result): Result => {
    try {
      return work(statements.get(sql));
    } catch (error) {
      const failed = statements.forget(sql);
      if (failed) finalize(failed);
      throw error;
    }
  };

  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => use(sql, (statement) => statement.run([...values]).changes),
    all: <Row>(sql: string, ...values: readonly SqlValue[]) =>
      use(sql, (statement) => statement.all([...values])) as Row[],
    close() {
      // Open statements would keep the file and its lock.
      for (const statement of statements.drain()) finalize(statement);
      database.close();
    },
  };
}
