import { createHash } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";

let opened = 0;
const files = new Set<string>();

async function create(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject("postgres")}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE tables STRATEGY file_copy`);
  await client.end();
}

/** Returns the address of the database that stands for a file of SQLite; each has its own. */
export async function toAddress(file: string): Promise<string> {
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 16);
  const isFile = file !== ":memory:";
  const name = isFile ? `file_${digest}` : `memory_${process.pid}_${opened++}`;
  if (!files.has(name)) await create(name);
  if (isFile) files.add(name);
  return `${inject("postgres")}/${name}`;
}

/** Opens a database of PostgreSQL wherever a test of the platform opens one of SQLite. */
export async function openDatabase(file: string): Promise<PostgresDatabase> {
  return openPostgres(await toAddress(file));
}
