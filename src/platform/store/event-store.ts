import type { EventType } from "../../events/base-event.ts";
import { readBounded, type BoundedRows, type Page } from "./bounded-rows.ts";
import type { SqlDatabase } from "./sql-database.ts";

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
export const EVENT_WITH_BODY =
  "FROM event JOIN body ON body.seq = ifnull(event.body_seq, event.seq)";

const SELECT_EVENT = `
  SELECT event.seq, organization_id AS organizationId, batch_id AS batchId, conversation_key AS conversationKey,
    received_at AS receivedAt, body.json
  ${EVENT_WITH_BODY}`;

const LIST = `${SELECT_EVENT}
  WHERE event.seq < ? AND (? IS NULL OR organization_id = ?) AND (? IS NULL OR agent_version = ?) AND (? IS NULL OR type = ?)`;

/** Lists events, the newest first. */
export function listEvents(database: SqlDatabase, filter: EventFilter): BoundedRows<EventRow> {
  const { limit, before, organizationId = null, environment, version = null, type = null } = filter;
  const isHere = environment === undefined ? "" : "AND environment = ?";
  const values = [organizationId, organizationId, version, version, type, type];
  if (environment !== undefined) values.push(environment);
  const sql = `${LIST} ${isHere} ORDER BY event.seq DESC LIMIT ?`;
  return readBounded(limit, (count, rows) =>
    database.all(sql, rows.at(-1)?.seq ?? before, ...values, count),
  );
}

/** Lists a conversation's events in order of time. */
export function listEventsOf(
  database: SqlDatabase,
  conversationKey: string,
  { limit, offset }: Page,
): BoundedRows {
  const sql = `SELECT body.json ${EVENT_WITH_BODY}
           WHERE conversation_key = ? ORDER BY timestamp, event.seq LIMIT ? OFFSET ?`;
  return readBounded(limit, (count, rows) =>
    database.all(sql, conversationKey, count, offset + rows.length),
  );
}

/** Finds the events of an id, at most one for each organization. */
export function findEvents(database: SqlDatabase, eventId: string): EventRow[] {
  return database.all(`${SELECT_EVENT} WHERE event_id = ? ORDER BY event.seq LIMIT 100`, eventId);
}
