import { hasPhrase, type Suppression, type SuppressedCase } from "../quality/suppression.ts";
import { change, createStatement, db, readNumber, readRow, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

/** A finding that may be held back. */
interface Candidate {
  readonly organizationId: string;
  readonly rule: string;
  readonly agentId: string;
  readonly quote: string;
}

const ACTIVE = createStatement(
  (given: Pick<Candidate, "organizationId" | "rule"> & { readonly now: number }) =>
    db
      .selectFrom("suppression")
      .select(["id", "agent_id as agentId", "phrase"])
      .where("organization_id", "=", given.organizationId)
      .where("rule", "=", given.rule)
      .where("until", ">", given.now)
      .where("revoked_at", "is", null)
      .orderBy("created_at")
      .orderBy("id"),
);

/** Finds the suppression that holds a finding back. */
export function* findSuppression(
  database: SqlDatabase,
  { organizationId, rule, agentId, quote }: Candidate,
  now: number,
): Steps<string | undefined> {
  return (yield* ACTIVE.rows(database, { organizationId, rule, now })).find(
    (each) => (each.agentId === "" || each.agentId === agentId) && hasPhrase(quote, each.phrase),
  )?.id;
}

const HOLD_BACK = createStatement((given: { readonly id: string; readonly now: number }) =>
  db
    .updateTable("suppression")
    .set((eb) => ({ held_back: eb("held_back", "+", eb.lit(1)), last_held_back_at: given.now }))
    .where("id", "=", given.id),
);

/** Counts a finding that a suppression has held back. In a transaction. */
export function* noteHeldBack(database: Transaction, id: string, now: number): Steps<void> {
  yield* HOLD_BACK.send(database, { id, now });
}

const COLUMNS = [
  "id",
  "organization_id as organizationId",
  "rule",
  "agent_id as agentId",
  "phrase",
  "reason",
  "conversation_key as conversationKey",
  "finding_id as findingId",
  "created_at as createdAt",
  "created_by as createdBy",
  "until",
  "revoked_at as revokedAt",
  "revoked_by as revokedBy",
  "held_back as heldBack",
  "last_held_back_at as lastHeldBackAt",
] as const;

type Row = Omit<Suppression, "agentId" | "state"> & { readonly agentId: string };

function toSuppression(row: Row, now: number): Suppression {
  const { agentId, revokedAt, until } = row;
  const isOver = until <= now ? "expired" : "active";
  return {
    ...row,
    agentId: agentId === "" ? null : agentId,
    state: revokedAt === null ? isOver : "revoked",
  };
}

/** A place in the list: time of creation, then id. */
export type SuppressionCursor = readonly [createdAt: number, id: string];

/** Filter of suppressions; an absent member matches all. */
export interface SuppressionFilter {
  readonly limit: number;
  readonly now: number;
  readonly state?: Suppression["state"] | undefined;
  readonly rule?: string | undefined;
  readonly after?: SuppressionCursor | undefined;
}

/** Lists suppressions, the newest first. */
export function* listSuppressions(
  database: SqlDatabase,
  { limit, now, state, rule, after }: SuppressionFilter,
): Steps<{ suppressions: Suppression[]; next: SuppressionCursor | undefined }> {
  let query = db.selectFrom("suppression").select(COLUMNS);
  if (rule !== undefined) query = query.where("rule", "=", rule);
  if (state === "revoked") query = query.where("revoked_at", "is not", null);
  else if (state !== undefined)
    query = query
      .where("revoked_at", "is", null)
      .where("until", state === "active" ? ">" : "<=", now);
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple("created_at", "id"), "<", eb.tuple(after[0], after[1])),
    );
  const rows = yield* readRows(
    database,
    query
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    suppressions: page.map((row) => toSuppression(row, now)),
    next: last && [last.createdAt, last.id],
  };
}

/** Finds a suppression. */
export function* findSuppressionById(
  database: SqlDatabase,
  id: string,
  now: number,
): Steps<Suppression | undefined> {
  const row = yield* readRow(
    database,
    db.selectFrom("suppression").select(COLUMNS).where("id", "=", id),
  );
  return row && toSuppression(row, now);
}

/** Counts the suppressions that hold now. */
export function* countActive(database: SqlDatabase, now: number): Steps<number> {
  return yield* readNumber(
    database,
    db
      .selectFrom("suppression")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("until", ">", now)
      .where("revoked_at", "is", null),
  );
}

/** Stores a suppression. In a transaction. */
export function* addSuppression(database: Transaction, row: Tables["suppression"]): Steps<void> {
  yield* change(database, db.insertInto("suppression").values(row));
}

/** Ends a suppression. In a transaction. */
export function* revokeSuppression(
  database: Transaction,
  id: string,
  revoked: { readonly by: string; readonly at: number },
): Steps<void> {
  const columns = { revoked_at: revoked.at, revoked_by: revoked.by };
  yield* change(database, db.updateTable("suppression").set(columns).where("id", "=", id));
}

/** A finding of which a suppression is made, and where it stands. */
interface FoundCase extends SuppressedCase {
  readonly organizationId: string;
  readonly conversationKey: string;
}

/** Finds the finding of an id, with what was decided about it last. */
export function* findCase(database: SqlDatabase, id: string): Steps<FoundCase | undefined> {
  return yield* readRow(
    database,
    db
      .selectFrom("finding")
      .select([
        "organization_id as organizationId",
        "conversation_key as conversationKey",
        "rule",
        "quote",
        "agent_id as agentId",
        "disposition",
      ])
      .where("id", "=", id)
      .limit(1),
  );
}
