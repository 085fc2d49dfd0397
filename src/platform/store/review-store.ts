import type { JudgedTier } from "../../events/judge-result.ts";
import type { ReviewItem, ReviewOrigin } from "../review/review-item.ts";
import type { Disposition } from "../review/review-policy.ts";
import { change, createStatement, db, type RowOf } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Ranks of the judge's opinions: what it has contradicted comes last, what it has confirmed first. */
export const TIERS = ["contradicted", "", "confirmed"] as const satisfies readonly (
  | JudgedTier
  | ""
)[];
const UNJUDGED = TIERS.indexOf("");

/** Columns of an item, as its row has them. */
export const ITEM_COLUMNS = [
  "review_item.key",
  "review_item.organization_id as organizationId",
  "review_item.queue",
  "review_item.origin",
  "review_item.assignee",
  "review_item.claim_expires_at as claimExpiresAt",
  "review_item.opened_at as openedAt",
  "review_item.due_at as dueAt",
  "review_item.closed_at as closedAt",
  "review_item.proposed_by as proposedBy",
  "review_item.disposition",
  "review_item.reason_code as reasonCode",
  "review_item.severity",
  "review_item.risk_score as riskScore",
  "review_item.tier",
  "review_item.version",
] as const;

const FIND = createStatement((given: { readonly key: string }) =>
  db.selectFrom("review_item").select(ITEM_COLUMNS).where("key", "=", given.key),
);

/** Row of an item. */
type ItemRow = RowOf<typeof FIND>;

/** Reads an item from its row. */
export function toItem(row: ItemRow): ReviewItem {
  const { proposedBy, disposition, reasonCode, tier, queue, origin, ...rest } = row;
  const outcome =
    disposition === null ? null : { disposition: disposition as Disposition, reasonCode };
  return {
    ...rest,
    queue: queue as ReviewItem["queue"],
    origin: origin as ReviewOrigin,
    tier: TIERS[tier] ?? "",
    // A row has one outcome: until a second person has approved it, it is a proposal.
    proposal: outcome && proposedBy !== null ? { ...outcome, by: proposedBy } : null,
    outcome: proposedBy === null ? outcome : null,
  };
}

/** Finds the item of a conversation. */
export function* findItem(database: SqlDatabase, key: string): Steps<ReviewItem | undefined> {
  const [row] = yield* FIND.rows(database, { key });
  return row && toItem(row);
}

function toRow(item: ReviewItem) {
  const { proposal, outcome } = item;
  const decided = proposal ?? outcome;
  return {
    key: item.key,
    organization_id: item.organizationId,
    queue: item.queue,
    origin: item.origin,
    assignee: item.assignee,
    claim_expires_at: item.claimExpiresAt,
    opened_at: item.openedAt,
    due_at: item.dueAt,
    closed_at: item.closedAt,
    proposed_by: proposal?.by ?? null,
    disposition: decided?.disposition ?? null,
    reason_code: decided?.reasonCode ?? null,
    severity: item.severity,
    risk_score: item.riskScore,
    tier: TIERS.indexOf(item.tier),
    version: item.version,
  };
}

/** Stores an item as it is now. In a transaction. */
export function* saveItem(database: Transaction, item: ReviewItem): Steps<void> {
  const { key, ...row } = toRow(item);
  yield* change(
    database,
    db
      .insertInto("review_item")
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row)),
  );
}

const WORST = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("finding")
    .select(({ fn }) => [fn.max("severity").as("severity"), fn.count<number>("seq").as("count")])
    .select(({ fn, eb }) =>
      fn
        .max(
          eb
            .case()
            .when("tier", "=", "confirmed")
            .then(TIERS.indexOf("confirmed"))
            .when("tier", "=", "contradicted")
            .then(TIERS.indexOf("contradicted"))
            .else(UNJUDGED)
            .end(),
        )
        .as("tier"),
    )
    .where("conversation_key", "=", given.key),
);

/** Sums up the findings of a conversation: the worst severity, and the surest opinion of the judge. */
export function* summariseFindings(
  database: SqlDatabase,
  key: string,
): Steps<Pick<ReviewItem, "severity" | "tier"> & { readonly count: number }> {
  const [row] = yield* WORST.rows(database, { key });
  return {
    severity: row?.severity ?? 0,
    tier: TIERS[row?.tier ?? UNJUDGED] ?? "",
    count: row?.count ?? 0,
  };
}
