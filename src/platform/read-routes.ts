import {
  answerConversations,
  answerCounts,
  CONVERSATION_FILTER,
  CONVERSATIONS_QUERY,
} from "./conversation-routes.ts";
import type { Context } from "hono";
import { environmentSchema, eventTypeSchema } from "../events/base-event.ts";
import { BATCH_EXPORT_PATH, BATCH_LINES_MEDIA_TYPE, type WrappedBatch } from "../events/wire.ts";
import { answerMetrics } from "./health-routes.ts";
import { ProblemError } from "./problem.ts";
import { requireRole } from "./require-role.ts";
import { showConversation, UNMASKED_QUERY } from "./unmask-routes.ts";
import { BEFORE, choiceMember, LIST_LIMIT, PAGE, textMember } from "./read-query.ts";
import { listAgents, listAgentVersions } from "./store/agent-store.ts";
import { findNextBody } from "./store/batch-body.ts";
import { listBatches } from "./store/batch-store.ts";
import type { BoundedRows } from "./store/bounded-rows.ts";
import { findConversation } from "./store/conversation-store.ts";
import { findEvents, listEvents, listEventsOf } from "./store/event-store.ts";
import { listLogRecords } from "./store/log-store.ts";
import { findTrace, listSpans, listTraces } from "./store/span-store.ts";
import type { SqlDatabase } from "./store/sql-database.ts";
import { listConversationsOf, listTracesOf } from "./store/trace-links.ts";
import { get, type Route } from "./route.ts";

function noSuch(noun: string): ProblemError {
  return new ProblemError("not_found", `there is no such ${noun}`);
}

/** Responds with JSON text: what is JSON in the database is sent byte for byte as it is stored. */
function toJsonResponse(context: Context, json: string): Response {
  return context.body(json, 200, { "content-type": "application/json" });
}

/** Writes an object whose first member is JSON already. */
function addMembers(name: string, json: string, others: object): string {
  return `{"${name}":${json},${JSON.stringify(others).slice(1)}`;
}

/** Returns the position of the next page of a list, `null` when this one is the last. */
function findNext(rows: readonly { readonly seq: number }[], hasMore: boolean): number | null {
  return hasMore ? (rows.at(-1)?.seq ?? null) : null;
}

/** Responds with a page of rows and the position of the next page. */
function toRowsResponse(
  context: Context,
  list: string,
  member: string,
  { rows, hasMore }: BoundedRows<{ readonly seq: number; readonly json: string }>,
): Response {
  const parts = rows.map(({ json, ...rest }) => addMembers(member, json, rest));
  const next = findNext(rows, hasMore);
  return toJsonResponse(context, addMembers(list, `[${parts.join(",")}]`, { next }));
}

/** Responds with an object, a page of what belongs to it, and the offset of the next page. */
function toPartsResponse(
  context: Context,
  [name, whole]: readonly [name: string, whole: object],
  list: string,
  { rows, hasMore }: BoundedRows,
  offset: number,
): Response {
  const parts = rows.map(({ json }) => json).join(",");
  const next = JSON.stringify(hasMore ? offset + rows.length : null);
  const json = `{"${name}":${JSON.stringify(whole)},"${list}":[${parts}],"next":${next}}`;
  return toJsonResponse(context, json);
}

const EVENTS_QUERY = {
  limit: LIST_LIMIT,
  before: BEFORE,
  organization: textMember,
  environment: choiceMember(environmentSchema.options),
  version: textMember,
  type: choiceMember(eventTypeSchema.options),
};

const CONVERSATION_QUERY = { ...PAGE, ...UNMASKED_QUERY };
const ARRIVAL_QUERY = { limit: LIST_LIMIT, before: BEFORE };
const ORGANIZATION_QUERY = { organization: textMember };

const LINE_BREAK = "\n";

function toLine(json: Buffer): Buffer {
  if (!json.includes(LINE_BREAK)) return Buffer.concat([json, Buffer.from(LINE_BREAK)]);
  const wrapped: WrappedBatch = { base64: json.toString("base64") };
  return Buffer.from(JSON.stringify(wrapped) + LINE_BREAK);
}

