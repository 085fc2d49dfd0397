import { sql, type SqlBool } from "kysely";
import type { Period } from "../quality/period.ts";
import type { AuditRecord } from "../review/audit-trail.ts";
import { type Disposition, DISPOSITIONS } from "../review/review-policy.ts";
import { db, readNumber, readRow, readRows, withoutIndex } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Limit of rows that a report lists: reviewers, agents, changes. */
const MAX_LISTED = 500;

/** Counts the conversations with an event in the period, by agent. */
export function* countConversations(
  database: SqlDatabase,
  { from, to }: Period,
): Steps<{ readonly agentId: string; readonly conversations: number }[]> {
  // Agents are found one behind the other: to group its conversations takes twice as long as to count them agent by agent.
  const agents = db.withRecursive("agent_id_of", (queries) =>
    queries
      .selectFrom("conversation")
      .select(({ fn }) => fn.min("agent_id").as("id"))
      .unionAll(
        queries
          .selectFrom("agent_id_of")
          .select((eb) =>
            eb
              .selectFrom("conversation")
              .select(({ fn }) => fn.min("agent_id").as("id"))
              .whereRef("conversation.agent_id", ">", "agent_id_of.id")
              .as("id"),
          )
          .where("agent_id_of.id", "is not", null),
      ),
  );
  const counted = agents.selectFrom("agent_id_of").select((eb) => {
    const own = eb
      .selectFrom("conversation")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .whereRef("conversation.agent_id", "=", "agent_id_of.id");
    const ended = own.where("last_at", ">=", from).where("last_at", "<", to);
    const goingOn = own.where("last_at", ">=", to).where("started_at", "<", to);
    return ["id as agentId", sql<number>`${ended} + ${goingOn}`.as("conversations")];
  });
  return yield* readRows(
    database,
    counted
      .where("id", "is not", null)
      .orderBy("conversations", "desc")
      .orderBy("id")
      .limit(MAX_LISTED),
  );
}

/** Items by what they were decided to be, in the period. */
export function* countOutcomes(
  database: SqlDatabase,
  { from, to }: Period,
): Steps<{ readonly disposition: Disposition; readonly items: number }[]> {
  // To group them, SQLite would sort all of them.
  const counts = yield* readRow(
    database,
    db
      .selectFrom("disposition")
      .select(({ fn }) =>
        DISPOSITIONS.map((name) =>
          fn.countAll<number>().filterWhere("disposition", "=", name).as(name),
        ),
      )
      .where("at", ">=", from)
      .where("at", "<", to)
      // By an index, SQLite would read all decisions that there are about items.
      .where(sql<SqlBool>`${withoutIndex(sql.ref("disposition.finding_id"))} = ''`),
  );
  return DISPOSITIONS.toSorted()
    .map((disposition) => ({ disposition, items: counts?.[disposition] ?? 0 }))
    .filter(({ items }) => items > 0);
}

/** An item as it was at some time. */
export interface StandingItem {
  readonly severity: number;
  readonly origin: string;
  readonly openedAt: number;
  readonly dueAt: number;
  readonly isEscalated: boolean;
}

const STATE_ACTIONS = ["review.close", "review.approve", "review.reopen", "review.escalate"];

type Standing = "closed" | "escalated" | "open";

function toStanding({ action, detail }: Pick<AuditRecord, "action" | "detail">): Standing {
  if (action === "review.reopen") return "open";
  if (action === "review.escalate") return "escalated";
  const { queue } = JSON.parse(detail) as { readonly queue?: string };
  // A close that a second person has to approve leaves the item where it is.
  return queue === "closed" || queue === "escalated" ? queue : "open";
}

/** Selects the items whose state has changed since. */
const selectChanged = (at: number) =>
  db
    .selectFrom("audit")
    .select("subject")
    .where("at", ">=", at)
    .where("action", "in", STATE_ACTIONS);

/** Reads the state of items whose state has changed since, as the trail has it. */
function* readFormerStandings(database: SqlDatabase, at: number): Steps<Map<string, Standing>> {
  const records = yield* readRows(
    database,
    db
      .selectFrom("audit")
      .select(["subject", "action", "detail", "at"])
      .where("subject", "in", selectChanged(at))
      .where("action", "in", STATE_ACTIONS)
      .orderBy("sequence"),
  );
  const standings = new Map<string, Standing>();
  for (const record of records) {
    if (!standings.has(record.subject)) standings.set(record.subject, "open");
    if (record.at < at) standings.set(record.subject, toStanding(record));
  }
  return standings;
}

