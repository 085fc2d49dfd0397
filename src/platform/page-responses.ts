import type { Context } from "hono";
import { COUNT, type JsonSchema, listOf, nullable, OBJECT } from "./openapi/json-schema.ts";
import type { BoundedRows } from "./store/bounded-rows.ts";

/** Responds with JSON text: what is JSON in the database is sent byte for byte as it is stored. */
export function toJsonResponse(context: Context, json: string): Response {
  return context.body(json, 200, { "content-type": "application/json" });
}

/** Writes an object whose first member is JSON already. */
export function addMembers(name: string, json: string, others: object): string {
  return `{"${name}":${json},${JSON.stringify(others).slice(1)}`;
}

/** Returns the position of the next page of a list, `null` when this one is the last. */
export function findNext(
  rows: readonly { readonly seq: number }[],
  hasMore: boolean,
): number | null {
  return hasMore ? (rows.at(-1)?.seq ?? null) : null;
}

/** Responds with a page of rows and the position of the next page. */
export function toRowsResponse(
  context: Context,
  list: string,
  member: string,
  { rows, hasMore }: BoundedRows<{ readonly seq: number; readonly json: string }>,
): Response {
  const parts = rows.map(({ json, ...rest }) => addMembers(member, json, rest));
  const next = findNext(rows, hasMore);
  return toJsonResponse(context, addMembers(list, `[${parts.join(",")}]`, { next }));
}

/** Responds with an object, a page of what belongs to it, and the offset of the next page. */
export function toPartsResponse(
  context: Context,
  [name, whole]: readonly [name: string, whole: object],
  list: string,
  { rows, hasMore }: BoundedRows,
  offset: number,
): Response {
  const parts = rows.map(({ json }) => json).join(",");
  const next = JSON.stringify(hasMore ? offset + rows.length : null);
  const json = `{"${name}":${JSON.stringify(whole)},"${list}":[${parts}],"next":${next}}`;
  return toJsonResponse(context, json);
}

/** Describes an object with a page of what belongs to it. */
export function toPartsSchema(name: string, whole: JsonSchema, list: string): JsonSchema {
  return {
    type: "object",
    required: [name, list, "next"],
    properties: { [name]: whole, [list]: listOf(OBJECT), next: nullable(COUNT) },
  };
}
