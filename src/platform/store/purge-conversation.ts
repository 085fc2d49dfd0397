import { createHash } from "node:crypto";
import {
  findRetentionClass,
  toDueAt,
  type RetentionClass,
  type RetentionPolicy,
} from "../records/retention-policy.ts";
import type { Actor } from "../review/roles.ts";
import type { Steps } from "../turns.ts";
import { appendAudit } from "./audit-store.ts";
import { listBatchesOf } from "./copy-store.ts";
import { type BatchCut, cutBatch } from "./cut-batch.ts";
import { type Hold, listActiveHolds } from "./hold-store.ts";
import { change, createStatement, db, toBytes } from "./query.ts";
import {
  findHoldOf,
  findOld,
  type OldConversation,
  readRetentionFacts,
} from "./retention-store.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";

const EVENTS = createStatement((given: { readonly key: string; readonly after: number }) =>
  db
    .selectFrom("event")
    .innerJoin("body", (join) =>
      join.on((eb) => eb("body.seq", "=", eb.fn.coalesce("event.body_seq", "event.seq"))),
    )
    .select((eb) => [
      "event.seq",
      "event.body_seq as bodySeq",
      "event.timestamp",
      toBytes(eb.ref("json")).as("json"),
    ])
    .where("conversation_key", "=", given.key)
    .where("event.seq", ">", given.after)
    .orderBy("event.seq")
    .limit(CHUNK),
);

const CHUNK = 50;

const NEWEST_BODY = createStatement(() =>
  db.selectFrom("body").select(({ fn }) => fn.max("seq").as("seq")),
);

const REMOVE_BODY = createStatement((given: { readonly seq: number }) =>
  db.deleteFrom("body").where("seq", "=", given.seq),
);

const EMPTY_BODY = createStatement((given: { readonly seq: number }) =>
  db.updateTable("body").set({ json: "" }).where("seq", "=", given.seq),
);

/** Removes bodies. The newest row stays, without its content: its number must not be given to another event. */
function* removeBodies(database: Transaction, seqs: ReadonlySet<number>): Steps<void> {
  const newest = (yield* NEWEST_BODY.rows(database, {}))[0]?.seq ?? 0;
  for (const seq of seqs)
    yield* (seq === newest ? EMPTY_BODY : REMOVE_BODY).change(database, { seq });
}

/** What was removed of a conversation. */
interface Removed {
  events: number;
  firstAt: number;
  lastAt: number;
  /** SHA-256 of its events as lists show them, in order of arrival, each with a line feed behind it. */
  digest: string;
}

/** Sums up the events, and collects the rows of their bodies. */
function* readEvents(database: SqlDatabase, key: string, bodies: Set<number>): Steps<Removed> {
  const hash = createHash("sha256");
  const removed = { events: 0, firstAt: Infinity, lastAt: 0 };
  for (let after = 0; ;) {
    const rows = yield* EVENTS.rows(database, { key, after });
    for (const { seq, bodySeq, timestamp, json } of rows) {
      yield;
      removed.events++;
      removed.firstAt = Math.min(removed.firstAt, timestamp);
      removed.lastAt = Math.max(removed.lastAt, timestamp);
      hash.update(json).update("\n");
      bodies.add(seq);
      if (bodySeq !== null) bodies.add(bodySeq);
    }
    if (rows.length < CHUNK) break;
    after = rows.at(-1)?.seq ?? after;
  }
  const digest = `sha256:${hash.digest("hex")}`;
  return { ...removed, firstAt: removed.events > 0 ? removed.firstAt : 0, digest };
}

/** Tables with rows of a conversation, by its key. */
const KEYED_TABLES = [
  "event",
  "finding",
  "appearance",
  "event_copy",
  "fact",
  "conversation_trace",
  "answered_request",
] as const;

