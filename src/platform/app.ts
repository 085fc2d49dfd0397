import { Hono, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { createBrowserGuard, secureAnswer } from "./browser-guard.ts";
import { addErrorAnswers } from "./error-answers.ts";
import { createFaultGuard } from "./faults/fault-guard.ts";
import { FAULT_ROUTES } from "./faults/fault-routes.ts";
import { OPERATION_ROUTES } from "./operations/operation-routes.ts";
import { POLICY_ROUTES } from "./policies/policy-routes.ts";
import { countRequest, type PlatformContext } from "./platform-context.ts";
import { INSIGHT_ROUTES } from "./insight/insight-routes.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { isForReaders } from "./openapi/paths.ts";
import { textOf } from "./openapi/route-doc.ts";
import { maskAnswer } from "./masked-answer.ts";
import { ProblemError } from "./problem.ts";
import { QUALITY_ROUTES } from "./quality/quality-routes.ts";
import { type Query, type QueryMembers, readQuery } from "./read-query.ts";
import { READ_ROUTES } from "./read-routes.ts";
import { get, type Route } from "./route.ts";
import { EXPORT_ROUTES } from "./records/export-routes.ts";
import { RECORD_ROUTES } from "./records/record-routes.ts";
import { DELIVERY_ROUTES, HEALTH_ROUTES, SIGN_IN_ROUTES, UNMASK_ROUTES } from "./routes.ts";
import { REVIEW_ROUTES } from "./review-routes.ts";
import { VIEW_ROUTES } from "./views/view-routes.ts";
import { followSteps, type Steps } from "./turns.ts";
import type { UiAssets } from "./ui-assets.ts";

/** Reads what a query asks for under a pseudonym as what is stored. */
function* toAsked(
  { customers }: PlatformContext,
  query: Query<QueryMembers>,
): Steps<Query<QueryMembers>> {
  const { customer } = query;
  if (!customers || typeof customer !== "string") return query;
  return { ...query, customer: yield* customers.toAsked(customer) };
}

/** Handles the methods that a path has, and rejects the others; HEAD is GET without the body. */
function addRoutes(app: Hono, room: PlatformContext, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const { method, path, query, answer } of routes) {
    app.on(method, path, async (context) => {
      const asked = query ? readQuery(context, query) : {};
      const given = answer(room, context, await followSteps(toAsked(room, asked)));
      const response = await ("next" in given ? followSteps(given) : given);
      // Whatever is below it: no route can forget to.
      return path.startsWith("/api/") ? maskAnswer(room, response) : response;
    });
    const taken = method === "GET" ? ["GET", "HEAD"] : [method];
    methods.set(path, [...(methods.get(path) ?? []), ...taken]);
  }
  for (const [path, taken] of methods) {
    const allow = taken.join(", ");
    app.all(path, () => {
      throw new ProblemError("method_not_allowed", `expected ${allow}`, { headers: { allow } });
    });
  }
}

function textRoute(path: string, mediaType: string, content: string): Route {
  const headers = { "content-type": `${mediaType}; charset=utf-8` };
  const doc = { summary: "Part of the viewer.", answers: { 200: textOf(mediaType) } };
  return get(path, {}, doc, (_, context) => context.body(content, 200, headers));
}

/** Lists all that the platform serves. */
function listRoutes(ui: UiAssets): readonly Route[] {
  const routes = [
    ...HEALTH_ROUTES,
    ...DELIVERY_ROUTES,
    ...READ_ROUTES,
    ...REVIEW_ROUTES,
    ...SIGN_IN_ROUTES,
    ...UNMASK_ROUTES,
    ...QUALITY_ROUTES,
    ...RECORD_ROUTES,
    ...EXPORT_ROUTES,
    ...INSIGHT_ROUTES,
    ...OPERATION_ROUTES,
    ...FAULT_ROUTES,
    ...POLICY_ROUTES,
    ...VIEW_ROUTES,
    textRoute("/", "text/html", ui.html),
    textRoute("/ui/app.js", "text/javascript", ui.script),
    textRoute("/ui/app.css", "text/css", ui.style),
  ];
  return [...routes, openApiRoute(routes)];
}

/** Creates the platform's HTTP interface: delivery, OTLP, reading, and the viewer's page. */
export function createApp(room: PlatformContext, ui: UiAssets): Hono {
  const app = new Hono();
  app.use("*", secureAnswer);
  app.use("*", createBrowserGuard(room.options));
  app.use("*", async (context, next) => {
    await next();
    countRequest(room.requests, routePath(context, -1), context.res.status);
  });
  const requireReader: MiddlewareHandler = async (context, next) => {
    if (isForReaders(context.req.path))
      await room.authenticator.authenticateReading(context.req.raw);
    await next();
  };
  app.use("*", requireReader);
  if (room.faults) app.use("/v1/*", createFaultGuard(room.faults, room.options.clock));
  addRoutes(app, room, listRoutes(ui));
  addErrorAnswers(app, room.options.logger);
  return app;
}
