import { type SelectQueryBuilder, sql } from "kysely";
import { joinLines, readRow, readRows, toJsonLine } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

/** Rows with the same texts in some columns. */
export interface Alike<Columns extends readonly string[]> {
  readonly values: { readonly [Index in keyof Columns]: string };
  readonly count: number;
}

function countLines(lines: string | null | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!lines) return counts;
  for (const line of lines.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Counts how often rows have the same texts in some columns. PostgreSQL groups them; SQLite would sort all of them. */
export function* countAlike<
  Table extends keyof Tables,
  const Columns extends readonly (string & keyof Tables[Table])[],
>(
  database: SqlDatabase,
  rows: SelectQueryBuilder<Tables, Table, object>,
  columns: Columns,
): Steps<Alike<Columns>[]> {
  const texts = columns.map((name) => sql.ref<string>(name));
  const line = toJsonLine(texts);
  const toAlike = (json: string, count: number): Alike<Columns> => ({
    values: JSON.parse(json) as Alike<Columns>["values"],
    count,
  });
  if (database.dialect === "postgres") {
    const grouped = rows
      .select(({ fn }) => [line.as("line"), fn.countAll<number>().as("count")])
      .groupBy(texts);
    return (yield* readRows(database, grouped)).map((row) => toAlike(row.line, row.count));
  }
  const row = yield* readRow(database, rows.select(joinLines(line).as("lines")));
  return [...countLines(row?.lines)].map(([json, count]) => toAlike(json, count));
}