/** Removes the rows of a conversation in every table but for what was decided and written down. */
function* removeRows(database: Transaction, key: string): Steps<void> {
  const seqs = db.selectFrom("event").select("seq").where("conversation_key", "=", key);
  yield* change(database, db.deleteFrom("message").where("rowid", "in", seqs));
  for (const table of KEYED_TABLES)
    yield* change(database, db.deleteFrom(table).where("conversation_key", "=", key));
  for (const table of ["review_item", "conversation"] as const)
    yield* change(database, db.deleteFrom(table).where("key", "=", key));
}

/** Batches that one record names. */
const RECORD_BATCHES = 200;

/** Who purges, and by which policy. */
export interface PurgeOrder {
  readonly policy: RetentionPolicy;
  readonly actor: Actor;
  /** Why a person has asked for it. */
  readonly reason: string | undefined;
  /** Time that retention goes by. */
  readonly asOf: number;
  /** Time of the record. */
  readonly now: number;
}

function* writeRecords(
  database: Transaction,
  { key, organizationId, findingCount }: OldConversation,
  {
    class: retention,
    removed,
    cuts,
  }: Pick<Purged, "class"> & { removed: Removed; cuts: BatchCut[] },
  order: PurgeOrder,
  { auditKey }: ReviewSettings,
): Steps<void> {
  const { actor, asOf, now, reason } = order;
  const batches = cuts.map(({ batchId, seal, places, isIntact }) => ({
    batchId,
    seal,
    places: places.map(({ first, last }) => [first, last]),
    ...(isIntact !== undefined && { isIntact }),
  }));
  const parts = Math.max(1, Math.ceil(batches.length / RECORD_BATCHES));
  for (let part = 0; part < parts; part++) {
    const detail = {
      ...(part === 0
        ? { class: retention, asOf, reason, ...removed, findings: findingCount }
        : { part: part + 1 }),
      batches: batches.slice(part * RECORD_BATCHES, (part + 1) * RECORD_BATCHES),
    };
    yield* appendAudit(
      database,
      {
        organizationId,
        at: now,
        actor: actor.name,
        role: actor.role,
        action: "records.purge",
        subject: key,
        detail: JSON.stringify(detail),
      },
      { key: auditKey },
    );
  }
}

/** A conversation that was removed. */
interface Purged {
  readonly class: RetentionClass;
  readonly events: number;
}

/** Why a conversation is not removed. */
export type Kept = "held" | "kept" | "missing";

/** Decides about a conversation: its class where it is to be removed. */
export function* judgeConversation(
  database: SqlDatabase,
  conversation: OldConversation,
  { policy, asOf }: Pick<PurgeOrder, "asOf" | "policy">,
  holds: readonly Hold[],
): Steps<RetentionClass | Kept> {
  const facts = yield* readRetentionFacts(database, conversation);
  const found = findRetentionClass(facts, policy);
  if (!found || toDueAt(found, facts.lastAt) > asOf) return "kept";
  return (yield* findHoldOf(database, conversation, holds)) ? "held" : found;
}

/**
 * Removes a conversation with all that is stored of it, where the policy and the holds of this moment allow it, and writes down what was
 * removed. In a transaction.
 */
export function* purgeConversation(
  database: Transaction,
  key: string,
  order: PurgeOrder,
  review: ReviewSettings,
): Steps<Kept | Purged> {
  const conversation = yield* findOld(database, key);
  if (!conversation) return "missing";
  const holds = yield* listActiveHolds(database);
  const found = yield* judgeConversation(database, conversation, order, holds);
  if (typeof found === "string") return found;
  const bodies = new Set<number>();
  const removed = yield* readEvents(database, key, bodies);
  const cuts: BatchCut[] = [];
  for (const batch of yield* listBatchesOf(database, key, conversation.organizationId)) {
    const result = yield* cutBatch(database, batch, key);
    if (!result) continue;
    for (const seq of result.freed) bodies.add(seq);
    if (result.cut.places.length > 0) cuts.push(result.cut);
  }
  yield* removeRows(database, key);
  yield* removeBodies(database, bodies);
  yield* writeRecords(database, conversation, { class: found, removed, cuts }, order, review);
  return { class: found, events: removed.events };
}
