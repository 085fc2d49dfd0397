import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Steps } from "../turns.ts";
import type { ReceivedBatch, ReceivedEvent } from "../validate-batch.ts";
import { createNameFinder } from "./agent-store.ts";
import type { StoredEvent } from "./batch-body.ts";
import {
  type Appearances,
  type Facts,
  addAppearance,
  mergeAppearances,
  readFacts,
} from "./appearances.ts";
import { createArrivals, type Noted } from "./arrivals.ts";
import { noteCopy } from "./copy-store.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import { addFacts, createFacts, saveFacts, type ConversationFacts } from "./fact-store.ts";
import { indexMessage } from "./message-index.ts";
import { createStatement, db, toText } from "./query.ts";
import { noteArrival, type ReviewSettings } from "./review-desk.ts";
import type { SqlDatabase } from "./sql-database.ts";
import {
  type ConversationSummary,
  addToSummary,
  createSummary,
  mergeConversation,
  summariseAgain,
  toConversationKey,
} from "./summary.ts";
import { linkTrace } from "./trace-links.ts";

const INSERT_EVENT = createStatement((values: EventValues) =>
  db
    .insertInto("event")
    .values({
      seq: values.seq,
      organization_id: values.organizationId,
      event_id: values.eventId,
      conversation_key: values.key,
      timestamp: values.timestamp,
      type: values.type,
      batch_id: values.batchId,
      received_at: values.receivedAt,
      environment: values.environment,
      agent_version: values.agentVersion,
      agent_name: values.agentName,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const INSERT_BODY = createStatement((values: { seq: number; json: Uint8Array }) =>
  db.insertInto("body").values({ seq: values.seq, json: toText(values.json) }),
);

// Each event has a body, and copies of events have one as well.
const NEXT_BODY = createStatement(() =>
  db
    .selectFrom("body")
    .select((eb) => eb(eb.fn.coalesce(eb.fn.max("seq"), eb.lit(0)), "+", eb.lit(1)).as("seq")),
);

type SameBody = Pick<EventValues, "eventId" | "organizationId"> & { readonly json: Uint8Array };

const FIND_SAME_BODY = createStatement((values: SameBody) =>
  EVENT_WITH_BODY.select("body.seq")
    .where("event_id", "=", values.eventId)
    .where("organization_id", "=", values.organizationId)
    .where("body.json", "=", toText(values.json)),
);

/** An event as it came, and the columns of its row. */
interface Arrived
  extends Pick<ReceivedEvent, "event" | "json">, Pick<ReceivedBatch, "batchId" | "organizationId"> {
  /** Key of its conversation. */
  readonly key: string;
  /** Number of its body. */
  readonly seq: number;
  readonly receivedAt: number;
  readonly facts: Facts;
}

function toValues({ organizationId, batchId, receivedAt, seq, key, facts, event }: Arrived) {
  return {
    seq,
    organizationId,
    batchId,
    receivedAt,
    key,
    eventId: event.eventId,
    timestamp: event.timestamp,
    type: event.interactionType,
    environment: facts.environment,
    agentVersion: facts.agentVersion,
    agentName: facts.agentName,
  };
}

/** Values of an event's row. */
type EventValues = ReturnType<typeof toValues>;

/** Inserts an event; returns whether it is new. */
function insertEvent(database: SqlDatabase, arrived: Arrived): boolean {
  if (INSERT_EVENT.change(database, toValues(arrived)) === 0) return false;
  INSERT_BODY.change(database, arrived);
  indexMessage(database, arrived.seq, arrived.event);
  return true;
}

const FIND_RISK = createStatement((values: { key: string }) =>
  db.selectFrom("conversation").select("max_risk_score as riskScore").where("key", "=", values.key),
);

/** What the events of a batch change. */
interface Changes {
  readonly summaries: Map<string, ConversationSummary>;
  /** Conversations in which a fuller copy replaced an event, with one event of each. */
  readonly replaced: Map<string, DetailedEvent>;
  /** What the events say, by conversation. */
  readonly facts: Map<string, ConversationFacts>;
}

/** Records what conversations are found by. */
function noteFacts({ facts }: Changes, { key, event, facts: own }: Arrived): void {
  let known = facts.get(key);
  if (!known) facts.set(key, (known = createFacts()));
  addFacts(known, event, own);
}

/** Updates the conversations of a batch, and the queue. */
function* updateConversations(
  database: SqlDatabase,
  { organizationId }: ReceivedBatch,
  { summaries, replaced, facts }: Changes,
  noted: ReadonlyMap<string, Noted>,
  { receivedAt, review }: { readonly receivedAt: number; readonly review: ReviewSettings },
): Steps<void> {
  for (const summary of summaries.values()) mergeConversation(database, summary);
  for (const [key, event] of replaced) {
    const summary = createSummary(key, organizationId, event);
    yield* summariseAgain(database, summary);
    summaries.set(key, summary);
  }
  for (const [key, said] of facts) {
    yield;
    saveFacts(database, key, said, noted.has(key));
  }
  for (const [key, note] of noted) {
    yield;
    const [risk] = FIND_RISK.rows(database, { key });
    const riskScore = risk?.riskScore ?? null;
    noteArrival(database, { key, organizationId, riskScore, ...note, now: receivedAt }, review);
  }
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
  review: ReviewSettings,
): Steps<{ accepted: number; stored: StoredEvent[] }> {
  const { organizationId, batchId } = batch;
  const changes: Changes = {
    summaries: new Map(),
    replaced: new Map(),
    facts: new Map(),
  };
  const { summaries, replaced } = changes;
  const appearances: Appearances = new Map();
  const stored: StoredEvent[] = [];
  const arrivals = createArrivals(database, {
    sampling: review.policy.sampling,
    announcing: review.announcing,
  });
  let seq = NEXT_BODY.rows(database, {})[0]?.seq ?? 1;
  let accepted = 0;
  const findName = createNameFinder(database, organizationId);
  for (const { event, json, start } of batch.events) {
    yield;
    const key = toConversationKey(organizationId, event);
    const facts = readFacts(event, findName(event));
    const arrived = { event, json, organizationId, batchId, receivedAt, seq, key, facts };
    if (insertEvent(database, arrived)) {
      accepted++;
      addAppearance(appearances, key, facts, event.timestamp);
      stored.push({ start, length: json.length, seq: seq++ });
      const summary = summaries.get(key) ?? createSummary(key, organizationId, event);
      summaries.set(key, summary);
      addToSummary(summary, event);
      arrivals.note(arrived, true);
      linkTrace(database, arrived);
      noteFacts(changes, arrived);
    } else {
      noteCopy(database, { key, batchId });
      const { eventId } = event;
      const [same] = FIND_SAME_BODY.rows(database, { eventId, organizationId, json });
      if (same) stored.push({ start, length: json.length, seq: same.seq });
      else if (replaceThinner(database, arrived)) {
        replaced.set(key, event);
        arrivals.note(arrived, false);
        noteFacts(changes, arrived);
        stored.push({ start, length: json.length, seq: seq++ });
      }
    }
  }
  mergeAppearances(database, appearances);
  yield* updateConversations(database, batch, changes, arrivals.finish(), { receivedAt, review });
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
const FIND_COPY = createStatement((values: EventValues) =>
  EVENT_WITH_BODY.select(["event.seq", "batch_id as batchId", "body.json"])
    .where("event_id", "=", values.eventId)
    .where("organization_id", "=", values.organizationId)
    .where("conversation_key", "=", values.key)
    .where("type", "=", values.type),
);

const REPLACE_EVENT = createStatement((values: EventValues) =>
  db
    .updateTable("event")
    .set({
      body_seq: values.seq,
      timestamp: values.timestamp,
      batch_id: values.batchId,
      received_at: values.receivedAt,
      environment: values.environment,
      agent_version: values.agentVersion,
    })
    .where("event_id", "=", values.eventId)
    .where("organization_id", "=", values.organizationId),
);

/**
 * Replaces a known event by a copy that is more complete than the stored one.
 *
 * The replaced one's bytes stay: its batch is exported with them.
 *
 * @returns Whether it was replaced.
 */
function replaceThinner(database: SqlDatabase, arrived: Arrived): boolean {
  const copy = measureCompleteness(arrived.event);
  if (copy.level === 0) return false;
  const values = toValues(arrived);
  const [known] = FIND_COPY.rows(database, values);
  if (!known || !isFuller(copy, measureCompleteness(JSON.parse(known.json) as DetailedEvent)))
    return false;
  // The row names the batch of the fuller copy from now on.
  noteCopy(database, { key: arrived.key, batchId: known.batchId });
  INSERT_BODY.change(database, arrived);
  REPLACE_EVENT.change(database, values);
  indexMessage(database, known.seq, arrived.event, true);
  return true;
}
