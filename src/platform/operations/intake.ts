import type { DroppedReport } from "../../events/chain.ts";
import type { RejectedEvent } from "../../events/wire.ts";
import { createStatement, db, greatest } from "../store/query.ts";
import type { Transaction } from "../store/sql-database.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import type { Steps } from "../turns.ts";

const MINUTE_MILLIS = 60_000;

/** Returns the minute of a time, counted since the Unix epoch. */
export function toMinute(millis: number): number {
  return Math.floor(millis / MINUTE_MILLIS);
}

/** What became of a new batch. */
export interface Intake extends Pick<
  ReceivedBatch,
  "batchId" | "eventCount" | "metadata" | "organizationId" | "rejected"
> {
  readonly receivedAt: number;
  readonly accepted: number;
  readonly duplicates: number;
}

interface Counts {
  readonly organizationId: string;
  readonly minute: number;
  readonly batches: number;
  readonly events: number;
  readonly duplicates: number;
  readonly rejected: number;
}

const COUNT = createStatement((values: Counts) =>
  db
    .insertInto("intake")
    .values({
      organization_id: values.organizationId,
      minute: values.minute,
      batches: values.batches,
      events: values.events,
      duplicates: values.duplicates,
      rejected: values.rejected,
    })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "minute"]).doUpdateSet((eb) => ({
        batches: eb("intake.batches", "+", eb.ref("excluded.batches")),
        events: eb("intake.events", "+", eb.ref("excluded.events")),
        duplicates: eb("intake.duplicates", "+", eb.ref("excluded.duplicates")),
        rejected: eb("intake.rejected", "+", eb.ref("excluded.rejected")),
      })),
    ),
);

/** A kind of rejection: a code, and the member that it is about. */
interface Rejection {
  readonly organizationId: string;
  readonly code: string;
  readonly member: string;
  readonly count: number;
  readonly at: number;
  readonly pointer: string;
  readonly detail: string;
  readonly batchId: string;
}

const NOTE_REJECTION = createStatement((values: Rejection) =>
  db
    .insertInto("rejection")
    .values({
      organization_id: values.organizationId,
      code: values.code,
      member: values.member,
      count: values.count,
      first_at: values.at,
      last_at: values.at,
      pointer: values.pointer,
      detail: values.detail,
      batch_id: values.batchId,
    })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "code", "member"]).doUpdateSet((eb) => ({
        count: eb("rejection.count", "+", eb.ref("excluded.count")),
        last_at: eb.ref("excluded.last_at"),
        pointer: eb.ref("excluded.pointer"),
        detail: eb.ref("excluded.detail"),
        batch_id: eb.ref("excluded.batch_id"),
      })),
    ),
);

const MAX_TEXT = 256;
/** Kinds that are counted apart in one batch. */
const MAX_KINDS = 100;
const OTHER = "other";
/** Names of the schema have no other form; any other name in an event may be content. */
const MEMBER_NAME = /^[a-z][A-Za-z]{0,31}$/;

/** Splits the pointer of a rejected event, `/events/3/metadata/x`, into that of the event and that within it. */
function splitPointer(pointer: string): { readonly event: string; readonly member: string } {
  const [, , index = "", ...names] = pointer.split("/");
  const shown = names.slice(0, 2).map((name) => `/${MEMBER_NAME.test(name) ? name : "*"}`);
  return { event: `/events/${index}`, member: shown.join("") };
}

function* noteRejections(
  database: Transaction,
  rejected: readonly RejectedEvent[],
  batch: Pick<Rejection, "at" | "batchId" | "organizationId">,
): Steps<void> {
  const kinds = new Map<string, Rejection>();
  for (const { code, detail, pointer = "" } of rejected) {
    const { event, member: own } = splitPointer(pointer);
    const member = kinds.size < MAX_KINDS || kinds.has(`${code} ${own}`) ? own : OTHER;
    const key = `${code} ${member}`;
    const count = (kinds.get(key)?.count ?? 0) + 1;
    const example = { pointer: event + own, detail: detail.slice(0, MAX_TEXT) };
    kinds.set(key, { ...batch, code, member, count, ...example });
  }
  for (const kind of kinds.values()) yield* NOTE_REJECTION.send(database, kind);
}

interface Loss {
  readonly organizationId: string;
  readonly writerId: string;
  readonly reason: string;
  readonly count: number;
  readonly batchId: string;
  readonly receivedAt: number;
}

const NOTE_LOSS = createStatement((values: Loss) =>
  db.insertInto("loss").values({
    organization_id: values.organizationId,
    writer_id: values.writerId,
    reason: values.reason,
    count: values.count,
    batch_id: values.batchId,
    received_at: values.receivedAt,
  }),
);

