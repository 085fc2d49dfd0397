import { isLoopback } from "../../loopback.ts";

/** Returns whether a database is named by the address of a PostgreSQL server. */
export const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//i.test(database);

/** Modes in which `pg` compares the certificate with the name. */
const PROTECTED: ReadonlySet<string> = new Set(["require", "verify-ca", "verify-full"]);

/**
 * Finds what is wrong with an address: other machines are reached by TLS alone.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function findPostgresProblem(address: string): string | undefined {
  if (!URL.canParse(address))
    return "database is no address: expected postgres://user@host/database";
  const { hostname, pathname, searchParams } = new URL(address);
  if (!/^\/[^/]+$/.test(pathname))
    return "database names no database: expected postgres://user@host/database";
  const host = searchParams.get("host") ?? hostname;
  // An empty name and a path stand for a socket of this machine.
  if (host === "" || host.startsWith("/") || isLoopback(host)) return undefined;
  const mode = searchParams.get("sslmode") ?? "";
  if (PROTECTED.has(mode)) return undefined;
  return `database is on ${host}, which needs TLS: expected sslmode=verify-full in its address`;
}

/** Describes an address for people: without user and password. */
export function describePostgres(address: string): string {
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}
