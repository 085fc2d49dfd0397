import type { Context } from "hono";
import { environmentSchema, eventTypeSchema } from "../events/base-event.ts";
import { BATCH_LINES_MEDIA_TYPE, type WrappedBatch } from "../events/wire.ts";
import type { PlatformContext } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import {
  BEFORE,
  choiceMember,
  LIST_LIMIT,
  PAGE,
  textMember,
  toJsonResponse,
  toRowsResponse,
  type Query,
  type QueryMember,
} from "./read-query.ts";
import type { Cursor } from "./store/conversation-store.ts";
import { SEVERITIES } from "./store/summary.ts";

const NEWEST: Cursor = { lastAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

// A cursor reads `<time>.<order of arrival>`; a client hands it back as it came.
const CURSOR: QueryMember<Cursor> = {
  expected: "`next` of the page before",
  absent: NEWEST,
  parse(text) {
    const parts = /^(\d{1,16})\.(\d{1,16})$/.exec(text);
    return parts ? { lastAt: Number(parts[1]), seq: Number(parts[2]) } : undefined;
  },
};

function formatCursor(cursor: Cursor | undefined): string | null {
  return cursor ? `${cursor.lastAt}.${cursor.seq}` : null;
}

const ENVIRONMENT = choiceMember(environmentSchema.options);

export const CONVERSATIONS_QUERY = {
  limit: LIST_LIMIT,
  before: CURSOR,
  severity: choiceMember(SEVERITIES),
  review: choiceMember(["true", "false"]),
  agent: textMember,
  environment: ENVIRONMENT,
  version: textMember,
} as const;

/** Lists conversations, newest first: `GET /api/conversations`. */
export function listConversations(
  { store }: PlatformContext,
  context: Context,
  query: Query<typeof CONVERSATIONS_QUERY>,
): Response {
  const { severity = "none", review, agent, ...rest } = query;
  const { conversations, next } = store.conversations.list({
    ...rest,
    minSeverity: severity,
    onlyReview: review === "true",
    agentId: agent,
  });
  return context.json({ conversations, next: formatCursor(next) });
}

/** Returns a conversation and its events as received: `GET /api/conversations/{key}`. */
export function readConversation(
  { store }: PlatformContext,
  context: Context,
  { limit, offset }: Query<typeof PAGE>,
): Response {
  const key = context.req.param("key") ?? "";
  const conversation = store.conversations.find(key);
  if (!conversation) throw new ProblemError(404, "not_found", "there is no such conversation");
  const { rows, hasMore } = store.events.listOf(key, limit, offset);
  const next = hasMore ? offset + rows.length : null;
  const events = rows.map(({ json }) => json);
  // The events are JSON already and are sent byte for byte as received.
  return toJsonResponse(
    context,
    `{"conversation":${JSON.stringify(conversation)},"events":[${events.join(",")}],"next":${JSON.stringify(next)}}`,
  );
}

export const ORGANIZATION_QUERY = { organization: textMember } as const;

/** Returns an event as received, with its batch and conversation: `GET /api/events/{eventId}`. */
export function readEvent(
  { store }: PlatformContext,
  context: Context,
  { organization: organizationId }: Query<typeof ORGANIZATION_QUERY>,
): Response {
  const [row] = store.events
    .find(context.req.param("eventId") ?? "")
    .filter(
      (candidate) => organizationId === undefined || candidate.organizationId === organizationId,
    );
  if (!row) throw new ProblemError(404, "not_found", "there is no such event");
  const { json, ...rest } = row;
  return toJsonResponse(context, `{"event":${json},${JSON.stringify(rest).slice(1)}`);
}

export const EVENTS_QUERY = {
  limit: LIST_LIMIT,
  before: BEFORE,
  organization: textMember,
  environment: ENVIRONMENT,
  version: textMember,
  type: choiceMember(eventTypeSchema.options),
} as const;

/** Lists events as received, the newest first: `GET /api/events`. */
export function listEvents(
  { store }: PlatformContext,
  context: Context,
  { organization, ...filter }: Query<typeof EVENTS_QUERY>,
): Response {
  const { rows, hasMore } = store.events.list({ ...filter, organizationId: organization });
  return toRowsResponse(context, "events", "event", rows, hasMore);
}

export const ARRIVAL_QUERY = { limit: LIST_LIMIT, before: BEFORE } as const;

/** Lists batches, newest first: `GET /api/batches`. */
export function listBatches(
  { store }: PlatformContext,
  context: Context,
  { limit, before }: Query<typeof ARRIVAL_QUERY>,
): Response {
  const batches = store.batches.list(limit, before);
  const next = batches.length === limit ? (batches.at(-1)?.seq ?? null) : null;
  return context.json({ batches, next });
}

export const AGENTS_QUERY = { limit: LIST_LIMIT } as const;

/** Lists agents in their latest version: `GET /api/agents`. */
export function listAgents(
  { store }: PlatformContext,
  context: Context,
  { limit }: Query<typeof AGENTS_QUERY>,
): Response {
  return context.json({ agents: store.agents.list(limit) });
}

/** Returns every version of an agent, the latest first: `GET /api/agents/{id}`. */
export function readAgent({ store }: PlatformContext, context: Context): Response {
  const versions = store.agents.listVersions(context.req.param("id") ?? "");
  if (versions.length === 0) throw new ProblemError(404, "not_found", "there is no such agent");
  return context.json({ versions });
}

const LINE_BREAK = "\n";

function toLine(json: Buffer): Buffer {
  if (!json.includes(LINE_BREAK)) return Buffer.concat([json, Buffer.from(LINE_BREAK)]);
  const wrapped: WrappedBatch = { base64: json.toString("base64") };
  return Buffer.from(JSON.stringify(wrapped) + LINE_BREAK);
}

/** Returns every batch as received, in the order of arrival, a line each: `GET /api/batches/export`. */
export function exportBatches(
  { store }: PlatformContext,
  context: Context,
  { organization: organizationId }: Query<typeof ORGANIZATION_QUERY>,
): Response {
  let after = 0;
  // One batch at a time, as the reader consumes it: the whole would not fit into memory.
  const lines = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = store.bodies.findNext(after, organizationId);
        if (!next) {
          controller.close();
          return;
        }
        after = next.seq;
        controller.enqueue(toLine(next.json));
      },
    },
    { highWaterMark: 0 },
  );
  return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
}

