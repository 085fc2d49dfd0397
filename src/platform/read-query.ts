import type { Context } from "hono";
import { findNearestName } from "../util/nearest-name.ts";
import { ProblemError } from "./problem.ts";

/** A member of a query: its valid values and its default. */
export interface QueryMember<Value> {
  /** Text of the expectation, for error messages. */
  readonly expected: string;
  readonly absent: Value;
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
  const { searchParams } = new URL(context.req.url);
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
    parse: (text) => words.find((word) => word === text),
  };
}

/** Any text that is not empty. */
export const textMember: QueryMember<string | undefined> = {
  expected: "a text that is not empty",
  absent: undefined,
  parse: (text) => (text === "" ? undefined : text),
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
