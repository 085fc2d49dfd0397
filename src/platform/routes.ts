import type { Context } from "hono";
import { AGENTS_PATH, BATCH_EXPORT_PATH, BATCHES_PATH } from "../events/wire.ts";
import { receiveAgent, receiveBatch, type PlatformContext } from "./delivery-routes.ts";
import { answerHealth, answerMetrics, answerReadiness } from "./health-routes.ts";
import { LOGS_PATH, TRACES_PATH, receiveLogs, receiveTraces } from "./otlp/otlp-routes.ts";
import { PAGE, type Query, type QueryMembers } from "./read-query.ts";
import {
  AGENTS_QUERY,
  ARRIVAL_QUERY,
  CONVERSATIONS_QUERY,
  EVENTS_QUERY,
  exportBatches,
  listAgents,
  listBatches,
  listConversations,
  listEvents,
  listLogs,
  listTraces,
  LOGS_QUERY,
  ORGANIZATION_QUERY,
  readAgent,
  readConversation,
  readEvent,
  readTrace,
  TRACE_QUERY,
} from "./read-routes.ts";

/** One path of the HTTP interface. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** The members that its query may have. */
  readonly query: QueryMembers;
  readonly answer: (
    room: PlatformContext,
    context: Context,
    query: Query<QueryMembers>,
  ) => Response | Promise<Response>;
}

function get<Members extends QueryMembers>(
  path: string,
  query: Members,
  answer: (
    room: PlatformContext,
    context: Context,
    query: Query<Members>,
  ) => Response | Promise<Response>,
): Route {
  // A route's handler has the types of its own query members.
  return { method: "GET", path, query, answer: answer as Route["answer"] };
}

/** Routes that receive data. */
export const DELIVERY_ROUTES: readonly Route[] = [
  { method: "POST", path: BATCHES_PATH, query: {}, answer: receiveBatch },
  { method: "PUT", path: `${AGENTS_PATH}/:id`, query: {}, answer: receiveAgent },
  { method: "POST", path: TRACES_PATH, query: {}, answer: receiveTraces },
  { method: "POST", path: LOGS_PATH, query: {}, answer: receiveLogs },
];

/** Routes without authentication. */
export const HEALTH_ROUTES: readonly Route[] = [
  get("/healthz", {}, answerHealth),
  get("/readyz", {}, answerReadiness),
];

/** Routes that return data, with the permission to read. */
export const READ_ROUTES: readonly Route[] = [
  get("/metrics", {}, answerMetrics),
  get("/api/stats", {}, ({ store }, context) => context.json(store.stats())),
  get("/api/conversations", CONVERSATIONS_QUERY, listConversations),
  get("/api/conversations/:key", PAGE, readConversation),
  get("/api/batches", ARRIVAL_QUERY, listBatches),
  get(BATCH_EXPORT_PATH, ORGANIZATION_QUERY, exportBatches),
  get("/api/agents", AGENTS_QUERY, listAgents),
  get("/api/agents/:id", {}, readAgent),
  get("/api/events", EVENTS_QUERY, listEvents),
  get("/api/events/:eventId", ORGANIZATION_QUERY, readEvent),
  get("/api/traces", ARRIVAL_QUERY, listTraces),
  get("/api/traces/:traceId", TRACE_QUERY, readTrace),
  get("/api/logs", LOGS_QUERY, listLogs),
];
