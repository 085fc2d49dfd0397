import { createHash } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";

let opened = 0;
const files = new Set<string>();

/** Opens a database of PostgreSQL wherever a test of the platform opens one of SQLite: one for each file. */
export async function openDatabase(file: string): Promise<PostgresDatabase> {
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 16);
  const isFile = file !== ":memory:";
  const name = isFile ? `file_${digest}` : `memory_${process.pid}_${opened++}`;
  if (!files.has(name)) {
    const client = new pg.Client({ connectionString: `${inject("postgres")}/postgres` });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
  }
  if (isFile) files.add(name);
  return openPostgres(`${inject("postgres")}/${name}`);
}
