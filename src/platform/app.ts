import { Hono, type Context, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { BATCH_EXPORT_PATH } from "../events/batch-export.ts";
import { AGENTS_PATH, BATCHES_PATH } from "../events/wire.ts";
import { createBrowserGuard, secureAnswer } from "./browser-guard.ts";
import { receiveAgent, receiveBatch, type Room } from "./delivery-routes.ts";
import { exportBatches } from "./export-route.ts";
import { toStatusResponse } from "./otlp/answer.ts";
import {
  isOtlpPath,
  LOGS_PATH,
  receiveLogs,
  receiveTraces,
  TRACES_PATH,
} from "./otlp/otlp-routes.ts";
import { ProblemError, toProblemResponse } from "./problem.ts";
import { readMediaType } from "./read-body.ts";
import {
  listAgents,
  listBatches,
  listConversations,
  readAgent,
  readConversation,
  readEvent,
} from "./read-routes.ts";
import { listLogs, listTraces, readTrace } from "./telemetry-read-routes.ts";
import type { UiAssets } from "./ui-assets.ts";

type Handler = (context: Context) => Response | Promise<Response>;

/** Answers one method and refuses the others; HEAD is GET without the body. */
function route(app: Hono, method: "GET" | "POST" | "PUT", path: string, handler: Handler): void {
  app.on(method, path, handler);
  const allow = method === "GET" ? "GET, HEAD" : method;
  app.all(path, () => {
    throw new ProblemError(405, "method_not_allowed", `expected ${allow}`, { headers: { allow } });
  });
}

function serveText(mediaType: string, text: string): Handler {
  return (context) => context.body(text, 200, { "content-type": `${mediaType}; charset=utf-8` });
}

function addReadRoutes(app: Hono, room: Room): void {
  const requireReader: MiddlewareHandler = async (context, next) => {
    room.authenticator.authenticateReading(context.req.raw);
    await next();
  };
  app.use("/api/*", requireReader);
  route(app, "GET", "/api/stats", (context) => context.json(room.store.stats()));
  route(app, "GET", "/api/conversations", (context) => listConversations(room, context));
  route(app, "GET", "/api/conversations/:key", (context) => readConversation(room, context));
  route(app, "GET", "/api/batches", (context) => listBatches(room, context));
  route(app, "GET", BATCH_EXPORT_PATH, (context) => exportBatches(room, context));
  route(app, "GET", "/api/agents", (context) => listAgents(room, context));
  route(app, "GET", "/api/agents/:id", (context) => readAgent(room, context));
  route(app, "GET", "/api/events/:eventId", (context) => readEvent(room, context));
  route(app, "GET", "/api/traces", (context) => listTraces(room, context));
  route(app, "GET", "/api/traces/:traceId", (context) => readTrace(room, context));
  route(app, "GET", "/api/logs", (context) => listLogs(room, context));
}

function answerProblem(context: Context, problem: ProblemError): Response {
  return isOtlpPath(context.req.path)
    ? toStatusResponse(problem, readMediaType(context.req.raw))
    : toProblemResponse(problem);
}

function addErrorAnswers(app: Hono, { options }: Room): void {
  app.notFound((context) =>
    answerProblem(context, new ProblemError(404, "not_found", "no such path")),
  );
  app.onError((error, context) => {
    const isExpected = error instanceof ProblemError;
    const problem = isExpected
      ? error
      : new ProblemError(500, "internal_error", "see the platform's log");
    const line = `${context.req.method} ${routePath(context)}: ${problem.status} ${problem.code}`;
    if (isExpected) options.logger.warn(`${line}: ${problem.message}`);
    else options.logger.error(`${line}: ${error.name}`, { stack: error.stack });
    return answerProblem(context, problem);
  });
}

/** Creates the platform's HTTP interface: delivery, OTLP, reading, and the viewer's page. */
export function createApp(room: Room, ui: UiAssets): Hono {
  const app = new Hono();
  app.use("*", secureAnswer);
  app.use("*", createBrowserGuard(room.options.host));
  route(app, "POST", BATCHES_PATH, (context) => receiveBatch(room, context));
  route(app, "PUT", `${AGENTS_PATH}/:id`, (context) => receiveAgent(room, context));
  route(app, "POST", TRACES_PATH, (context) => receiveTraces(room, context));
  route(app, "POST", LOGS_PATH, (context) => receiveLogs(room, context));
  addReadRoutes(app, room);
  route(app, "GET", "/", serveText("text/html", ui.html));
  route(app, "GET", "/ui/app.js", serveText("text/javascript", ui.script));
  route(app, "GET", "/ui/app.css", serveText("text/css", ui.style));
  addErrorAnswers(app, room);
  return app;
}