const CHUNK = 1000;

/** Takes each item that was not closed at some time and whose state has changed since: the trail knows it. */
export function* takeChangedSince(
  database: SqlDatabase,
  at: number,
  take: (item: StandingItem) => void,
): Steps<void> {
  const former = yield* readFormerStandings(database, at);
  for (let after = ""; ;) {
    const rows = yield* readRows(
      database,
      db
        .selectFrom("review_item")
        .select(["key", "severity", "origin"])
        .select(["opened_at as openedAt", "due_at as dueAt"])
        .where("key", ">", after)
        .where("key", "in", selectChanged(at))
        .where("opened_at", "<", at)
        .orderBy("key")
        .limit(CHUNK),
    );
    for (const { key, ...item } of rows) {
      yield;
      const standing = former.get(key);
      if (standing === "closed") continue;
      take({ ...item, isEscalated: standing === "escalated" });
    }
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.key ?? after;
  }
}

/** Items that stood at some time. */
export interface StandingCounts {
  readonly open: number;
  readonly escalated: number;
  readonly overdue: number;
  readonly ofSample: number;
  /** Those that were younger than each of some ages. */
  readonly younger: readonly number[];
}

/** Counts the items that were not closed at some time and whose state is the same since. */
export function* countUnchanged(
  database: SqlDatabase,
  at: number,
  ages: readonly number[],
): Steps<StandingCounts> {
  const row = yield* readRow(
    database,
    db
      .selectFrom("review_item")
      .select(({ fn }) => [
        fn.countAll<number>().as("open"),
        fn.countAll<number>().filterWhere("queue", "=", "escalated").as("escalated"),
        fn.countAll<number>().filterWhere("due_at", "<", at).as("overdue"),
        fn.countAll<number>().filterWhere("origin", "=", "qa_sample").as("ofSample"),
        ...ages.map((age, index) =>
          fn
            .countAll<number>()
            .filterWhere("opened_at", ">", at - age)
            .as(`younger${index}`),
        ),
      ])
      .where("queue", "!=", "closed")
      .where("opened_at", "<", at)
      .where("key", "not in", selectChanged(at)),
  );
  const { open = 0, escalated = 0, overdue = 0, ofSample = 0, ...younger } = row ?? {};
  return { open, escalated, overdue, ofSample, younger: Object.values(younger) };
}

/** Lists changes of what is looked at, out of the trail: of the sample, of suppressions, of policies. */
export function* listPolicyChanges(database: SqlDatabase, { from, to }: Period) {
  return yield* readRows(
    database,
    db
      .selectFrom("audit")
      .select(["sequence", "at", "actor", "role", "action", "subject", "detail"])
      .where("at", ">=", from)
      .where("at", "<", to)
      .where((eb) =>
        eb.or([
          eb("action", "like", "sampling.%"),
          eb("action", "like", "suppression.%"),
          eb("action", "like", "policy.%"),
        ]),
      )
      .where("action", "not like", "%.refused")
      .orderBy("sequence", "desc")
      .limit(MAX_LISTED),
  );
}

/** Lists the suppressions that held at some time in the period. */
export function* listSuppressionsOf(database: SqlDatabase, { from, to }: Period) {
  return yield* readRows(
    database,
    db
      .selectFrom("suppression")
      .select(["id", "rule", "agent_id as agentId", "reason", "created_by as createdBy"])
      .select(["created_at as createdAt", "until", "revoked_at as revokedAt"])
      .select("held_back as heldBack")
      .where("created_at", "<", to)
      .where("until", ">", from)
      .where((eb) => eb.or([eb("revoked_at", "is", null), eb("revoked_at", ">=", from)]))
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(MAX_LISTED),
  );
}

/** Counts the records of the trail up to the end of the period: with the hash of the last one they can be found again. */
export function* countTrail(database: SqlDatabase, { to }: Period): Steps<number> {
  return yield* readNumber(
    database,
    db
      .selectFrom("audit")
      .select(({ fn, eb }) => fn.coalesce(fn.max("sequence"), eb.lit(0)).as("sequence"))
      .where("at", "<", to),
  );
}
