import {
  answerConversations,
  answerCounts,
  CONVERSATION_FILTER,
  CONVERSATIONS_QUERY,
} from "./conversation-routes.ts";
import { environmentSchema, eventTypeSchema } from "../events/base-event.ts";
import { BATCH_EXPORT_PATH, BATCH_LINES_MEDIA_TYPE } from "../events/wire.ts";
import { toBatchLines } from "./batch-lines.ts";
import { answerMetrics } from "./health-routes.ts";
import {
  CONVERSATION,
  COUNTS,
  EVENT_ROW,
  STATS,
  STORED_AGENT,
  STORED_BATCH,
  TRACE,
  WHOLE_CONVERSATION,
  WHOLE_TRACE,
} from "./conversation-answers.ts";
import { COUNT, listOf, OBJECT, objectOf, pageOf } from "./openapi/json-schema.ts";
import { jsonOf, textOf } from "./openapi/route-doc.ts";
import {
  addMembers,
  findNext,
  toJsonResponse,
  toPartsResponse,
  toPartsSchema,
  toRowsResponse,
} from "./page-responses.ts";
import { ProblemError } from "./problem.ts";
import { requireRole } from "./require-role.ts";
import { showConversation, UNMASKED_QUERY } from "./unmask-routes.ts";
import { BEFORE, choiceMember, LIST_LIMIT, PAGE, textMember } from "./read-query.ts";
import { listAgents, listAgentVersions } from "./store/agent-store.ts";
import { listBatches } from "./store/batch-store.ts";
import { findConversation } from "./store/conversation-store.ts";
import { findEvents, listEvents, listEventsOf } from "./store/event-store.ts";
import { listLogRecords } from "./store/log-store.ts";
import { findTrace, listSpans, listTraces } from "./store/span-store.ts";
import { listConversationsOf, listTracesOf } from "./store/trace-links.ts";
import { get, type Route } from "./route.ts";

