import { sql, type SqlBool } from "kysely";
import type { Steps } from "../turns.ts";
import { createStatement, db, textsOf } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

const FIND = createStatement((values: { keys: string }) =>
  db
    .selectFrom("conversation")
    .select(["key", "facts", "finding_count as findingCount"])
    .where(sql<SqlBool>`key in ${textsOf(values.keys)}`),
);

/** What is stored of a conversation. */
export interface StoredConversation {
  /** Facts as lines. */
  readonly facts: string;
  readonly findingCount: number;
}

/** Finds what is stored of conversations, by their keys; new ones have nothing, and nothing else has to be read of them. */
export function* findStoredConversations(
  database: SqlDatabase,
  keys: Iterable<string>,
): Steps<ReadonlyMap<string, StoredConversation>> {
  const rows = yield* FIND.rows(database, { keys: JSON.stringify([...keys]) });
  return new Map(rows.map((row) => [row.key, row]));
}
