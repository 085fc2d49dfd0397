import { sql } from "kysely";
import type { Period } from "../quality/period.ts";
import { db, joinLines, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Limit of reviewers that are read. */
const MAX_LISTED = 500;

/** What a reviewer has done in the period. */
export interface ReviewerCount {
  readonly actor: string;
  readonly role: string;
  readonly action: string;
  readonly count: number;
}

/** Counts the actions of the period, by who did them. */
export function countActions(database: SqlDatabase, { from, to }: Period): ReviewerCount[] {
  return readRows(
    database,
    db
      .selectFrom("audit")
      .select(({ fn }) => ["actor", "role", "action", fn.countAll<number>().as("count")])
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("action", "like", "review.%")
      .groupBy(["actor", "role", "action"])
      .orderBy("actor")
      .limit(10 * MAX_LISTED),
  );
}

/** Counts decisions about findings and sampled answers of the period, by who made them. */
export function countDecisions(
  database: SqlDatabase,
  { from, to }: Period,
): { readonly actor: string; readonly count: number }[] {
  return readRows(
    database,
    db
      .selectFrom("disposition")
      .select(({ fn }) => ["actor", fn.countAll<number>().as("count")])
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("finding_id", "!=", "")
      .groupBy("actor")
      .limit(MAX_LISTED),
  );
}

/** Actions that may decide about findings, sampled answers and items. */
const DECIDING = ["review.decide", "review.close", "review.approve"];

/** Counts decisions that somebody else replaced by another one in the period, by who had made them. */
export function countOverturns(
  database: SqlDatabase,
  { from, to }: Period,
): { readonly actor: string; readonly count: number }[] {
  return readRows(
    database,
    db
      .selectFrom("audit as again")
      .innerJoin("disposition as later", (join) =>
        join
          .onRef("later.conversation_key", "=", "again.subject")
          .onRef("later.audit_sequence", "=", "again.sequence"),
      )
      .innerJoin("disposition as former", (join) =>
        join
          .onRef("former.conversation_key", "=", "later.conversation_key")
          .onRef("former.finding_id", "=", "later.finding_id")
          .onRef("former.seq", "<", "later.seq"),
      )
      .select(({ fn }) => ["former.actor", fn.countAll<number>().as("count")])
      .where("again.at", ">=", from)
      .where("again.at", "<", to)
      .where("again.action", "in", DECIDING)
      // Few items are decided about by two people: to look for a former one at each decision would take three times as long.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("audit as before")
            .select("before.sequence")
            .whereRef("before.subject", "=", "again.subject")
            .whereRef("before.sequence", "<", "again.sequence")
            .where("before.action", "in", DECIDING)
            .whereRef("before.actor", "!=", "again.actor"),
        ),
      )
      .whereRef("later.disposition", "!=", "former.disposition")
      .whereRef("later.actor", "!=", "former.actor")
      // It was the last one until then.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("disposition as between")
              .select("between.seq")
              .whereRef("between.conversation_key", "=", "later.conversation_key")
              .whereRef("between.finding_id", "=", "later.finding_id")
              .whereRef("between.seq", ">", "former.seq")
              .whereRef("between.seq", "<", "later.seq"),
          ),
        ),
      )
      .groupBy("former.actor")
      .limit(MAX_LISTED),
  );
}

/** Limit of closed items of which the time to the decision is read. */
const MAX_TIMES = 100_000;

/** Lists how long items have waited until somebody closed them in the period, in milliseconds. */
export function listDecisionTimes(
  database: SqlDatabase,
  { from, to }: Period,
): { readonly actor: string; readonly millis: readonly number[] }[] {
  const times = db
    .selectFrom("audit")
    .innerJoin("review_item", "review_item.key", "audit.subject")
    .select("audit.actor")
    .select((eb) =>
      eb(
        "audit.at",
        "-",
        // From when it came back, where it did.
        eb.fn.coalesce(
          eb
            .selectFrom("audit as reopened")
            .select(({ fn }) => fn.max("reopened.at").as("at"))
            .whereRef("reopened.subject", "=", "audit.subject")
            .whereRef("reopened.sequence", "<", "audit.sequence")
            .where("reopened.action", "=", "review.reopen"),
          "review_item.opened_at",
        ),
      ).as("millis"),
    )
    .where("audit.at", ">=", from)
    .where("audit.at", "<", to)
    .where("audit.action", "=", "review.close")
    .limit(MAX_TIMES);
  const rows = readRows(
    database,
    db
      .selectFrom(times.as("time"))
      .select(["actor", joinLines(sql<string>`millis`).as("lines")])
      .groupBy("actor"),
  );
  return rows.map(({ actor, lines }) => ({
    actor,
    millis: (lines ?? "").split("\n").map(Number),
  }));
}
