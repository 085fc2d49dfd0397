import type { Platform } from "../../../src/platform/index.ts";
import { createChainWriter, rehash, resum } from "../../helpers/chained-batches.ts";
import { postBatch, START, toAnswer, type Answer, type JsonObject } from "../helpers.ts";

export const DAY = 86_400_000;

/** Users of the records, by their roles. */
export const USERS = [
  { name: "vera", role: "viewer", key: "viewer-key-0123456789" },
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "cara", role: "supervisor", key: "supervisor-key-cara" },
  { name: "dora", role: "admin", key: "admin-key-dora-012345" },
] as const;
export type UserName = (typeof USERS)[number]["name"];

/** Asks a platform as a user. */
export async function ask(
  { url }: { readonly url: string },
  user: UserName | undefined,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const key = USERS.find(({ name }) => name === user)?.key;
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return toAnswer(response);
}

/** Creates a writer whose batches each hold events of the named sessions, in this order. */
export function createDeliveries() {
  const writer = createChainWriter();
  let sequence = 0;
  return {
    writer,
    /** Plans the next batch. */
    plan(sessions: readonly string[], more: JsonObject = {}) {
      const sequences = sessions.map(() => ++sequence);
      const batch = writer.plan({ sequences });
      for (const [index, sessionId] of sessions.entries())
        Object.assign(batch.events[index] ?? {}, { sessionId, timestamp: START, ...more });
      return rehash(resum(batch));
    },
  };
}

/** Delivers a batch that the platform has to take. */
export async function deliver(platform: { readonly url: string }, batch: unknown): Promise<void> {
  const { status } = await postBatch(platform, batch);
  if (status !== 202) throw new Error(`the platform answered ${status}`);
}

/** Finds the key of a conversation by its session. */
export async function findKey(
  platform: { readonly url: string },
  sessionId: string,
  user?: UserName,
): Promise<string | undefined> {
  const { body } = await ask(platform, user, "/api/conversations?limit=200");
  const rows = body["conversations"] as JsonObject[];
  const row = rows.find(({ conversationId }) => conversationId === sessionId);
  return row && String(row["key"]);
}

/** Lists the sessions of the conversations that are there. */
export async function listSessions(
  platform: Platform | { readonly url: string },
  user?: UserName,
): Promise<string[]> {
  const { body } = await ask(platform, user, "/api/conversations?limit=200");
  const rows = body["conversations"] as JsonObject[];
  return rows.map(({ conversationId }) => String(conversationId)).toSorted();
}
