import { sql } from "kysely";
import { compareTexts } from "../../util/compare-texts.ts";
import type { Period } from "../quality/period.ts";
import { countAlike } from "./count-alike.ts";
import { db, joinLines, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

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
export function* countActions(database: SqlDatabase, { from, to }: Period): Steps<ReviewerCount[]> {
  const actions = db
    .selectFrom("audit")
    .where("at", ">=", from)
    .where("at", "<", to)
    .where("action", "like", "review.%");
  const counts = yield* countAlike(database, actions, ["actor", "role", "action"]);
  return counts
    .map(({ values: [actor, role, action], count }) => ({ actor, role, action, count }))
    .toSorted(
      (one, other) => compareTexts(one.actor, other.actor) || compareTexts(one.role, other.role),
    )
    .slice(0, 10 * MAX_LISTED);
}

/** Counts decisions about findings and sampled answers of the period, by who made them. */
export function* countDecisions(
  database: SqlDatabase,
  { from, to }: Period,
): Steps<ReadonlyMap<string, number>> {
  const decisions = db
    .selectFrom("disposition")
    .where("at", ">=", from)
    .where("at", "<", to)
    .where("finding_id", "!=", "");
  const counts = yield* countAlike(database, decisions, ["actor"]);
  return new Map(counts.map(({ values: [actor], count }) => [actor, count]));
}

/** Actions that may decide about findings, sampled answers and items. */
const DECIDING = ["review.decide", "review.close", "review.approve"];

/** Selects the decisions of the period about what somebody else has decided about before. */
const selectDecidedAgain = ({ from, to }: Period) =>
  db
    .selectFrom("audit")
    .select(["audit.subject", "audit.sequence"])
    .where("audit.at", ">=", from)
    .where("audit.at", "<", to)
    .where("audit.action", "in", DECIDING)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("audit as before")
          .select("before.sequence")
          .whereRef("before.subject", "=", "audit.subject")
          .whereRef("before.sequence", "<", "audit.sequence")
          .where("before.action", "in", DECIDING)
          .whereRef("before.actor", "!=", "audit.actor"),
      ),
    );

/** Counts decisions that somebody else replaced by another one in the period, by who had made them. */
export function* countOverturns(
  database: SqlDatabase,
  period: Period,
): Steps<{ readonly actor: string; readonly count: number }[]> {
  // They are few: to look for a former decision at each one would take three times as long.
  const again = db.with(
    (name) => name("again").materialized(),
    () => selectDecidedAgain(period),
  );
  return yield* readRows(
    database,
    again
      .selectFrom("again")
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
      .orderBy("former.actor")
      .limit(MAX_LISTED),
  );
}

/** Limit of closed items of which the time to the decision is read. */
const MAX_TIMES = 100_000;

/** Lists how long items have waited until somebody closed them in the period, in milliseconds. */
export function* listDecisionTimes(
  database: SqlDatabase,
  { from, to }: Period,
): Steps<ReadonlyMap<string, readonly number[]>> {
  const reopened = db
    .selectFrom("audit as former")
    .select("former.subject")
    .where("former.action", "=", "review.reopen");
  const times = db
    .selectFrom("audit")
    .innerJoin("review_item", "review_item.key", "audit.subject")
    .select("audit.actor")
    .select((eb) => {
      const openedAt = eb.ref("review_item.opened_at");
      const reopenedAt = eb
        .selectFrom("audit as again")
        .select(({ fn }) => fn.max("again.at").as("at"))
        .whereRef("again.subject", "=", "audit.subject")
        .whereRef("again.sequence", "<", "audit.sequence")
        .where("again.action", "=", "review.reopen");
      // Few have come back: to look for each in the trail would take as long as all the rest.
      const cameAt = eb
        .case()
        .when("audit.subject", "in", reopened)
        .then(eb.fn.coalesce(reopenedAt, openedAt))
        .else(openedAt)
        .end();
      return eb("audit.at", "-", cameAt).as("millis");
    })
    .where("audit.at", ">=", from)
    .where("audit.at", "<", to)
    .where("audit.action", "=", "review.close")
    .limit(MAX_TIMES);
  const rows = yield* readRows(
    database,
    db
      .selectFrom(times.as("time"))
      .select(["actor", joinLines(sql<string>`cast(millis as text)`).as("lines")])
      .groupBy("actor"),
  );
  return new Map(rows.map(({ actor, lines }) => [actor, (lines ?? "").split("\n").map(Number)]));
}
