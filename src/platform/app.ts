import { type Context, Hono, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { BATCHES_PATH } from "../events/wire.ts";
import { createFaultGuard } from "./faults/fault-guard.ts";
import { FAULT_ROUTES } from "./faults/fault-routes.ts";
import { OPERATION_ROUTES } from "./operations/operation-routes.ts";
import { POLICY_ROUTES } from "./policies/policy-routes.ts";
import { toErrorName } from "../util/logger.ts";
import { countRequest, type PlatformContext } from "./delivery-routes.ts";
import { storeUnavailable } from "./health-routes.ts";
import { INSIGHT_ROUTES } from "./insight/insight-routes.ts";
import { isLoopback } from "./loopback.ts";
import type { ResolvedOptions } from "./options.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { isForReaders } from "./openapi/paths.ts";
import { textOf } from "./openapi/route-doc.ts";
import { isOtlpPath } from "./otlp/otlp-paths.ts";
import { toStatusResponse } from "./otlp/otlp-routes.ts";
import { maskAnswer } from "./masked-answer.ts";
import { ProblemError, UploadBrokenError, toProblemResponse } from "./problem.ts";
import { readMediaType } from "./read-body.ts";
import { QUALITY_ROUTES } from "./quality/quality-routes.ts";
import { type Query, type QueryMembers, readQuery } from "./read-query.ts";
import { READ_ROUTES } from "./read-routes.ts";
import { get, type Route } from "./route.ts";
import { EXPORT_ROUTES } from "./records/export-routes.ts";
import { RECORD_ROUTES } from "./records/record-routes.ts";
import { DELIVERY_ROUTES, HEALTH_ROUTES, SIGN_IN_ROUTES, UNMASK_ROUTES } from "./routes.ts";
import { REVIEW_ROUTES } from "./review-routes.ts";
import { StoreError, toStoreError } from "./store/sql-database.ts";
import { VIEW_ROUTES } from "./views/view-routes.ts";
import type { UiAssets } from "./ui-assets.ts";

/** Reads what a query asks for under a pseudonym as what is stored. */
function toAsked({ customers }: PlatformContext, query: Query<QueryMembers>) {
  const { customer } = query;
  if (!customers || typeof customer !== "string") return query;
  return { ...query, customer: customers.toAsked(customer) };
}

/** Handles the methods that a path has, and rejects the others; HEAD is GET without the body. */
function addRoutes(app: Hono, room: PlatformContext, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const { method, path, query, answer } of routes) {
    app.on(method, path, async (context) => {
      const asked = query ? readQuery(context, query) : {};
      const response = await answer(room, context, toAsked(room, asked));
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

function answerProblem(context: Context, problem: ProblemError): Response {
  return isOtlpPath(context.req.path)
    ? toStatusResponse(problem, readMediaType(context.req.raw))
    : toProblemResponse(problem);
}

/** Returns whether a request is the probe of `doctor`: it reads the batches path, and knows us by the refusal. */
function isInquiry({ req }: Context, { status }: ProblemError): boolean {
  return status === 405 && req.path === BATCHES_PATH && req.method === "GET";
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Reads the code of an error, if it looks like one of Node.js or of a driver. */
function readErrorCode(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && ERROR_CODE.test(code) ? code : undefined;
}

function toProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof UploadBrokenError) return new ProblemError("malformed_body", error.message);
  if (error instanceof StoreError) return storeUnavailable();
  return new ProblemError("internal_error", "see the platform's log");
}

function addErrorAnswers(app: Hono, { options: { logger } }: PlatformContext): void {
  app.notFound((context) => answerProblem(context, new ProblemError("not_found", "no such path")));
  app.onError((thrown, context) => {
    const error = toStoreError(thrown) as Error;
    const problem = toProblem(error);
    const place = `${context.req.method} ${routePath(context)}`;
    const line = `${place}: ${problem.status} ${problem.code}`;
    if (isInquiry(context, problem)) logger.debug(`${line}: ${problem.logged}`);
    else if (error instanceof ProblemError) logger.warn(`${line}: ${problem.logged}`);
    // Nothing failed on the server, and nothing can be done about it.
    else if (error instanceof UploadBrokenError) logger.debug(`${place}: ${error.message}`);
    else if (error instanceof StoreError) logger.error(`${line}: ${error.message}`);
    // Its message and its stack may hold content.
    else logger.error(`${line}: ${toErrorName(error)}`, { code: readErrorCode(error) });
    return answerProblem(context, problem);
  });
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
    if (isForReaders(context.req.path)) room.authenticator.authenticateReading(context.req.raw);
    await next();
  };
  app.use("*", requireReader);
  if (room.faults) app.use("/v1/*", createFaultGuard(room.faults, room.options.clock));
  addRoutes(app, room, listRoutes(ui));
  addErrorAnswers(app, room);
  return app;
}

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const WILDCARD_HOSTS = new Set(["0.0.0.0", "::", "[::]"]);

function toHostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, "").toLowerCase();
}

function refuse(detail: string): ProblemError {
  return new ProblemError("unauthorized", detail, { status: 403 });
}

/**
 * Creates the guard against pages of other sites in the developer's browser.
 *
 * A site that resolves its own name to 127.0.0.1 (DNS rebinding) is recognised by `Host`, a site that calls
 * us directly by `Origin`. On a wildcard address any name may be right; there the key, which is required
 * then, keeps strangers out.
 */
function createBrowserGuard({ host: boundHost, publicUrl }: ResolvedOptions): MiddlewareHandler {
  const publicName = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const boundName =
    boundHost.includes(":") && !boundHost.startsWith("[") ? `[${boundHost}]` : boundHost;
  const isAnyHost = WILDCARD_HOSTS.has(boundHost);

  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    const name = toHostName(host);
    const isOwn = isLoopback(name) || name === boundName.toLowerCase() || name === publicName;
    if (!isAnyHost && !isOwn) {
      throw refuse("the Host header names another machine");
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw refuse("pages of other origins are not accepted");
    }
    await next();
  };
}

/** Adds the headers that keep a browser from running, framing, sniffing or caching a response. */
const secureAnswer: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    // A document that brings its own style has a policy of its own.
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  context.res.headers.set("cache-control", "no-store");
};
