import type { DetailedEvent } from "../../events/detailed-event.ts";
import { findElements, findMember } from "../../util/json-span.ts";
import { readBody } from "./batch-body.ts";
import { createStatement, db, type RowOf } from "./query.ts";
import type { SqlDatabase, Transaction, SqliteDatabase } from "./sql-database.ts";
import { toConversationKey } from "./summary.ts";
import type { Steps } from "../turns.ts";

/** A batch that has a copy of a conversation's event. */
interface Copy {
  readonly key: string;
  readonly batchId: string;
}

const NOTE = createStatement((copy: Copy) =>
  db
    .insertInto("event_copy")
    .values({ conversation_key: copy.key, batch_id: copy.batchId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Remembers a batch with a copy of an event beside the one that the event's row names. In a transaction. */
export function* noteCopy(database: Transaction, copy: Copy): Steps<void> {
  yield* NOTE.send(database, copy);
}

const OF_EVENTS = createStatement((given: { key: string; organizationId: string }) =>
  db
    .selectFrom("batch")
    .select([
      "batch.seq",
      "batch.batch_id as batchId",
      "batch.organization_id as organizationId",
      "batch.content_hash as contentHash",
    ])
    .where("organization_id", "=", given.organizationId)
    .where("batch_id", "in", (eb) =>
      eb
        .selectFrom("event")
        .select("batch_id")
        .where("conversation_key", "=", given.key)
        .union(
          eb
            .selectFrom("event_copy")
            .select("batch_id")
            .where("event_copy.conversation_key", "=", given.key),
        ),
    )
    .orderBy("batch.seq"),
);

/** A batch that holds events of a conversation. */
export type HoldingBatch = RowOf<typeof OF_EVENTS>;

/** Lists the batches that hold events of a conversation, copies included. */
export function* listBatchesOf(
  database: SqlDatabase,
  key: string,
  organizationId: string,
): Steps<HoldingBatch[]> {
  return yield* OF_EVENTS.rows(database, { key, organizationId });
}

const CHUNK = 200;

// The layout before, which has no copies noted. A batch with a repeated event has a copy, and so has the batch that
// brought an event first whose fuller copy came later.
const READ_BATCHES = `
  SELECT batch.seq, batch_id AS batchId, organization_id AS organizationId, duplicates, frame.runs
  FROM batch JOIN frame ON frame.seq = batch.seq WHERE batch.seq > ? ORDER BY batch.seq LIMIT ${CHUNK}`;
const READ_REPLACED =
  "SELECT conversation_key AS key FROM event WHERE seq >= ? AND seq < ? AND body_seq IS NOT NULL";
const ANY_REPLACED = "SELECT 1 FROM event WHERE body_seq IS NOT NULL LIMIT 1";

interface FormerBatch {
  readonly seq: number;
  readonly batchId: string;
  readonly organizationId: string;
  readonly duplicates: number;
  readonly runs: string;
}

function* readKeys(database: SqlDatabase, { seq, organizationId }: FormerBatch): Steps<string[]> {
  const body = (yield* readBody(database, seq))?.body;
  const span = body && findMember(body, "events");
  if (!body || !span) return [];
  return findElements(body, span).flatMap(({ start, end }) => {
    const event = JSON.parse(body.toString("utf8", start, end)) as Partial<DetailedEvent> | null;
    const isEvent = typeof event?.agentId === "string" && typeof event.sessionId === "string";
    return isEvent ? [toConversationKey(organizationId, event as DetailedEvent)] : [];
  });
}

function* fillBatch(
  database: SqliteDatabase,
  batch: FormerBatch,
  hasReplaced: boolean,
): Steps<void> {
  const { batchId } = batch;
  if (batch.duplicates > 0)
    for (const key of new Set(yield* readKeys(database, batch)))
      yield* noteCopy(database, { key, batchId });
  if (!hasReplaced) return;
  for (const [, first, count] of JSON.parse(batch.runs) as [number, number, number][])
    for (const { key } of database.all<{ key: string }>(READ_REPLACED, [first, first + count]))
      yield* noteCopy(database, { key, batchId });
}

/** Notes the copies in the batches that are there. */
export function* fillCopies(database: SqliteDatabase): Steps<void> {
  const hasReplaced = database.all(ANY_REPLACED).length > 0;
  for (let after = 0; ;) {
    const rows = database.all<FormerBatch>(READ_BATCHES, [after]);
    for (const row of rows) yield* fillBatch(database, row, hasReplaced);
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
