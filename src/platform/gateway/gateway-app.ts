import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { AGENTS_PATH, BATCHES_PATH } from "../../events/wire.ts";
import { VERSION } from "../../version.ts";
import { createBrowserGuard, secureAnswer } from "../browser-guard.ts";
import { countRequest } from "../platform-context.ts";
import { addErrorAnswers } from "../error-answers.ts";
import { answerMetricsAs, type Metric } from "../metrics-response.ts";
import { LOGS_PATH, TRACES_PATH } from "../otlp/otlp-paths.ts";
import { ProblemError } from "../problem.ts";
import type { BodyLease } from "../read-body.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { passAgent, passBatch } from "./pass-delivery.ts";
import { passLogs, passTraces } from "./pass-telemetry.ts";

type Answer = (room: GatewayContext, context: Context) => Response | Promise<Response>;

interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly answer: Answer;
}

/** Creates a route that reads a body: its share of the common memory is released at the end. */
const pass =
  (take: (room: GatewayContext, context: Context, lease: BodyLease) => Promise<Response>): Answer =>
  (room, context) =>
    room.bodies.lend((lease) => take(room, context, lease));

async function answerReady({ destination }: GatewayContext, context: Context): Promise<Response> {
  if (await destination.probe()) return context.json({ status: "ready" });
  throw new ProblemError("unavailable", "the other side takes nothing", {
    headers: { "retry-after": "10" },
  });
}

/** Measures the gateway: numbers only, and no name of an organization. */
function measure(
  { bodies, passed, requests, startedAt }: GatewayContext,
  isReady: boolean,
): readonly Metric[] {
  const responses = [...requests.values()].map(({ route, status, count }) => ({
    labels: { route, status: String(status) },
    value: count,
  }));
  const { used, limit, refused } = bodies;
  return [
    ["gauge", "build_info", "1, with the version.", [{ labels: { version: VERSION }, value: 1 }]],
    ["counter", "batches", "Batches that the other side has taken.", passed.batches],
    ["counter", "events", "Valid events in them.", passed.events],
    ["counter", "rejected_events", "Invalid events in them.", passed.rejectedEvents],
    ["counter", "agents", "Profiles that the other side has taken.", passed.agents],
    ["counter", "spans", "Spans that the other side has taken.", passed.spans],
    ["counter", "log_records", "Log records that the other side has taken.", passed.logRecords],
    ["gauge", "body_bytes", "Bytes of the request bodies under way.", used],
    ["gauge", "body_limit_bytes", "Bytes that they may have together.", limit],
    ["counter", "refused_bodies", "Requests refused since there was no room for them.", refused],
    ["gauge", "ready", "1 if the other side takes something, else 0.", isReady ? 1 : 0],
    [
      "gauge",
      "start_time_seconds",
      "When the gateway started, in seconds since the Unix epoch.",
      startedAt / 1000,
    ],
    ["counter", "http_requests", "Requests answered since then.", responses],
  ];
}

const ROUTES: readonly Route[] = [
  { method: "POST", path: BATCHES_PATH, answer: pass(passBatch) },
  { method: "PUT", path: `${AGENTS_PATH}/:id`, answer: pass(passAgent) },
  { method: "POST", path: TRACES_PATH, answer: pass(passTraces) },
  { method: "POST", path: LOGS_PATH, answer: pass(passLogs) },
  { method: "GET", path: "/healthz", answer: (_, context) => context.json({ status: "ok" }) },
  { method: "GET", path: "/readyz", answer: answerReady },
  {
    method: "GET",
    path: "/metrics",
    answer: async (room, context) => {
      const metrics = measure(room, await room.destination.probe());
      return answerMetricsAs("agent_monitor_gateway", metrics, context);
    },
  },
];

/** Creates the gateway's HTTP interface. */
export function createGatewayApp(room: GatewayContext): Hono {
  const app = new Hono();
  const { host, logger } = room.options;
  app.use("*", secureAnswer);
  app.use("*", createBrowserGuard({ host }));
  app.use("*", async (context, next) => {
    await next();
    countRequest(room.requests, routePath(context, -1), context.res.status);
  });
  for (const { method, path, answer } of ROUTES) {
    app.on(method, path, (context) => answer(room, context));
    const allow = method === "GET" ? "GET, HEAD" : method;
    app.all(path, () => {
      throw new ProblemError("method_not_allowed", `expected ${allow}`, { headers: { allow } });
    });
  }
  addErrorAnswers(app, logger);
  return app;
}
