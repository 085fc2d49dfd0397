import { createHash } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";

let opened = 0;
const files = new Set<string>();

async function ask(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject("postgres")}/postgres` });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function toName(file: string): string {
  if (file === ":memory:") return `memory_${process.pid}_${opened++}`;
  return `file_${createHash("sha256").update(file).digest("hex").slice(0, 16)}`;
}

async function create(name: string): Promise<string> {
  if (!files.has(name)) await ask(`CREATE DATABASE ${name} TEMPLATE tables STRATEGY file_copy`);
  files.add(name);
  return `${inject("postgres")}/${name}`;
}

/** Returns the address of the database that stands for a file of SQLite; each has its own. */
export const toAddress = (file: string): Promise<string> => create(toName(file));

/** Opens a database of PostgreSQL wherever a test of the platform opens one of SQLite. */
export async function openDatabase(file: string): Promise<PostgresDatabase> {
  const name = toName(file);
  const database = await openPostgres(await create(name));
  if (file !== ":memory:") return database;
  return {
    ...database,
    async close() {
      await database.close();
      // Hundreds of them would fill the disk.
      await ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
