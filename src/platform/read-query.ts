import type { Context } from "hono";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const DEFAULT_PAGE_LIMIT = 500;
const MAX_PAGE_LIMIT = 1000;

/** Reads an integer of a query, at most `max`; gives `fallback` for anything else. */
export function readInteger(text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return fallback;
  return Math.min(Number(text), max);
}

/** Reads how many rows of a list are asked for: 1 to 200, 50 by default. */
export function readLimit(context: Context): number {
  return Math.max(1, readInteger(context.req.query("limit"), DEFAULT_LIMIT, MAX_LIMIT));
}

/** Reads which part of a whole is asked for: 1 to 1000 members, 500 by default. */
export function readPage(context: Context): { readonly limit: number; readonly offset: number } {
  const limit = readInteger(context.req.query("limit"), DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT);
  const offset = readInteger(context.req.query("offset"), 0, Number.MAX_SAFE_INTEGER);
  return { limit: Math.max(1, limit), offset };
}

/** Answers with JSON that is written already. */
export function toJsonResponse(context: Context, json: string): Response {
  return context.body(json, 200, { "content-type": "application/json" });
}
