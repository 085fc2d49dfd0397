import { withDatabaseLock } from "./database-lock.ts";
import { openNodeSqlite } from "./node-sqlite.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { openWasmSqlite } from "./wasm-sqlite.ts";

// One process owns the file: exclusive locking must come before WAL, or the WASM driver, which has no
// shared memory, can't use WAL at all. NORMAL loses nothing when the process is killed, only at power loss.
const PRAGMAS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
`;

/**
 * Opens a database with the driver at hand: `node:sqlite`, else `node-sqlite3-wasm`.
 *
 * @param file - A path, or `:memory:`.
 */
export async function openDatabase(file: string): Promise<SqlDatabase> {
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

async function openWithDriver(file: string): Promise<SqlDatabase> {
  const database = openNodeSqlite(file) ?? (await openWasmSqlite(file));
  if (database) return database;
  throw new Error(
    "platform: no SQLite driver: use Node.js 22.13 or later, or install the optional package node-sqlite3-wasm",
  );
}
