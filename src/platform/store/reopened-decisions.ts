import { SYSTEM } from "../review/roles.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const LIST = createStatement(({ key }: { readonly key: string }) =>
  db
    .selectFrom("disposition")
    .select("finding_id as id")
    .where("conversation_key", "=", key)
    .groupBy("finding_id")
    .having(
      ({ fn }) => fn.max("audit_sequence"),
      "<",
      db
        .selectFrom("audit")
        .select(({ fn }) => fn.max("sequence").as("sequence"))
        .where("subject", "=", key)
        .where("action", "=", "review.reopen")
        .where("actor", "!=", SYSTEM.name),
    ),
);

/**
 * Lists the findings and sampled answers of which the last decision is older than the item's last reopening by a person: it was put in
 * question by that, and the next one about the item is about them as well. What has arrived since puts nothing in question.
 */
export function* listReopened(database: SqlDatabase, key: string): Steps<ReadonlySet<string>> {
  return new Set((yield* LIST.rows(database, { key })).map(({ id }) => id));
}
