import { randomUUID } from "node:crypto";
import { change, createStatement, db, readNumber, readRow } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** What is sent to receivers outside. */
export const MESSAGE_KINDS = ["webhook", "evaluation"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Where messages go. */
export interface Receiver {
  readonly kind: MessageKind;
  readonly url: string;
}

/** A message as it is put into the outbox. */
interface NewMessage extends Receiver {
  readonly body: string;
  readonly at: number;
}

const PUT = createStatement((row: NewMessage & { readonly id: string }) =>
  db.insertInto("outgoing_message").values({
    id: row.id,
    kind: row.kind,
    url: row.url,
    body: row.body,
    created_at: row.at,
    attempts: 0,
    next_at: row.at,
  }),
);

/** Puts a message into the outbox. In the transaction of what it is about. */
export function* putMessage(database: Transaction, message: NewMessage): Steps<void> {
  yield* PUT.send(database, { ...message, id: `msg_${randomUUID()}` });
}

/** A message on its way. */
export interface OutgoingMessage {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
  readonly createdAt: number;
}

/** Time that a replica has for a message which it sends, until another one takes it. */
const CLAIM_MILLIS = 60_000;

/** Returns the message of a receiver that has waited longest, if one is to be sent now: no other replica sends it meanwhile. */
export function* claimDueMessage(
  database: Transaction,
  receiver: Receiver,
  now: number,
): Steps<OutgoingMessage | undefined> {
  const message = yield* findDueMessage(database, receiver, now);
  // SQLite has one platform: when that dies, the next one sends it at once.
  if (message && database.dialect === "postgres")
    yield* change(
      database,
      db
        .updateTable("outgoing_message")
        .set({ next_at: now + CLAIM_MILLIS })
        .where("seq", "=", message.seq),
    );
  return message;
}

function* findDueMessage(
  database: SqlDatabase,
  { kind, url }: Receiver,
  now: number,
): Steps<OutgoingMessage | undefined> {
  return yield* readRow(
    database,
    db
      .selectFrom("outgoing_message")
      .select(["seq", "id", "body", "attempts", "created_at as createdAt"])
      .where("kind", "=", kind)
      .where("url", "=", url)
      .where("next_at", "<=", now)
      .orderBy("next_at")
      .orderBy("seq")
      .limit(1),
  );
}

/** Sends a message again later. */
export function* postponeMessage(
  database: Transaction,
  { seq, attempts }: Pick<OutgoingMessage, "attempts" | "seq">,
  nextAt: number,
): Steps<void> {
  yield* change(
    database,
    db
      .updateTable("outgoing_message")
      .set({ attempts: attempts + 1, next_at: nextAt })
      .where("seq", "=", seq),
  );
}

/** Ends a message that was delivered or given up. */
export function* endMessage(database: Transaction, seq: number): Steps<void> {
  yield* change(database, db.deleteFrom("outgoing_message").where("seq", "=", seq));
}

/** Counts the messages of a kind that are on their way. */
export function* countMessages(database: SqlDatabase, kind: MessageKind): Steps<number> {
  return yield* readNumber(
    database,
    db
      .selectFrom("outgoing_message")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("kind", "=", kind),
  );
}

/** Drops the oldest messages of a receiver over a bound. @returns how many */
export function* trimMessages(
  database: Transaction,
  { kind, url }: Receiver,
  most: number,
): Steps<number> {
  const newest = db
    .selectFrom("outgoing_message")
    .select("seq")
    .where("kind", "=", kind)
    .where("url", "=", url)
    .orderBy("seq", "desc")
    .limit(1)
    .offset(most);
  return yield* change(
    database,
    db
      .deleteFrom("outgoing_message")
      .where("kind", "=", kind)
      .where("url", "=", url)
      .where("seq", "<=", newest),
  );
}

/** Drops the messages of receivers that are no longer there. @returns how many */
export function* dropOthers(
  database: Transaction,
  kind: MessageKind,
  receivers: readonly Receiver[],
): Steps<number> {
  const urls = receivers.filter((receiver) => receiver.kind === kind).map(({ url }) => url);
  const query = db.deleteFrom("outgoing_message").where("kind", "=", kind);
  return yield* change(database, urls.length > 0 ? query.where("url", "not in", urls) : query);
}
