import { TEXT } from "../openapi/json-schema.ts";
import { ProblemError } from "../problem.ts";
import { type QueryMember, textMember } from "../read-query.ts";
import { toDay } from "../store/answer-counts.ts";

const DAY_MILLIS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_TIME = 8_640_000_000_000_000;

/** Whole UTC days: `from` is the first millisecond, `to` the one behind the last. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Reads a time: a UTC day, or milliseconds since the Unix epoch. */
function parseTime(text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDay && !/^\d{1,16}$/.test(text)) return undefined;
  const millis = isDay ? Date.parse(`${text}T00:00:00Z`) : Number(text);
  return millis >= 0 && millis <= MAX_TIME - DAY_MILLIS ? millis : undefined;
}

const TIME: QueryMember<number | undefined> = {
  expected: "a day as 2026-11-20, or milliseconds since the Unix epoch",
  absent: undefined,
  schema: TEXT,
  parse: parseTime,
};

/** Members of a query that says of which days. */
export const PERIOD = { from: TIME, to: TIME };

/** Members of a query that says of which days and which agent. */
export const AGENT_PERIOD = { ...PERIOD, agent: textMember };

/**
 * Returns the whole days that a query asks for, those of `from` and of the millisecond before `to` included: without `to` up to today,
 * without `from` 90 days.
 */
export function toPeriod(
  { from, to }: Readonly<Partial<Record<keyof Period, number | undefined>>>,
  now: number,
): Period {
  const end = toDay((to ?? now + 1) - 1) + DAY_MILLIS;
  const start = from === undefined ? Math.max(0, end - DEFAULT_DAYS * DAY_MILLIS) : toDay(from);
  if (start >= end)
    throw new ProblemError("invalid_query", "the query's from must be before its to");
  return { from: start, to: end };
}
