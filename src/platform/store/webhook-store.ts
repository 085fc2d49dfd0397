import { sql } from "kysely";
import type { Webhook, WebhookEvent } from "../webhooks/webhook-options.ts";
import { putMessage } from "./outgoing-store.ts";
import { change, db, readRows } from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

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

/** Puts a message for each receiver that wants it into the outbox. In the transaction of what has happened. */
export function* announce(
  database: Transaction,
  { webhooks, publicUrl }: Announcing,
  { type, at, organizationId, key, data }: Announcement,
): Steps<void> {
  for (const { url, events } of webhooks) {
    if (events && !events.includes(type)) continue;
    const place =
      key === undefined ? {} : { conversationKey: key, link: `${publicUrl}/#/q/${key}` };
    const timestamp = new Date(at).toISOString();
    const body = JSON.stringify({ type, timestamp, data: { organizationId, ...place, ...data } });
    yield* putMessage(database, { kind: "webhook", url, body, at });
  }
}

const MAX_OVERDUE = 500;

/** Announces items that are overdue and were not announced with this due date. In a transaction. @returns how many */
export function* announceOverdue(
  database: Transaction,
  announcing: Announcing,
  now: number,
): Steps<number> {
  const rows = yield* readRows(
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
      .where(sql<boolean>`queue <> 'closed' AND announced_due_at IS DISTINCT FROM due_at`)
      .where("due_at", "<", now)
      .orderBy("due_at")
      .limit(MAX_OVERDUE),
  );
  for (const { key, organizationId, dueAt, agentId } of rows) {
    const data = { agentId, dueAt };
    yield* announce(database, announcing, {
      type: "review.overdue",
      at: now,
      organizationId,
      key,
      data,
    });
    const update = db.updateTable("review_item").set({ announced_due_at: dueAt });
    yield* change(database, update.where("key", "=", key));
  }
  return rows.length;
}
