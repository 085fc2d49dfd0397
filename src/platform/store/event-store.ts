import type { EventType } from "../../events/base-event.ts";
import { readBounded, type BoundedRows, type Page } from "./bounded-rows.ts";
import { createStatement, db, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A stored event with its batch and conversation. */
export interface EventRow {
  /** Order of arrival. */
  readonly seq: number;
  readonly organizationId: string;
  readonly batchId: string;
  readonly conversationKey: string;
  readonly receivedAt: number;
  /** The event exactly as received. */
  readonly json: string;
}

/** Filter of events; an absent member matches all. */
export interface EventFilter {
  readonly limit: number;
  /** Only events that came before this one. */
  readonly before: number;
  readonly organizationId: string | undefined;
  readonly environment: string | undefined;
  readonly version: string | undefined;
  readonly type: EventType | undefined;
}

/** An event and its fullest copy; the other copies are kept for the batches that they came in. */
export const EVENT_WITH_BODY = db
  .selectFrom("event")
  .innerJoin("body", (join) =>
    join.on((eb) => eb("body.seq", "=", eb.fn.coalesce("event.body_seq", "event.seq"))),
  );

const SELECT_EVENT = EVENT_WITH_BODY.select([
  "event.seq",
  "organization_id as organizationId",
  "batch_id as batchId",
  "conversation_key as conversationKey",
  "received_at as receivedAt",
  "body.json",
]);

/** Lists events, the newest first. */
export function listEvents(
  database: SqlDatabase,
  filter: EventFilter,
): Steps<BoundedRows<EventRow>> {
  const { limit, organizationId, environment, version, type } = filter;
  let query = SELECT_EVENT.orderBy("event.seq", "desc");
  if (organizationId !== undefined) query = query.where("organization_id", "=", organizationId);
  if (environment !== undefined) query = query.where("environment", "=", environment);
  if (version !== undefined) query = query.where("agent_version", "=", version);
  if (type !== undefined) query = query.where("type", "=", type);
  const next = createStatement(({ before, count }: { before: number; count: number }) =>
    query.where("event.seq", "<", before).limit(count),
  );
  return readBounded(limit, (count, rows) =>
    next.rows(database, { before: rows.at(-1)?.seq ?? filter.before, count }),
  );
}

const LIST_OF_CONVERSATION = createStatement((values: Page & { key: string }) =>
  EVENT_WITH_BODY.select("body.json")
    .where("conversation_key", "=", values.key)
    .orderBy("timestamp")
    .orderBy("event.seq")
    .limit(values.limit)
    .offset(values.offset),
);

/** Lists a conversation's events in order of time. */
export function listEventsOf(
  database: SqlDatabase,
  key: string,
  { limit, offset }: Page,
): Steps<BoundedRows> {
  return readBounded(limit, (count, rows) =>
    LIST_OF_CONVERSATION.rows(database, { key, limit: count, offset: offset + rows.length }),
  );
}

/** Finds the events of an id, at most one for each organization. */
export function* findEvents(database: SqlDatabase, eventId: string): Steps<EventRow[]> {
  const query = SELECT_EVENT.where("event_id", "=", eventId).orderBy("event.seq").limit(100);
  return yield* readRows(database, query);
}
