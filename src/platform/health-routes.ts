import type { Context } from "hono";
import type { PlatformContext } from "./delivery-routes.ts";
import { measure } from "./metrics.ts";
import { OPEN_METRICS_MEDIA_TYPE, writeMetrics } from "./metrics-text.ts";
import { ProblemError } from "./problem.ts";

/** Tells that the process lives: `GET /healthz`. */
export function answerHealth(_: PlatformContext, context: Context): Response {
  return context.json({ status: "ok" });
}

/** Tells whether a batch would be stored now: `GET /readyz`. */
export async function answerReadiness(
  { store }: PlatformContext,
  context: Context,
): Promise<Response> {
  if (await store.probe()) return context.json({ status: "ready" });
  throw storeUnavailable();
}

/** Says that the store can't be read or written; the log says why. */
export function storeUnavailable(): ProblemError {
  return new ProblemError(503, "unavailable", "the store can't be read or written", {
    headers: { "retry-after": "10" },
  });
}

/** Gives the platform's metrics: `GET /metrics`. */
export async function answerMetrics(room: PlatformContext, context: Context): Promise<Response> {
  const isWritable = await room.store.probe();
  const isOpenMetrics = (context.req.header("accept") ?? "").includes(OPEN_METRICS_MEDIA_TYPE);
  const text = writeMetrics(measure(room, isWritable), isOpenMetrics);
  const contentType = isOpenMetrics
    ? `${OPEN_METRICS_MEDIA_TYPE}; version=1.0.0; charset=utf-8`
    : "text/plain; version=0.0.4; charset=utf-8";
  return context.body(text, 200, { "content-type": contentType });
}
