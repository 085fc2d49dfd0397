import type { Context } from "hono";
import type { PlatformContext } from "./platform-context.ts";
import type { RouteDoc } from "./openapi/route-doc.ts";
import type { BodyLease } from "./read-body.ts";
import type { Query, QueryMembers } from "./read-query.ts";
import type { Steps } from "./turns.ts";

type Answer<Members extends QueryMembers> = (
  platform: PlatformContext,
  context: Context,
  query: Query<Members>,
) => Response | Promise<Response> | Steps<Response>;

/** One path of the HTTP interface. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The members that its query may have; `undefined` where somebody else decides that. */
  readonly query: QueryMembers | undefined;
  /** What `GET /openapi.json` says of it. */
  readonly doc: RouteDoc;
  readonly answer: Answer<QueryMembers>;
}

/** Creates a route that returns data. */
export function get<Members extends QueryMembers>(
  path: string,
  query: Members,
  doc: RouteDoc,
  answer: Answer<Members>,
): Route {
  // A route's handler has the types of its own query members.
  return { method: "GET", path, query, doc, answer: answer as Answer<QueryMembers> };
}

/** Creates a route that takes something away. */
export function remove(path: string, doc: RouteDoc, answer: Answer<QueryMembers>): Route {
  return { method: "DELETE", path, query: {}, doc, answer };
}

/** Creates a route that reads a body: its share of the common memory is released at the end. */
export function receive(
  method: "POST" | "PUT",
  path: string,
  doc: RouteDoc,
  take: (platform: PlatformContext, context: Context, lease: BodyLease) => Promise<Response>,
): Route {
  const answer: Route["answer"] = (platform, context) =>
    platform.bodies.lend((lease) => take(platform, context, lease));
  return { method, path, query: {}, doc, answer };
}
