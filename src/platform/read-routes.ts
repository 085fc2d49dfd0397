import type { Context } from "hono";
import type { Room } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import { readInteger, readLimit, readPage, toJsonResponse } from "./read-query.ts";
import type { Cursor } from "./store/conversation-store.ts";
import { SEVERITIES, type MaxSeverity } from "./store/summary.ts";

const NEWEST: Cursor = { lastAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

function readSeverity(text: string | undefined): MaxSeverity {
  return SEVERITIES.find((severity) => severity === text) ?? "none";
}

// A cursor reads `<time>.<order of arrival>`; a client hands it back as it came.
function parseCursor(text: string | undefined): Cursor {
  const parts = /^(\d{1,16})\.(\d{1,16})$/.exec(text ?? "");
  return parts ? { lastAt: Number(parts[1]), seq: Number(parts[2]) } : NEWEST;
}

function formatCursor(cursor: Cursor | undefined): string | null {
  return cursor ? `${cursor.lastAt}.${cursor.seq}` : null;
}

/** Lists conversations, newest first: `GET /api/conversations?limit&before&severity&review&agent`. */
export function listConversations({ store }: Room, context: Context): Response {
  const { conversations, next } = store.conversations.list({
    limit: readLimit(context),
    before: parseCursor(context.req.query("before")),
    minSeverity: readSeverity(context.req.query("severity")),
    onlyReview: context.req.query("review") === "true",
    agentId: context.req.query("agent"),
  });
  return context.json({ conversations, next: formatCursor(next) });
}

/** Gives a conversation and its events as received: `GET /api/conversations/{key}?limit&offset`. */
export function readConversation({ store }: Room, context: Context): Response {
  const key = context.req.param("key") ?? "";
  const conversation = store.conversations.find(key);
  if (!conversation) throw new ProblemError(404, "not_found", "there is no such conversation");
  const { limit, offset } = readPage(context);
  const events = store.conversations.listEvents(key, limit, offset);
  const next = offset + events.length < conversation.eventCount ? offset + events.length : null;
  // The events are JSON already and go out byte for byte as they came in.
  return toJsonResponse(
    context,
    `{"conversation":${JSON.stringify(conversation)},"events":[${events.join(",")}],"next":${JSON.stringify(next)}}`,
  );
}

/** Gives an event as received, with its batch and conversation: `GET /api/events/{eventId}`. */
export function readEvent({ store }: Room, context: Context): Response {
  const organizationId = context.req.query("organization");
  const [row] = store.conversations
    .findEvents(context.req.param("eventId") ?? "")
    .filter(
      (candidate) => organizationId === undefined || candidate.organizationId === organizationId,
    );
  if (!row) throw new ProblemError(404, "not_found", "there is no such event");
  const { json, ...rest } = row;
  return toJsonResponse(context, `{"event":${json},${JSON.stringify(rest).slice(1)}`);
}

/** Lists batches, newest first: `GET /api/batches?limit&before`. */
export function listBatches({ store }: Room, context: Context): Response {
  const limit = readLimit(context);
  const before = readInteger(
    context.req.query("before"),
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  );
  const batches = store.batches.list(limit, before);
  const next = batches.length === limit ? (batches.at(-1)?.seq ?? null) : null;
  return context.json({ batches, next });
}

/** Lists agents in their latest version: `GET /api/agents`. */
export function listAgents({ store }: Room, context: Context): Response {
  return context.json({ agents: store.agents.list(readLimit(context)) });
}

/** Gives every version of an agent, the latest first: `GET /api/agents/{id}`. */
export function readAgent({ store }: Room, context: Context): Response {
  const versions = store.agents.listVersions(context.req.param("id") ?? "");
  if (versions.length === 0) throw new ProblemError(404, "not_found", "there is no such agent");
  return context.json({ versions });
}
