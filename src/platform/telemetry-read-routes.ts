import type { Context } from "hono";
import type { Room } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import { readInteger, readLimit, readPage, toJsonResponse } from "./read-query.ts";

const FROM_THE_END = Number.MAX_SAFE_INTEGER;

function readBefore(context: Context): number {
  return readInteger(context.req.query("before"), FROM_THE_END, FROM_THE_END);
}

/** Lists traces, the one with the newest span first: `GET /api/traces?limit&before`. */
export function listTraces({ store }: Room, context: Context): Response {
  const limit = readLimit(context);
  const traces = store.spans.listTraces(limit, readBefore(context));
  const next = traces.length === limit ? (traces.at(-1)?.seq ?? null) : null;
  return context.json({ traces, next });
}

/** Gives a trace and its spans in order of their start: `GET /api/traces/{traceId}?limit&offset&organization`. */
export function readTrace({ store }: Room, context: Context): Response {
  const traceId = (context.req.param("traceId") ?? "").toLowerCase();
  const trace = store.spans.findTrace(traceId, context.req.query("organization"));
  if (!trace) throw new ProblemError(404, "not_found", "there is no such trace");
  const { limit, offset } = readPage(context);
  // One more tells whether there is a next page: how many came is no measure, the oldest may be gone.
  const spans = store.spans.listSpans(trace, limit + 1, offset);
  const next = spans.length > limit ? offset + limit : null;
  const shown = spans.slice(0, limit).join(",");
  return toJsonResponse(
    context,
    `{"trace":${JSON.stringify(trace)},"spans":[${shown}],"next":${JSON.stringify(next)}}`,
  );
}

/** Lists log records, the newest first: `GET /api/logs?limit&before&trace`. */
export function listLogs({ store }: Room, context: Context): Response {
  const limit = readLimit(context);
  const traceId = context.req.query("trace")?.toLowerCase();
  const rows = store.logs.list({ limit, before: readBefore(context), traceId });
  const next = rows.length === limit ? (rows.at(-1)?.seq ?? null) : null;
  const logs = rows.map(
    ({ json, ...rest }) => `{"record":${json},${JSON.stringify(rest).slice(1)}`,
  );
  return toJsonResponse(context, `{"logs":[${logs.join(",")}],"next":${JSON.stringify(next)}}`);
}
