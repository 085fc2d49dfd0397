import type { Context } from "hono";
import type { Room } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import type { Cursor } from "./store/conversation-store.ts";
import { SEVERITIES, type MaxSeverity } from "./store/summary.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const DEFAULT_EVENT_LIMIT = 500;
const MAX_EVENT_LIMIT = 1000;
const NEWEST: Cursor = { lastAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

function readInteger(text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return fallback;
  return Math.min(Number(text), max);
}

function readLimit(context: Context): number {
  return Math.max(1, readInteger(context.req.query("limit"), DEFAULT_LIMIT, MAX_LIMIT));
}

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

function toJsonResponse(context: Context, json: string): Response {
  return context.body(json, 200, { "content-type": "application/json" });
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
  const limit = Math.max(
    1,
    readInteger(context.req.query("limit"), DEFAULT_EVENT_LIMIT, MAX_EVENT_LIMIT),
  );
  const offset = readInteger(context.req.query("offset"), 0, Number.MAX_SAFE_INTEGER);
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
