import type { Context } from "hono";
import { findNearestName } from "../util/nearest-name.ts";
import { type JsonSchema, TEXT, wordOf } from "./openapi/json-schema.ts";
import { ProblemError } from "./problem.ts";

/** A member of a query: its valid values and its default. */
export interface QueryMember<Value> {
  /** Text of the expectation, for error messages. */
  readonly expected: string;
  readonly absent: Value;
  /** What OpenAPI says of its text. */
  readonly schema: JsonSchema;
  /** Parses its text; `undefined` when it is invalid. */
  readonly parse: (text: string) => Value | undefined;
}

/** The members that a route takes, by name. */
export type QueryMembers = Readonly<Record<string, QueryMember<unknown>>>;

/** The parsed members of a query. */
export type Query<Members extends QueryMembers> = {
  readonly [Name in keyof Members]: Members[Name]["absent"];
};

const MAX_SHOWN_NAMES = 10;
const MAX_SHOWN_LENGTH = 64;

function show(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH));
}

function invalidQuery(detail: string, logged: string): ProblemError {
  return new ProblemError("invalid_query", detail, { logged });
}

function describeUnknown(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.slice(0, MAX_SHOWN_NAMES).map((name) => {
    const nearest = findNearestName(name, known);
    return nearest === undefined ? show(name) : `${show(name)} (did you mean ${nearest}?)`;
  });
  const expected = known.length === 0 ? "none" : known.join(", ");
  return `unknown in the query: ${names.join(", ")}; expected ${expected}`;
}

/**
 * Reads the query of a request.
 *
 * Unknown or invalid members are rejected: an ignored filter would show unwanted data.
 */
export function readQuery<Members extends QueryMembers>(
  context: Context,
  members: Members,
): Query<Members> {
  return readMembers(new URL(context.req.url).searchParams, members);
}

/** Reads the members of a query, as `readQuery` does. */
export function readMembers<Members extends QueryMembers>(
  searchParams: URLSearchParams,
  members: Members,
): Query<Members> {
  const known = Object.keys(members);
  const unknown = [...new Set(searchParams.keys())].filter((name) => !known.includes(name));
  // The log has other readers than the query's author, and unknown names may be content.
  if (unknown.length > 0)
    throw invalidQuery(describeUnknown(unknown, known), "unknown members in the query");
  const values = Object.entries(members).map(([name, { expected, absent, parse }]) => {
    const [text, ...others] = searchParams.getAll(name);
    if (text === undefined) return [name, absent];
    const value = others.length > 0 ? undefined : parse(text);
    const detail = `the query's ${name} must be ${expected}, and stand once`;
    if (value === undefined) throw invalidQuery(detail, detail);
    return [name, value];
  });
  return Object.fromEntries(values) as Query<Members>;
}

/** Creates a member for an integer within bounds; the lower bound is 0 or 1. */
function integerMember(min: 0 | 1, max: number, absent: number): QueryMember<number> {
  return {
    expected: max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `${min} to ${max}`,
    absent,
    schema: { type: "integer", minimum: min, maximum: max, default: absent },
    parse(text) {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** Creates a member for one of some words. */
export function choiceMember<const Word extends string>(
  words: readonly Word[],
): QueryMember<Word | undefined> {
  return {
    expected: words.join(" or "),
    absent: undefined,
    schema: wordOf(words),
    parse: (text) => words.find((word) => word === text),
  };
}

/** Any text that is not empty. */
export const textMember: QueryMember<string | undefined> = {
  expected: "a text that is not empty",
  absent: undefined,
  schema: { type: "string", minLength: 1 },
  parse: (text) => (text === "" ? undefined : text),
};

/** Position in an ordered list: the values by which its last row is ordered. */
export type ListCursor = readonly (string | number)[];

function parseCursor(text: string): ListCursor | undefined {
  if (!/^[\w-]{1,400}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    const isCursor =
      Array.isArray(value) &&
      value.length <= 8 &&
      value.every((part) => typeof part === "string" || typeof part === "number");
    return isCursor ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where a page of an ordered list begins: `next` of the page before. */
export const CURSOR: QueryMember<ListCursor | undefined> = {
  expected: "`next` of the page before",
  absent: undefined,
  schema: { type: "string", pattern: "^[\\w-]{1,400}$" },
  parse: parseCursor,
};

/** Writes the position of the next page, for `CURSOR`. */
export function formatCursor(cursor: readonly unknown[] | undefined): string | null {
  return cursor ? Buffer.from(JSON.stringify(cursor)).toString("base64url") : null;
}

/** Text of a search. */
export const searchMember: QueryMember<string | undefined> = {
  expected: "a text of 1 to 256 characters",
  absent: undefined,
  schema: { type: "string", minLength: 1, maxLength: 256 },
  parse: (text) => (text.length >= 1 && text.length <= 256 ? text : undefined),
};

/** Risk of a conversation, at least. */
export const RISK: QueryMember<number | undefined> = {
  expected: "0 to 100",
  absent: undefined,
  schema: { type: "integer", minimum: 0, maximum: 100 },
  parse(text) {
    const value = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    return value <= 100 ? value : undefined;
  },
};

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A moment: milliseconds since the Unix epoch, a date (its beginning in UTC), or a time with its zone. */
export const timeMember: QueryMember<number | undefined> = {
  expected: "milliseconds since 1970, a date (2026-11-20), or a time (2026-11-20T14:00:00Z)",
  absent: undefined,
  schema: TEXT,
  parse(text) {
    if (/^\d{1,16}$/.test(text) && text.length > 4) return Number(text);
    const millis = DATE.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isSafeInteger(millis) ? millis : undefined;
  },
};

/** Number of rows of a list. */
export const LIST_LIMIT = integerMember(1, 200, 50);

/** Start of a list's next page: everything that came before this position. */
export const BEFORE = integerMember(0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** Part of a list. */
export const PAGE = {
  limit: integerMember(1, 1000, 500),
  offset: integerMember(0, Number.MAX_SAFE_INTEGER, 0),
} as const;
