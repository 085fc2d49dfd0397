import type { SelectorFacts } from "../records/legal-hold.ts";
import { matchesSelector } from "../records/legal-hold.ts";
import { toOutcomes, type RetentionFacts } from "../records/retention-policy.ts";
import { listAppearances } from "./appearances.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import type { Hold } from "./hold-store.ts";
import { createStatement, db, readRows } from "./query.ts";
import { findItem } from "./review-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { readString, toRecord } from "../../util/values.ts";
import type { Steps } from "../turns.ts";

/** A conversation that may be old enough to be removed. */
export interface OldConversation {
  readonly seq: number;
  readonly key: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly eventCount: number;
  readonly findingCount: number;
  readonly startedAt: number;
  readonly lastAt: number;
}

const CONVERSATIONS = db
  .selectFrom("conversation")
  .select([
    "seq",
    "key",
    "organization_id as organizationId",
    "agent_id as agentId",
    "event_count as eventCount",
    "finding_count as findingCount",
    "started_at as startedAt",
    "last_at as lastAt",
  ]);

/** A place in the list of conversations, the oldest first. */
export interface AgeCursor {
  readonly lastAt: number;
  readonly seq: number;
}

/** Lists conversations whose last event is of a time or older, the oldest first. */
export function* listOldest(
  database: SqlDatabase,
  { until, after, limit }: { until: number; after: AgeCursor; limit: number },
): Steps<OldConversation[]> {
  return yield* readRows(
    database,
    CONVERSATIONS.where("last_at", "<=", until)
      .where((eb) => eb(eb.refTuple("last_at", "seq"), ">", eb.tuple(after.lastAt, after.seq)))
      .orderBy("last_at")
      .orderBy("seq")
      .limit(limit),
  );
}

const FIND = createStatement((given: { readonly key: string }) =>
  CONVERSATIONS.where("key", "=", given.key),
);

/** Finds a conversation as retention looks at it. */
export function* findOld(database: SqlDatabase, key: string): Steps<OldConversation | undefined> {
  return (yield* FIND.rows(database, { key }))[0];
}

const DISPOSITIONS = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("disposition")
    .select(["finding_id as findingId", "disposition"])
    .where("conversation_key", "=", given.key)
    .orderBy("finding_id")
    .orderBy("seq"),
);

const ESCALATIONS = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("audit")
    .select("sequence")
    .where("subject", "=", given.key)
    .where("action", "=", "review.escalate")
    .limit(1),
);

const LAST_ARRIVAL = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("event")
    .select(({ fn }) => fn.max("received_at").as("at"))
    .where("conversation_key", "=", given.key),
);

/** Reads what a retention policy asks of a conversation. */
export function* readRetentionFacts(
  database: SqlDatabase,
  { key, findingCount, lastAt }: OldConversation,
): Steps<RetentionFacts> {
  const item = yield* findItem(database, key);
  // Of several decisions about one thing the last one counts.
  const last = new Map(
    (yield* DISPOSITIONS.rows(database, { key })).map((row) => [row.findingId, row.disposition]),
  );
  return {
    environments: [
      ...new Set(
        (yield* listAppearances(database, key)).map(({ environment }) => environment ?? ""),
      ),
    ],
    outcomes: toOutcomes({
      hasFindings: findingCount > 0,
      isClosed: item?.queue === "closed",
      dispositions: [...last.values()],
      wasEscalated: (yield* ESCALATIONS.rows(database, { key })).length > 0,
    }),
    isUnderReview: item !== undefined && item.queue !== "closed",
    lastAt: Math.max(lastAt, (yield* LAST_ARRIVAL.rows(database, { key }))[0]?.at ?? 0),
  };
}

const CHUNK = 100;

const READ_BODIES = createStatement((given: { readonly key: string; readonly after: number }) =>
  EVENT_WITH_BODY.select(["event.seq", "body.json"])
    .where("conversation_key", "=", given.key)
    .where("event.seq", ">", given.after)
    .orderBy("event.seq")
    .limit(CHUNK),
);

/** Returns whether an event of a conversation is of a customer. */
function* hasCustomer(database: SqlDatabase, key: string, customer: string): Steps<boolean> {
  for (let after = 0; ;) {
    const rows = yield* READ_BODIES.rows(database, { key, after });
    // The text alone would be found in what somebody says as well.
    const isOf = rows.some(
      ({ json }) =>
        json.includes('"userId"') && readString(toRecord(JSON.parse(json))["userId"]) === customer,
    );
    if (isOf) return true;
    if (rows.length < CHUNK) return false;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** Returns what a selector asks of a conversation. */
export function* toSelectorFacts(
  database: SqlDatabase,
  conversation: Pick<
    OldConversation,
    "agentId" | "key" | "lastAt" | "organizationId" | "startedAt"
  >,
): Steps<SelectorFacts> {
  const { key } = conversation;
  return {
    ...conversation,
    appearances: yield* listAppearances(database, key),
    hasCustomer: (customer) => hasCustomer(database, key, customer),
  };
}

/** Finds a hold that a conversation is under. */
export function* findHoldOf(
  database: SqlDatabase,
  conversation: OldConversation,
  holds: readonly Hold[],
): Steps<Hold | undefined> {
  if (holds.length === 0) return undefined;
  const facts = yield* toSelectorFacts(database, conversation);
  for (const hold of holds) if (yield* matchesSelector(hold.selector, facts)) return hold;
  return undefined;
}
