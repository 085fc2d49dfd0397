import { createStatement, db } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const FIND = createStatement((values: { key: string }) =>
  db
    .selectFrom("conversation")
    .select(["facts", "finding_count as findingCount"])
    .where("key", "=", values.key),
);

/** What is stored of a conversation. */
interface StoredConversation {
  /** Facts as lines. */
  readonly facts: string;
  readonly findingCount: number;
}

/**
 * Creates a function that returns what was stored of a conversation when it was first asked; `undefined` for a new one,
 * of which nothing else has to be read.
 */
export function createStoredConversations(database: SqlDatabase) {
  // For one batch: most of its events are of a few conversations.
  const known = new Map<string, StoredConversation | undefined>();
  return function* (key: string): Steps<StoredConversation | undefined> {
    if (!known.has(key)) known.set(key, (yield* FIND.rows(database, { key }))[0]);
    return known.get(key);
  };
}
