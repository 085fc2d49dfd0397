import type { TestProject } from "vitest/node";
import { startPostgres } from "../../cluster/support/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of PostgreSQL, without a database. */
    readonly postgres: string;
  }
}

/** Starts PostgreSQL for the platform's tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgres", server.url);
  return () => server.stop();
}
