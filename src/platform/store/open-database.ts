import type { Statement } from "node-sqlite3-wasm";
import { withDatabaseLock } from "./database-lock.ts";
import { type SqliteDatabase, type SqlValue, toSqliteDatabase } from "./sql-database.ts";

interface NodeStatement {
  run(...values: readonly SqlValue[]): { changes: number | bigint };
  all(...values: readonly SqlValue[]): unknown[];
}

/** The part of `node:sqlite` used here; the types of Node.js 20 don't have it. */
interface NodeSqlite {
  DatabaseSync: new (file: string) => {
    exec(sql: string): void;
    prepare(sql: string): NodeStatement;
    close(): void;
  };
}

/** Statements that stay prepared: more than the platform has, but for those that a filter writes. */
const MAX_STATEMENTS = 200;

/**
 * Returns the statement of some SQL, prepared at its first use.
 *
 * Beyond the bound the oldest one goes, even if it is used: keeping them in the order of use costs more than preparing one anew.
 */
function prepareOnce<S>(
  statements: Map<string, S>,
  database: { prepare(sql: string): S },
  sql: string,
  onEvict: (statement: S) => void = () => {},
): S {
  const known = statements.get(sql);
  if (known) return known;
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  const [oldest] = statements.size > MAX_STATEMENTS ? statements : [];
  if (oldest) {
    statements.delete(oldest[0]);
    onEvict(oldest[1]);
  }
  return statement;
}

/** Opens a database with `node:sqlite`; returns `undefined` where Node.js has none. */
export function openNodeSqlite(file: string): SqliteDatabase | undefined {
  const sqlite = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  if (!sqlite) return undefined;
  const database = new sqlite.DatabaseSync(file);
  const statements = new Map<string, NodeStatement>();

  const prepare = (sql: string): NodeStatement => prepareOnce(statements, database, sql);
  return toSqliteDatabase({
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => Number(prepare(sql).run(...values).changes),
    all: <Row>(sql: string, values: readonly SqlValue[] = []) =>
      prepare(sql).all(...values) as Row[],
    close: () => database.close(),
  });
}

function isMissing(error: unknown): boolean {
  // `MODULE_NOT_FOUND` from require(), `ERR_MODULE_NOT_FOUND` from import().
  return (
    error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND")
  );
}

async function loadDriver() {
  try {
    const module = await import("node-sqlite3-wasm");
    // The package is CommonJS: its names may be on the default export only.
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
    // The statement is finalized all the same: SQLite repeats here the error of its last run.
  }
}

/** Opens a database with `node-sqlite3-wasm`; returns `undefined` when the package is not installed. */
export async function openWasmSqlite(file: string): Promise<SqliteDatabase | undefined> {
  const driver = await loadDriver();
  if (!driver) return undefined;
  const database = new driver.Database(file);
  // Each use reads all rows at once: a statement that has to go is not in use.
  const statements = new Map<string, Statement>();

  /** A statement that failed is not used again: the driver would report the same error once more. */
  const use = <Result>(sql: string, work: (statement: Statement) => Result): Result => {
    try {
      return work(prepareOnce(statements, database, sql, finalize));
    } catch (error) {
      const failed = statements.get(sql);
      statements.delete(sql);
      if (failed) finalize(failed);
      throw error;
    }
  };

  return toSqliteDatabase({
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => use(sql, (statement) => statement.run([...values]).changes),
    all: <Row>(sql: string, values: readonly SqlValue[] = []) =>
      use(sql, (statement) => statement.all([...values])) as Row[],
    close() {
      // Open statements would keep the file and its lock.
      for (const statement of statements.values()) finalize(statement);
      statements.clear();
      database.close();
    },
  });
}

// One process owns the file: exclusive locking must come before WAL, or the WASM driver, which has no
// shared memory, can't use WAL at all. NORMAL loses nothing when the process is killed, only at power loss.
// Pages of 8 KB, in a database that is new: the driver calls the system twice for each page that it writes.
// A log of 32 MB: pages that each batch changes are written back once, not with every fourth megabyte. A cache of 64 MB: the rows of a
// hundred thousand conversations fit into it, and each page that is read again costs as much as ten rows.
const PRAGMAS = `
  PRAGMA page_size = 8192;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA cache_size = -65536;
`;

/**
 * Opens a database with the available driver: `node:sqlite`, else `node-sqlite3-wasm`.
 *
 * @param file - A path, or `:memory:`.
 */
export async function openDatabase(file: string): Promise<SqliteDatabase> {
  if (file === ":memory:") return openWithDriver(file);
  return withDatabaseLock(file, async () => {
    const database = await openWithDriver(file);
    try {
      database.exec(PRAGMAS);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

async function openWithDriver(file: string): Promise<SqliteDatabase> {
  const database = openNodeSqlite(file) ?? (await openWasmSqlite(file));
  if (database) return database;
  throw new Error(
    "platform: no SQLite driver: use Node.js 22.13 or later, or install the optional package node-sqlite3-wasm",
  );
}
