import type { SqlDatabase } from "./sql-database.ts";
import { SEVERITIES, type MaxSeverity } from "./summary.ts";

/** A conversation as lists show it. */
export interface ConversationRow {
  readonly key: string;
  /** Order of arrival. */
  readonly seq: number;
  readonly organizationId: string;
  readonly agentId: string;
  /** Name and version as last registered. */
  readonly agentName: string | null;
  readonly agentVersion: string | null;
  readonly conversationId: string;
  /** First user message, cut to one line. */
  readonly title: string | null;
  readonly eventCount: number;
  readonly findingCount: number;
  readonly maxSeverity: MaxSeverity;
  readonly maxRiskScore: number | null;
  readonly requiresReview: boolean;
  readonly startedAt: number;
  readonly lastAt: number;
}

/** Which conversations to list. */
export interface ConversationFilter {
  readonly limit: number;
  /** Where the page before ended. */
  readonly before: Cursor;
  readonly minSeverity: MaxSeverity;
  readonly onlyReview: boolean;
  readonly agentId: string | undefined;
}

/** A place in the list of conversations: time of the last event, then order of arrival. */
export interface Cursor {
  readonly lastAt: number;
  readonly seq: number;
}

/** A stored event with where it belongs. */
export interface EventRow {
  readonly organizationId: string;
  readonly batchId: string;
  readonly conversationKey: string;
  readonly receivedAt: number;
  /** The event exactly as received. */
  readonly json: string;
}

interface RawConversation extends Omit<ConversationRow, "maxSeverity" | "requiresReview"> {
  readonly maxSeverity: number;
  readonly requiresReview: number;
}

const LATEST_AGENT =
  "FROM agent a WHERE a.organization_id = c.organization_id AND a.agent_id = c.agent_id ORDER BY revision DESC LIMIT 1";

const SELECT_CONVERSATION = `
  SELECT c.seq, c.key, c.organization_id AS organizationId, c.agent_id AS agentId,
    (SELECT name ${LATEST_AGENT}) AS agentName, (SELECT version ${LATEST_AGENT}) AS agentVersion,
    c.conversation_id AS conversationId, c.title, c.event_count AS eventCount, c.finding_count AS findingCount,
    c.max_severity AS maxSeverity, c.max_risk_score AS maxRiskScore, c.requires_review AS requiresReview,
    c.started_at AS startedAt, c.last_at AS lastAt
  FROM conversation c`;

function toConversation(row: RawConversation): ConversationRow {
  return {
    ...row,
    maxSeverity: SEVERITIES[row.maxSeverity] ?? "none",
    requiresReview: row.requiresReview === 1,
  };
}

/** Reads conversations and events. */
export interface ConversationStore {
  /** Lists conversations, the one with the newest event first; `next` is where the next page begins. */
  list(filter: ConversationFilter): { conversations: ConversationRow[]; next: Cursor | undefined };
  find(key: string): ConversationRow | undefined;
  /** Gives the JSON of a conversation's events in order of time. */
  listEvents(key: string, limit: number, offset: number): string[];
  /** Finds an event; ids are unique within an organization only. */
  findEvents(eventId: string): EventRow[];
}

/** Creates the reader of conversations in a database that has the schema. */
export function createConversationStore(database: SqlDatabase): ConversationStore {
  return {
    list({ limit, before, minSeverity, onlyReview, agentId }) {
      const rows = database.all<RawConversation>(
        `${SELECT_CONVERSATION}
         WHERE (c.last_at, c.seq) < (?, ?) AND c.max_severity >= ? AND c.requires_review >= ?
           AND (? IS NULL OR c.agent_id = ?)
         ORDER BY c.last_at DESC, c.seq DESC LIMIT ?`,
        before.lastAt,
        before.seq,
        SEVERITIES.indexOf(minSeverity),
        onlyReview ? 1 : 0,
        agentId ?? null,
        agentId ?? null,
        limit + 1,
      );
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return {
        conversations: page.map(toConversation),
        next: last && { lastAt: last.lastAt, seq: last.seq },
      };
    },
    find(key) {
      const [row] = database.all<RawConversation>(`${SELECT_CONVERSATION} WHERE c.key = ?`, key);
      return row && toConversation(row);
    },
    listEvents(key, limit, offset) {
      const rows = database.all<{ json: string }>(
        `SELECT json FROM event JOIN body USING (seq)
         WHERE conversation_key = ? ORDER BY timestamp, seq LIMIT ? OFFSET ?`,
        key,
        limit,
        offset,
      );
      return rows.map((row) => row.json);
    },
    findEvents: (eventId) =>
      database.all<EventRow>(
        `SELECT organization_id AS organizationId, batch_id AS batchId, conversation_key AS conversationKey,
           received_at AS receivedAt, json
         FROM event JOIN body USING (seq) WHERE event_id = ? ORDER BY seq LIMIT 100`,
        eventId,
      ),
  };
}
