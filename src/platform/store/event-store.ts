import type { EventType } from "../../events/base-event.ts";
import { readBounded, type BoundedRows } from "./bounded-rows.ts";
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

/** Reads events. */
export interface EventStore {
  /** Lists events, the newest first. */
  list(filter: EventFilter): BoundedRows<EventRow>;
  /** Lists a conversation's events in order of time. */
  listOf(
    conversationKey: string,
    limit: number,
    offset: number,
  ): BoundedRows<{ readonly json: string }>;
  /** Finds the events of an id, at most one for each organization. */
  find(eventId: string): EventRow[];
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

/** Creates the reader of events in a database that has the schema. */
export function createEventStore(database: SqlDatabase): EventStore {
  return {
    list({ limit, before, organizationId = null, environment, version = null, type = null }) {
      const isHere = environment === undefined ? "" : "AND environment = ?";
      const values = [organizationId, organizationId, version, version, type, type];
      if (environment !== undefined) values.push(environment);
      return readBounded<EventRow>(limit, (count, rows) => {
        const last = rows.at(-1)?.seq ?? before;
        return database.all(
          `${LIST} ${isHere} ORDER BY event.seq DESC LIMIT ?`,
          last,
          ...values,
          count,
        );
      });
    },
    listOf: (conversationKey, limit, offset) =>
      readBounded<{ readonly json: string }>(limit, (count, rows) =>
        database.all(
          `SELECT body.json ${EVENT_WITH_BODY}
           WHERE conversation_key = ? ORDER BY timestamp, event.seq LIMIT ? OFFSET ?`,
          conversationKey,
          count,
          offset + rows.length,
        ),
      ),
    find: (eventId) =>
      database.all(`${SELECT_EVENT} WHERE event_id = ? ORDER BY event.seq LIMIT 100`, eventId),
  };
}
