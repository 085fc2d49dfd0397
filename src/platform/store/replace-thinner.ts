import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { ReceivedBatch, ReceivedEvent } from "../validate-batch.ts";
import type { Facts } from "./appearances.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** How complete a copy of an event is: more counts more. */
interface Completeness {
  /** 0: without its content. 1: a part of it. 2: all. */
  readonly level: 0 | 1 | 2;
  /** UTF-16 units of its content, or of the JSON of its free value. */
  readonly length: number;
}

function toContent(event: DetailedEvent): { readonly text: string; readonly isCut: boolean } {
  switch (event.interactionType) {
    case "user_message":
    case "agent_response":
      return { text: event.content, isCut: event.content.length < event.contentLength };
    case "tool_call":
      return { text: JSON.stringify(event.toolParameters) ?? "", isCut: false };
    case "tool_result":
      return { text: JSON.stringify(event.toolResult) ?? "", isCut: false };
    default:
      return { text: "", isCut: false };
  }
}

/** Measures how complete a copy is, by its own marks. */
function measureCompleteness(event: DetailedEvent): Completeness {
  const { captured, truncated } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { text, isCut } = toContent(event);
  const { length } = text;
  if (captured === false) return { level: 0, length };
  return { level: truncated === true || isCut ? 1 : 2, length };
}

/** Returns whether a copy is more complete than another one; two whole ones are equal. */
function isFuller(copy: Completeness, other: Completeness): boolean {
  if (copy.level !== other.level) return copy.level > other.level;
  return copy.level === 1 && copy.length > other.length;
}

// Another kind, or another conversation, under the same id is another event, and the first one is kept.
const FIND_COPY = `
  SELECT body.json ${EVENT_WITH_BODY}
  WHERE event_id = ? AND organization_id = ? AND conversation_key = ? AND type = ?`;

const REPLACE_EVENT = `
  UPDATE event SET body_seq = ?, timestamp = ?, batch_id = ?, received_at = ?, environment = ?, agent_version = ?
  WHERE event_id = ? AND organization_id = ?`;

/** Row of a copy, and its event. */
export interface CopyRow {
  /** Number of its body. */
  readonly seq: number;
  /** Key of its conversation. */
  readonly key: string;
  readonly receivedAt: number;
  readonly facts: Facts;
}

/**
 * Replaces a known event by a copy that is more complete than the stored one.
 *
 * The replaced one's bytes stay: its batch is exported with them.
 *
 * @returns Whether it was replaced.
 */
export function replaceThinner(
  database: SqlDatabase,
  { organizationId, batchId }: ReceivedBatch,
  { event, json }: ReceivedEvent,
  { seq, key, receivedAt, facts }: CopyRow,
): boolean {
  const { eventId, timestamp, interactionType } = event;
  const copy = measureCompleteness(event);
  if (copy.level === 0) return false;
  const identity = [eventId, organizationId] as const;
  const [known] = database.all<{ json: string }>(FIND_COPY, ...identity, key, interactionType);
  if (!known || !isFuller(copy, measureCompleteness(JSON.parse(known.json) as DetailedEvent)))
    return false;
  database.run("INSERT INTO body (seq, json) VALUES (?, CAST(? AS TEXT))", seq, json);
  const said = [facts.environment, facts.agentVersion] as const;
  database.run(REPLACE_EVENT, seq, timestamp, batchId, receivedAt, ...said, ...identity);
  return true;
}
