import type { TestProject } from "vitest/node";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import { openStore } from "../../../src/platform/store/store.ts";
import { createTurns } from "../../../src/platform/turns.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { startPostgres } from "../../cluster/support/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of PostgreSQL, without a database. */
    readonly postgres: string;
  }
}

/** A machine that fails takes these databases with it: nothing waits for the disk. */
const FORGETFUL = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Starts PostgreSQL for the platform's tests, with a database that has the tables, to copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(FORGETFUL);
  const tables = await openPostgres(await server.createDatabase("tables"));
  await (await openStore(tables, createTurns(), systemClock)).close();
  project.provide("postgres", server.url);
  return () => server.stop();
}
