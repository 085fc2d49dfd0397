import type { SqlValue } from "../sql-database.ts";

/** Returns a value as PostgreSQL keeps it: it has no text with NUL or half a pair of surrogates, and no integer without an end. */
export function toPostgresValue(value: SqlValue): SqlValue {
  if (typeof value === "string")
    return (value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value).toWellFormed();
  if (value === Infinity) return Number.MAX_SAFE_INTEGER;
  return value === -Infinity ? Number.MIN_SAFE_INTEGER : value;
}
