import type { Context } from "hono";
import type { PlatformContext } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import {
  BEFORE,
  LIST_LIMIT,
  PAGE,
  textMember,
  toJsonResponse,
  toRowsResponse,
  type Query,
} from "./read-query.ts";
import type { ARRIVAL_QUERY } from "./read-routes.ts";

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

/** Gives a trace and its spans in order of their start: `GET /api/traces/{traceId}`. */
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