function noSuch(noun: string): ProblemError {
  return new ProblemError("not_found", `there is no such ${noun}`);
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

/** Routes that return data, with the permission to read; every list has the newest first. */
export const READ_ROUTES: readonly Route[] = [
  get(
    "/metrics",
    {},
    {
      summary: "Returns metrics, as Prometheus or OpenMetrics have them.",
      answers: { 200: textOf("text/plain", "application/openmetrics-text") },
    },
    answerMetrics,
  ),
  get(
    "/api/stats",
    {},
    { summary: "Returns counts.", answers: { 200: jsonOf(STATS) } },
    function* ({ store }, context) {
      return context.json(yield* store.stats());
    },
  ),
  get(
    "/api/conversations",
    CONVERSATIONS_QUERY,
    {
      summary: "Lists conversations.",
      answers: { 200: jsonOf(pageOf("conversations", CONVERSATION)) },
    },
    answerConversations,
  ),
  get(
    "/api/conversations/counts",
    CONVERSATION_FILTER,
    { summary: "Counts the conversations that a filter leaves.", answers: { 200: jsonOf(COUNTS) } },
    answerCounts,
  ),
  get(
    "/api/conversations/:key",
    CONVERSATION_QUERY,
    {
      summary: "Returns a conversation with a page of its events.",
      answers: { 200: jsonOf(toPartsSchema("conversation", WHOLE_CONVERSATION, "events")) },
      problems: ["forbidden", "not_found"],
    },
    function* (platform, context, query) {
      const { database } = platform.store;
      const { unmasked, ...page } = query;
      const key = context.req.param("key") ?? "";
      const conversation = yield* findConversation(database, key);
      if (!conversation) throw noSuch("conversation");
      const rows = yield* listEventsOf(database, key, page);
      const whole = { ...conversation, traces: yield* listTracesOf(database, key) };
      const response = toPartsResponse(
        context,
        ["conversation", whole],
        "events",
        rows,
        page.offset,
      );
      return yield* showConversation(platform, context, { key, unmasked }, response);
    },
  ),
  get(
    "/api/batches",
    ARRIVAL_QUERY,
    {
      summary: "Lists batches, the newest first.",
      answers: { 200: jsonOf(pageOf("batches", STORED_BATCH, COUNT)) },
    },
    function* ({ store }, context, { limit, before }) {
      const batches = yield* listBatches(store.database, limit, before);
      return context.json({ batches, next: findNext(batches, batches.length === limit) });
    },
  ),
  get(
    BATCH_EXPORT_PATH,
    ORGANIZATION_QUERY,
    {
      summary: "Returns every batch as received, one a line.",
      answers: { 200: textOf(BATCH_LINES_MEDIA_TYPE) },
      role: "supervisor",
    },
    async (platform, context, { organization }) => {
      await requireRole(platform, context, "supervisor", { action: "batches.export" });
      const lines = ReadableStream.from(toBatchLines(platform.store.database, organization));
      return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
    },
  ),
  get(
    "/api/agents",
    ARRIVAL_QUERY,
    {
      summary: "Lists agents in their latest version, the one that was registered last first.",
      answers: { 200: jsonOf(pageOf("agents", STORED_AGENT, COUNT)) },
    },
    function* ({ store }, context, { limit, before }) {
      return context.json(yield* listAgents(store.database, limit, before));
    },
  ),
  get(
    "/api/agents/:id",
    {},
    {
      summary: "Lists the versions of an agent, the latest first.",
      answers: {
        200: jsonOf(objectOf<{ readonly versions: unknown }>({ versions: listOf(STORED_AGENT) })),
      },
      problems: ["not_found"],
    },
    function* ({ store }, context) {
      const versions = yield* listAgentVersions(store.database, context.req.param("id") ?? "");
      if (versions.length === 0) throw noSuch("agent");
      return context.json({ versions });
    },
  ),
  get(
    "/api/events",
    EVENTS_QUERY,
    {
      summary: "Lists events, the newest first.",
      answers: { 200: jsonOf(pageOf("events", EVENT_ROW, COUNT)) },
    },
    function* ({ store }, context, { organization, ...filter }) {
      const rows = yield* listEvents(store.database, { ...filter, organizationId: organization });
      return toRowsResponse(context, "events", "event", rows);
    },
  ),
  get(
    "/api/events/:eventId",
    ORGANIZATION_QUERY,
    {
      summary: "Returns an event with its batch and conversation.",
      answers: { 200: jsonOf(EVENT_ROW) },
      problems: ["not_found"],
    },
    function* ({ store }, context, { organization }) {
      const rows = yield* findEvents(store.database, context.req.param("eventId") ?? "");
      const row = rows.find(
        ({ organizationId }) => organization === undefined || organizationId === organization,
      );
      if (!row) throw noSuch("event");
      const { json, ...rest } = row;
      return toJsonResponse(context, addMembers("event", json, rest));
    },
  ),
  get(
    "/api/traces",
    ARRIVAL_QUERY,
    {
      summary: "Lists traces, the one with the newest span first.",
      answers: { 200: jsonOf(pageOf("traces", TRACE, COUNT)) },
    },
    function* ({ store }, context, { limit, before }) {
      const traces = yield* listTraces(store.database, limit, before);
      return context.json({ traces, next: findNext(traces, traces.length === limit) });
    },
  ),
  get(
    "/api/traces/:traceId",
    { ...PAGE, ...ORGANIZATION_QUERY },
    {
      summary: "Returns a trace with a page of its spans.",
      answers: { 200: jsonOf(toPartsSchema("trace", WHOLE_TRACE, "spans")) },
      problems: ["not_found"],
    },
    function* ({ store: { database } }, context, { organization, ...page }) {
      const traceId = (context.req.param("traceId") ?? "").toLowerCase();
      const trace = yield* findTrace(database, traceId, organization ?? null);
      if (!trace) throw noSuch("trace");
      const rows = yield* listSpans(database, trace, page);
      const whole = { ...trace, conversations: yield* listConversationsOf(database, trace) };
      return toPartsResponse(context, ["trace", whole], "spans", rows, page.offset);
    },
  ),
  get(
    "/api/logs",
    { ...ARRIVAL_QUERY, trace: textMember },
    {
      summary: "Lists log records, the newest first.",
      answers: { 200: jsonOf(pageOf("logs", OBJECT, COUNT)) },
    },
    function* ({ store }, context, query) {
      const traceId = query.trace?.toLowerCase();
      const rows = yield* listLogRecords(store.database, { ...query, traceId });
      return toRowsResponse(context, "logs", "record", rows);
    },
  ),
];