interface WriterFacts {
  readonly organizationId: string;
  readonly writerId: string;
  readonly batches: number;
  readonly events: number;
  readonly givenUp: number;
  readonly lastSequence: number;
  readonly lastEvent: number;
  readonly at: number;
}

const NOTE_WRITER = createStatement((values: WriterFacts) =>
  db
    .insertInto("writer")
    .values({
      organization_id: values.organizationId,
      writer_id: values.writerId,
      batches: values.batches,
      events: values.events,
      given_up: values.givenUp,
      last_sequence: values.lastSequence,
      last_event: values.lastEvent,
      first_at: values.at,
      last_at: values.at,
    })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "writer_id"]).doUpdateSet((eb) => ({
        batches: eb("writer.batches", "+", eb.ref("excluded.batches")),
        events: eb("writer.events", "+", eb.ref("excluded.events")),
        given_up: eb("writer.given_up", "+", eb.ref("excluded.given_up")),
        last_sequence: greatest(eb.ref("writer.last_sequence"), eb.ref("excluded.last_sequence")),
        last_event: greatest(eb.ref("writer.last_event"), eb.ref("excluded.last_event")),
        last_at: greatest(eb.ref("writer.last_at"), eb.ref("excluded.last_at")),
      })),
    ),
);

/** Sums up reports by whose events they were and why they were given up. */
function sumUp(reports: readonly DroppedReport[], writerId: string): Map<string, DroppedReport> {
  const sums = new Map<string, DroppedReport>();
  for (const report of reports) {
    const owner = report.writerId ?? writerId;
    const own = JSON.stringify([owner, report.reason]);
    const isKnown = sums.size < MAX_KINDS || sums.has(own);
    const reason = isKnown ? report.reason : OTHER;
    const key = isKnown ? own : JSON.stringify([owner, OTHER]);
    sums.set(key, { writerId: owner, reason, count: (sums.get(key)?.count ?? 0) + report.count });
  }
  return sums;
}

function* noteLosses(
  database: Transaction,
  reports: readonly DroppedReport[],
  writerId: string,
  batch: Pick<Loss, "batchId" | "organizationId" | "receivedAt">,
): Steps<void> {
  for (const { writerId: owner = "", reason, count } of sumUp(reports, writerId).values())
    yield* NOTE_LOSS.send(database, { ...batch, writerId: owner, reason, count });
  const nothing = { batches: 0, events: 0, lastSequence: 0, at: batch.receivedAt };
  for (const { firstSequence, lastSequence, count, writerId: owner = writerId } of reports) {
    // Events that never got a sequence leave no gap.
    if (owner === "" || firstSequence === undefined || lastSequence === undefined) continue;
    const { organizationId } = batch;
    const facts = { organizationId, writerId: owner, givenUp: count, lastEvent: lastSequence };
    yield* NOTE_WRITER.send(database, { ...nothing, ...facts });
  }
}

/**
 * Writes down what a batch says of its writer and of losses. In the transaction of the batch.
 *
 * Counts only: whether the chain holds is for `verify` to say.
 */
function* noteChain(
  database: Transaction,
  { metadata, organizationId, batchId, eventCount, receivedAt }: Omit<Intake, "rejected">,
): Steps<void> {
  const { chain, dropped } = metadata ?? {};
  if (chain)
    yield* NOTE_WRITER.send(database, {
      organizationId,
      writerId: chain.writerId,
      batches: 1,
      events: eventCount,
      givenUp: 0,
      lastSequence: chain.sequence,
      lastEvent: chain.lastEvent,
      at: receivedAt,
    });
  if (dropped)
    yield* noteLosses(database, dropped, chain?.writerId ?? "", {
      organizationId,
      batchId,
      receivedAt,
    });
}

/** Writes down what a new batch has brought. In the transaction of the batch. */
export function* noteBatch(database: Transaction, intake: Intake): Steps<void> {
  const { organizationId, batchId, rejected, receivedAt: at, accepted, duplicates } = intake;
  yield* COUNT.send(database, {
    organizationId,
    minute: toMinute(at),
    batches: 1,
    events: accepted,
    duplicates,
    rejected: rejected.length,
  });
  if (rejected.length > 0)
    yield* noteRejections(database, rejected, { organizationId, batchId, at });
  yield* noteChain(database, intake);
}

/** Counts the events of a batch that has come again. In a transaction. */
export function* noteRepetition(
  database: Transaction,
  organizationId: string,
  events: number,
  now: number,
): Steps<void> {
  const none = { batches: 0, events: 0, rejected: 0 };
  yield* COUNT.send(database, {
    organizationId,
    minute: toMinute(now),
    ...none,
    duplicates: events,
  });
}
