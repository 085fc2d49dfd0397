import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch, ReceivedEvent } from "../validate-batch.ts";
import { createNameFinder } from "./agent-store.ts";
import {
  type Appearances,
  type Facts,
  addAppearance,
  mergeAppearances,
  readFacts,
} from "./appearances.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import {
  type ConversationSummary,
  addToSummary,
  createSummary,
  summariseAgain,
  toColumns,
  toConversationKey,
} from "./summary.ts";

const INSERT_EVENT = `
  INSERT OR IGNORE INTO event
    (seq, organization_id, event_id, conversation_key, timestamp, type, batch_id, received_at, environment,
     agent_version, agent_name)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

// The bytes are UTF-8 already: as a blob they reach SQLite without being decoded and encoded again.
const INSERT_BODY = "INSERT INTO body (seq, json) VALUES (?, CAST(? AS TEXT))";

// Each event has a body, and copies of events have one as well.
const NEXT_BODY = "SELECT ifnull(max(seq), 0) + 1 AS seq FROM body";

const FIND_SAME_BODY = `
  SELECT body.seq ${EVENT_WITH_BODY} WHERE event_id = ? AND organization_id = ? AND body.json = CAST(? AS TEXT)`;

const MERGE_CONVERSATION = `
  INSERT INTO conversation
    (key, organization_id, agent_id, conversation_id, title, title_at, event_count, finding_count,
     max_severity, max_risk_score, requires_review, started_at, last_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET
    title = CASE WHEN title_at IS NULL OR excluded.title_at < title_at THEN excluded.title ELSE title END,
    title_at = CASE WHEN title_at IS NULL OR excluded.title_at < title_at THEN excluded.title_at ELSE title_at END,
    event_count = event_count + excluded.event_count,
    finding_count = finding_count + excluded.finding_count,
    max_severity = max(max_severity, excluded.max_severity),
    max_risk_score = max(ifnull(max_risk_score, excluded.max_risk_score), ifnull(excluded.max_risk_score, max_risk_score)),
    requires_review = max(requires_review, excluded.requires_review),
    started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at)`;

function mergeConversation(database: SqlDatabase, summary: ConversationSummary): void {
  const { key, organizationId, agentId, conversationId } = summary;
  const identity = [key, organizationId, agentId, conversationId];
  database.run(MERGE_CONVERSATION, ...identity, ...toColumns(summary));
}

/** An event of a body that has a row of its own with the same bytes. */
export interface StoredEvent {
  /** First byte in the body. */
  readonly start: number;
  /** Length in bytes. */
  readonly length: number;
  /** Number of the row. */
  readonly seq: number;
}

/** An event as it came, and the columns of its row. */
interface Arrived extends ReceivedEvent, Pick<ReceivedBatch, "batchId" | "organizationId"> {
  /** Key of its conversation. */
  readonly key: string;
  /** Number of its body. */
  readonly seq: number;
  readonly receivedAt: number;
  readonly facts: Facts;
}

/** Inserts an event; returns whether it is new. */
function insertEvent(database: SqlDatabase, arrived: Arrived): boolean {
  const { organizationId, batchId, receivedAt, seq, key, facts, event, json } = arrived;
  const { eventId, timestamp, interactionType } = event;
  const identity = [organizationId, eventId, key] as const;
  const rest = [timestamp, interactionType, batchId, receivedAt] as const;
  const said = [facts.environment, facts.agentVersion, facts.agentName] as const;
  if (database.run(INSERT_EVENT, seq, ...identity, ...rest, ...said) === 0) return false;
  database.run(INSERT_BODY, seq, json);
  return true;
}

/**
 * Inserts the new events of a batch, and updates their conversations. Of a known event, the fuller copy counts
 * from now on; the earlier one stays for the batch that it came in.
 *
 * @returns The number of new ones, and the rows of all events that have one with the same bytes.
 */
export function* insertEvents(
  database: SqlDatabase,
  batch: ReceivedBatch,
  receivedAt: number,
): Steps<{ accepted: number; stored: StoredEvent[] }> {
  const { organizationId, batchId } = batch;
  const summaries = new Map<string, ConversationSummary>();
  const appearances: Appearances = new Map();
  const stored: StoredEvent[] = [];
  /** Conversations in which a fuller copy replaced an event, with one event of each. */
  const replaced = new Map<string, DetailedEvent>();
  let seq = database.all<{ seq: number }>(NEXT_BODY)[0]?.seq ?? 1;
  let accepted = 0;
  const findName = createNameFinder(database, organizationId);
  for (const received of batch.events) {
    yield;
    const { event, json, start } = received;
    const key = toConversationKey(organizationId, event);
    const facts = readFacts(event, findName(event));
    const arrived = { ...received, organizationId, batchId, receivedAt, seq, key, facts };
    if (insertEvent(database, arrived)) {
      accepted++;
      addAppearance(appearances, key, facts, event.timestamp);
      stored.push({ start, length: json.length, seq: seq++ });
      const summary = summaries.get(key) ?? createSummary(key, organizationId, event);
      summaries.set(key, summary);
      addToSummary(summary, event);
    } else {
      const identity = [event.eventId, organizationId] as const;
      const [same] = database.all<{ seq: number }>(FIND_SAME_BODY, ...identity, json);
      if (same) stored.push({ start, length: json.length, seq: same.seq });
      else if (replaceThinner(database, arrived)) {
        replaced.set(key, event);
        stored.push({ start, length: json.length, seq: seq++ });
      }
    }
  }
  for (const summary of summaries.values()) mergeConversation(database, summary);
  mergeAppearances(database, appearances);
  for (const [key, event] of replaced)
    yield* summariseAgain(database, createSummary(key, organizationId, event));
  return { accepted, stored };
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

/**
 * Measures how complete a copy is, by its own marks: more counts more.
 *
 * @returns As `level` 0 without its content, 1 with a part of it, 2 with all; as `length` the UTF-16 units of its content, or of
 * the JSON of its free value.
 */
function measureCompleteness(event: DetailedEvent) {
  const { captured, truncated } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { text, isCut } = toContent(event);
  const partly = truncated === true || isCut ? 1 : 2;
  return { level: captured === false ? 0 : partly, length: text.length };
}

type Completeness = ReturnType<typeof measureCompleteness>;

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

/**
 * Replaces a known event by a copy that is more complete than the stored one.
 *
 * The replaced one's bytes stay: its batch is exported with them.
 *
 * @returns Whether it was replaced.
 */
function replaceThinner(database: SqlDatabase, arrived: Arrived): boolean {
  const { organizationId, batchId, receivedAt, seq, key, facts, event, json } = arrived;
  const { eventId, timestamp, interactionType } = event;
  const copy = measureCompleteness(event);
  if (copy.level === 0) return false;
  const identity = [eventId, organizationId] as const;
  const [known] = database.all<{ json: string }>(FIND_COPY, ...identity, key, interactionType);
  if (!known || !isFuller(copy, measureCompleteness(JSON.parse(known.json) as DetailedEvent)))
    return false;
  database.run(INSERT_BODY, seq, json);
  const said = [facts.environment, facts.agentVersion] as const;
  database.run(REPLACE_EVENT, seq, timestamp, batchId, receivedAt, ...said, ...identity);
  return true;
}
