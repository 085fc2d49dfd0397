import { DISPOSITIONS } from "../review/review-policy.ts";
import { REVIEW_STATES, type ReviewState } from "../review/review-item.ts";
import { createStatement, db, readRow, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

const BY_QUEUE = createStatement((values: { now: number }) =>
  db
    .selectFrom("review_item")
    .select((eb) => {
      const isAssigned = eb("assignee", "is not", null);
      const isHeld = eb.or([
        eb("claim_expires_at", "is", null),
        eb("claim_expires_at", ">", values.now),
      ]);
      const yes = eb.lit(1);
      const isClaimed = eb
        .case()
        .when(eb.and([isAssigned, isHeld]))
        .then(yes)
        .else(eb.lit(0))
        .end();
      return [
        "queue",
        isClaimed.as("isClaimed"),
        eb.fn.countAll<number>().as("count"),
        eb.fn
          .sum<number>(eb.case().when("due_at", "<", values.now).then(yes).else(eb.lit(0)).end())
          .as("overdue"),
      ];
    })
    .groupBy(["queue", "isClaimed"]),
);

const BY_DISPOSITION = db
  .selectFrom("disposition")
  .select((eb) => ["disposition", eb.fn.countAll<number>().as("count")])
  .where("finding_id", "=", "")
  .groupBy("disposition");

const LAST_RECORD = db
  .selectFrom("audit")
  .select(["sequence", "hash", "at"])
  .orderBy("sequence", "desc")
  .limit(1);

/** Counts the items of the queue by their states now, those that are overdue, and decisions about items. */
export function* countReviews(database: SqlDatabase, now: number) {
  const states = Object.fromEntries(REVIEW_STATES.map((state) => [state, 0])) as Record<
    ReviewState,
    number
  >;
  let overdue = 0;
  for (const row of yield* BY_QUEUE.rows(database, { now })) {
    const queue = row.queue as ReviewState;
    const state = queue !== "closed" && row.isClaimed === 1 ? "claimed" : queue;
    states[state] += row.count;
    if (queue !== "closed") overdue += row.overdue;
  }
  const decided = new Map(
    (yield* readRows(database, BY_DISPOSITION)).map(({ disposition, count }) => [
      disposition,
      count,
    ]),
  );
  const decisions = Object.fromEntries(DISPOSITIONS.map((name) => [name, decided.get(name) ?? 0]));
  return { states, overdue, decisions };
}

/** Returns the last record of the audit trail; its sequence is the trail's length. */
export function* findLastAudit(database: SqlDatabase) {
  return yield* readRow(database, LAST_RECORD);
}