/** Lists traces, the one with the newest span first: `GET /api/traces`. */
export function listTraces(
  { store }: PlatformContext,
  context: Context,
  { limit, before }: Query<typeof ARRIVAL_QUERY>,
): Response {
  const traces = store.spans.listTraces(limit, before);
  const next = traces.length === limit ? (traces.at(-1)?.seq ?? null) : null;
  return context.json({ traces, next });
}

export const TRACE_QUERY = { ...PAGE, organization: textMember } as const;

/** Returns a trace and its spans in order of their start: `GET /api/traces/{traceId}`. */
export function readTrace(
  { store }: PlatformContext,
  context: Context,
  { limit, offset, organization }: Query<typeof TRACE_QUERY>,
): Response {
  const traceId = (context.req.param("traceId") ?? "").toLowerCase();
  const trace = store.spans.findTrace(traceId, organization);
  if (!trace) throw new ProblemError(404, "not_found", "there is no such trace");
  const { rows, hasMore } = store.spans.listSpans(trace, limit, offset);
  const next = hasMore ? offset + rows.length : null;
  const shown = rows.map(({ json }) => json).join(",");
  return toJsonResponse(
    context,
    `{"trace":${JSON.stringify(trace)},"spans":[${shown}],"next":${JSON.stringify(next)}}`,
  );
}

export const LOGS_QUERY = { limit: LIST_LIMIT, before: BEFORE, trace: textMember } as const;

/** Lists log records, the newest first: `GET /api/logs`. */
export function listLogs(
  { store }: PlatformContext,
  context: Context,
  { limit, before, trace }: Query<typeof LOGS_QUERY>,
): Response {
  const { rows, hasMore } = store.logs.list({ limit, before, traceId: trace?.toLowerCase() });
  return toRowsResponse(context, "logs", "record", rows, hasMore);
}
