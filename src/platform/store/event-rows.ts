import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { ReceivedBatch, ReceivedEvent } from "../validate-batch.ts";
import type { Facts } from "./appearances.ts";
import { isFuller, measureCompleteness } from "./completeness.ts";
import { noteCopy } from "./copy-store.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import { changeAll, changeTogether } from "./change-all.ts";
import { indexMessage, indexMessages, replaceMessage } from "./message-index.ts";
import { createStatement, db, toText } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

// Each event has a body, and copies of events have one as well.
const NEXT_BODY = createStatement(() =>
  db
    .selectFrom("body")
    .select((eb) => eb(eb.fn.coalesce(eb.fn.max("seq"), eb.lit(0)), "+", eb.lit(1)).as("seq")),
);

const insertEvent = (values: EventValues) =>
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
    .onConflict((conflict) => conflict.doNothing());

const INSERT_EVENT = createStatement(insertEvent);
const INSERT_EVENTS = createStatement((values: EventValues) =>
  insertEvent(values).returning("seq"),
);

const INSERT_BODY = createStatement((values: { seq: number; json: Uint8Array }) =>
  db.insertInto("body").values({ seq: values.seq, json: toText(values.json) }),
);

const UTF8 = new TextDecoder();

// JSON has no bytes: many rows travel as texts.
const INSERT_BODIES = createStatement((values: { seq: number; json: string }) =>
  db.insertInto("body").values({ seq: values.seq, json: values.json }),
);

type SameBody = Pick<EventValues, "eventId" | "organizationId"> & { readonly json: Uint8Array };

const FIND_SAME_BODY = createStatement((values: SameBody) =>
  EVENT_WITH_BODY.select("body.seq")
    .where("event_id", "=", values.eventId)
    .where("organization_id", "=", values.organizationId)
    .where("body.json", "=", toText(values.json)),
);

/** An event as it came, and the columns of its row. */
export interface Arrived
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

/** Inserts events, with their bodies and words; returns the numbers of those that are new. */
export function* insertNew(
  database: Transaction,
  arrivals: readonly Arrived[],
): Steps<ReadonlySet<number>> {
  if (database.dialect === "postgres") return yield* insertTogether(database, arrivals);
  const found = new Set<number>();
  for (const arrived of arrivals) {
    yield;
    if ((yield* INSERT_EVENT.change(database, toValues(arrived))) === 0) continue;
    yield* INSERT_BODY.send(database, arrived);
    yield* indexMessage(database, arrived);
    found.add(arrived.seq);
  }
  return found;
}

function* insertTogether(
  database: Transaction,
  arrivals: readonly Arrived[],
): Steps<ReadonlySet<number>> {
  const rows = yield* changeTogether(database, INSERT_EVENTS, arrivals.map(toValues));
  const found = new Set(rows.map(({ seq }) => seq));
  const added = arrivals.filter(({ seq }) => found.has(seq));
  const bodies = added.map(({ seq, json }) => ({ seq, json: UTF8.decode(json) }));
  yield* changeAll(database, INSERT_BODIES, bodies);
  yield* indexMessages(database, added);
  return found;
}

/** Returns the number that the next body gets. */
export function* findNextSeq(database: SqlDatabase): Steps<number> {
  return (yield* NEXT_BODY.rows(database, {}))[0]?.seq ?? 1;
}

/** Finds the row of a copy of an event that has the same bytes. */
export function* findSameBody(
  database: SqlDatabase,
  { event: { eventId }, organizationId, json }: Arrived,
): Steps<number | undefined> {
  return (yield* FIND_SAME_BODY.rows(database, { eventId, organizationId, json }))[0]?.seq;
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
 * @returns The one that was replaced; `undefined` where none was.
 */
export function* replaceThinner(
  database: Transaction,
  arrived: Arrived,
): Steps<DetailedEvent | undefined> {
  const copy = measureCompleteness(arrived.event);
  if (copy.level === 0) return undefined;
  const values = toValues(arrived);
  const [known] = yield* FIND_COPY.rows(database, values);
  if (!known) return undefined;
  const thinner = JSON.parse(known.json) as DetailedEvent;
  if (!isFuller(copy, measureCompleteness(thinner))) return undefined;
  // The row names the batch of the fuller copy from now on.
  yield* noteCopy(database, { key: arrived.key, batchId: known.batchId });
  yield* INSERT_BODY.send(database, arrived);
  yield* REPLACE_EVENT.send(database, values);
  yield* replaceMessage(database, { seq: known.seq, event: arrived.event });
  return thinner;
}
