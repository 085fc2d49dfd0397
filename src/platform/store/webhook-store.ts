import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Webhook, WebhookEvent } from "../webhooks/webhook-options.ts";
import { change, createStatement, db, readNumber, readRow, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Receivers of messages, and where people find what they are about. */
export interface Announcing {
  readonly webhooks: readonly Webhook[];
  /** Address of the viewer; empty where it is not known. */
  readonly publicUrl: string;
}

/** What has happened: ids, names of rules and numbers, never content. */
export interface Announcement {
  readonly type: WebhookEvent;
  readonly at: number;
  readonly organizationId: string;
  /** Conversation that it happened in, if it is one. */
  readonly key?: string;
  readonly data: Readonly<Record<string, string | number | null>>;
}

const PUT = createStatement(
  (row: { id: string; url: string; type: string; body: string; at: number }) =>
    db.insertInto("webhook_message").values({
      id: row.id,
      url: row.url,
      type: row.type,
      body: row.body,
      created_at: row.at,
      attempts: 0,
      next_at: row.at,
    }),
);

/** Puts a message for each receiver that wants it into the outbox. In the transaction of what has happened. */
export function announce(
  database: SqlDatabase,
  { webhooks, publicUrl }: Announcing,
  { type, at, organizationId, key, data }: Announcement,
): void {
  for (const { url, events } of webhooks) {
    if (events && !events.includes(type)) continue;
    const place =
      key === undefined ? {} : { conversationKey: key, link: `${publicUrl}/#/q/${key}` };
    const timestamp = new Date(at).toISOString();
    const body = JSON.stringify({ type, timestamp, data: { organizationId, ...place, ...data } });
    PUT.change(database, { id: `msg_${randomUUID()}`, url, type, body, at });
  }
}

/** A message on its way. */
export interface WebhookMessage {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
  readonly createdAt: number;
}

/** Returns the message of a receiver that has waited longest, if one is to be sent now. */
export function findDueMessage(
  database: SqlDatabase,
  url: string,
  now: number,
): WebhookMessage | undefined {
  return readRow(
    database,
    db
      .selectFrom("webhook_message")
      .select(["seq", "id", "body", "attempts", "created_at as createdAt"])
      .where("url", "=", url)
      .where("next_at", "<=", now)
      .orderBy("next_at")
      .orderBy("seq")
      .limit(1),
  );
}

/** Sends a message again later. */
export function postponeMessage(
  database: SqlDatabase,
  { seq, attempts }: Pick<WebhookMessage, "attempts" | "seq">,
  nextAt: number,
): void {
  change(
    database,
    db
      .updateTable("webhook_message")
      .set({ attempts: attempts + 1, next_at: nextAt })
      .where("seq", "=", seq),
  );
}

/** Ends a message that was delivered or given up. */
export function endMessage(database: SqlDatabase, seq: number): void {
  change(database, db.deleteFrom("webhook_message").where("seq", "=", seq));
}

/** Counts the messages that are on their way. */
export function countMessages(database: SqlDatabase): number {
  return readNumber(
    database,
    db.selectFrom("webhook_message").select(({ fn }) => fn.countAll<number>().as("count")),
  );
}

/** Drops the oldest messages of a receiver over a bound, and all of receivers that are no longer there. */
export function trimMessages(
  database: SqlDatabase,
  webhooks: readonly Webhook[],
  most: number,
): number {
  const urls = webhooks.map(({ url }) => url);
  let query = db.deleteFrom("webhook_message");
  if (urls.length > 0) query = query.where("url", "not in", urls);
  let removed = change(database, query);
  for (const url of urls) {
    const newest = db
      .selectFrom("webhook_message")
      .select("seq")
      .where("url", "=", url)
      .orderBy("seq", "desc")
      .limit(1)
      .offset(most);
    removed += change(
      database,
      db.deleteFrom("webhook_message").where("url", "=", url).where("seq", "<=", newest),
    );
  }
  return removed;
}

const MAX_OVERDUE = 500;

/** Announces items that are overdue and were not announced with this due date. In a transaction. @returns how many */
export function announceOverdue(
  database: SqlDatabase,
  announcing: Announcing,
  now: number,
): number {
  const rows = readRows(
    database,
    db
      .selectFrom("review_item")
      .innerJoin("conversation", "conversation.key", "review_item.key")
      .select([
        "review_item.key",
        "review_item.organization_id as organizationId",
        "review_item.due_at as dueAt",
        "conversation.agent_id as agentId",
      ])
      // As the partial index has it.
      .where(sql<boolean>`queue <> 'closed' AND announced_due_at IS NOT due_at`)
      .where("due_at", "<", now)
      .orderBy("due_at")
      .limit(MAX_OVERDUE),
  );
  for (const { key, organizationId, dueAt, agentId } of rows) {
    const data = { agentId, dueAt };
    announce(database, announcing, { type: "review.overdue", at: now, organizationId, key, data });
    const update = db.updateTable("review_item").set({ announced_due_at: dueAt });
    change(database, update.where("key", "=", key));
  }
  return rows.length;
}