/** Yields every batch as received, in the order of arrival, a line each: the whole would not fit into memory. */
function* toBatchLines(database: SqlDatabase, organization: string | undefined) {
  let after = 0;
  for (;;) {
    const next = findNextBody(database, after, organization ?? null);
    if (!next) return;
    after = next.seq;
    yield toLine(next.json);
  }
}

/** Routes that return data, with the permission to read; every list has the newest first. */
export const READ_ROUTES: readonly Route[] = [
  get("/metrics", {}, answerMetrics),
  get("/api/stats", {}, ({ store }, context) => context.json(store.stats())),
  get("/api/conversations", CONVERSATIONS_QUERY, answerConversations),
  get("/api/conversations/counts", CONVERSATION_FILTER, answerCounts),
  get("/api/conversations/:key", CONVERSATION_QUERY, (platform, context, query) => {
    const { database } = platform.store;
    const { unmasked, ...page } = query;
    const key = context.req.param("key") ?? "";
    const conversation = findConversation(database, key);
    if (!conversation) throw noSuch("conversation");
    const rows = listEventsOf(database, key, page);
    const whole = { ...conversation, traces: listTracesOf(database, key) };
    const response = toPartsResponse(context, ["conversation", whole], "events", rows, page.offset);
    return showConversation(platform, context, { key, unmasked }, response);
  }),
  get("/api/batches", ARRIVAL_QUERY, ({ store }, context, { limit, before }) => {
    const batches = listBatches(store.database, limit, before);
    return context.json({ batches, next: findNext(batches, batches.length === limit) });
  }),
  get(BATCH_EXPORT_PATH, ORGANIZATION_QUERY, async (platform, context, { organization }) => {
    await requireRole(platform, context, "supervisor", { action: "batches.export" });
    const lines = ReadableStream.from(toBatchLines(platform.store.database, organization));
    return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
  }),
  get("/api/agents", { limit: LIST_LIMIT }, ({ store }, context, { limit }) =>
    context.json({ agents: listAgents(store.database, limit) }),
  ),
  get("/api/agents/:id", {}, ({ store }, context) => {
    const versions = listAgentVersions(store.database, context.req.param("id") ?? "");
    if (versions.length === 0) throw noSuch("agent");
    return context.json({ versions });
  }),
  get("/api/events", EVENTS_QUERY, ({ store }, context, { organization, ...filter }) => {
    const rows = listEvents(store.database, { ...filter, organizationId: organization });
    return toRowsResponse(context, "events", "event", rows);
  }),
  get("/api/events/:eventId", ORGANIZATION_QUERY, ({ store }, context, { organization }) => {
    const row = findEvents(store.database, context.req.param("eventId") ?? "").find(
      ({ organizationId }) => organization === undefined || organizationId === organization,
    );
    if (!row) throw noSuch("event");
    const { json, ...rest } = row;
    return toJsonResponse(context, addMembers("event", json, rest));
  }),
  get("/api/traces", ARRIVAL_QUERY, ({ store }, context, { limit, before }) => {
    const traces = listTraces(store.database, limit, before);
    return context.json({ traces, next: findNext(traces, traces.length === limit) });
  }),
  get(
    "/api/traces/:traceId",
    { ...PAGE, ...ORGANIZATION_QUERY },
    ({ store: { database } }, context, { organization, ...page }) => {
      const traceId = (context.req.param("traceId") ?? "").toLowerCase();
      const trace = findTrace(database, traceId, organization ?? null);
      if (!trace) throw noSuch("trace");
      const rows = listSpans(database, trace, page);
      const whole = { ...trace, conversations: listConversationsOf(database, trace) };
      return toPartsResponse(context, ["trace", whole], "spans", rows, page.offset);
    },
  ),
  get("/api/logs", { ...ARRIVAL_QUERY, trace: textMember }, ({ store }, context, query) => {
    const traceId = query.trace?.toLowerCase();
    const rows = listLogRecords(store.database, { ...query, traceId });
    return toRowsResponse(context, "logs", "record", rows);
  }),
];
