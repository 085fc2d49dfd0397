import type * as Postgres from "pg";

const PACKAGE = "pg";

/** Loads the client of PostgreSQL, which is not installed with the package. */
export async function loadPostgres(): Promise<typeof Postgres> {
  try {
    const module = await import("pg");
    // The package is CommonJS: its names may be on the default export only.
    return "default" in module ? (module.default as typeof Postgres) : module;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.endsWith("MODULE_NOT_FOUND")) throw error;
    const detail = `postgres:// needs the package ${PACKAGE}: npm install ${PACKAGE}`;
    throw new Error(`platform: ${detail}`, { cause: error });
  }
}
