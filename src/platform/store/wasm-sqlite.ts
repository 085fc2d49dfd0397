import type { Database } from "node-sqlite3-wasm";
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

/** Opens a database with `node-sqlite3-wasm`; gives nothing when the package is not installed. */
export async function openWasmSqlite(file: string): Promise<SqlDatabase | undefined> {
  const driver = await loadDriver();
  if (!driver) return undefined;
  const database = new driver.Database(file);
  const statements = createStatementCache((sql) => database.prepare(sql));

  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => statements.get(sql).run([...values]).changes,
    all: <Row>(sql: string, ...values: readonly SqlValue[]) =>
      statements.get(sql).all([...values]) as Row[],
    close() {
      // Open statements would keep the file and its lock.
      for (const statement of statements.drain()) statement.finalize();
      database.close();
    },
  };
}
