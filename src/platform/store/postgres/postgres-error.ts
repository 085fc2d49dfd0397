import { StoreError } from "../sql-database.ts";

/** Classes of SQLSTATE whose messages may quote a value: data that is wrong, and constraints. */
const QUOTING = /^2[23]/;

/**
 * Describes an error of the driver, without the values of a statement.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function describe(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!/^[0-9A-Z]{5}$/.test(code)) return `no connection (${code || error.name})`;
  return QUOTING.test(code) ? `SQLSTATE ${code}` : `${error.message} (SQLSTATE ${code})`;
}

/** Returns the SQLSTATE of an error of the store; `undefined` where the server has said nothing. */
export function readSqlState(error: unknown): string | undefined {
  const cause = error instanceof StoreError ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}

/** Turns an error of the driver into one of the store. */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  return new StoreError(`PostgreSQL: ${describe(error)}`, { cause: error });
}
