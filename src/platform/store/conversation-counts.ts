import { sql } from "kysely";
import { SEVERITIES } from "../severities.ts";
import { type ConversationFilter, MANY } from "./conversation-filter.ts";
import { selectFirst } from "./conversation-search.ts";
import { db, joinLines, readRow } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** What is counted for each value. */
export const COUNTED = [
  "agent",
  "version",
  "environment",
  "channel",
  "model",
  "tool",
  "failed_call",
  "error",
  "rule",
  "category",
  "severity",
  "review",
  "state",
  "assignee",
] as const;
export type Counted = (typeof COUNTED)[number];

/** A value, and the conversations that have it. */
export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** Counts of the conversations that a filter leaves. */
export interface ConversationCounts {
  /** At most 10,000. */
  readonly total: number;
  /** Whether there are more: every count is that of the 10,000 that come first, and may be higher. */
  readonly isCapped: boolean;
  readonly values: Readonly<Record<Counted, readonly ValueCount[]>>;
}

const MAX_VALUES = 50;

const col = (name: string) => sql.ref(`conversation.${name}`);

const BREAK = sql.lit("\n");
/** Writes what is counted of a conversation, a line each: only what filters ask for, since each line takes its time. */
const LINES = sql<string>`${col("facts")} || ${BREAK} || 'agent=' || ${col("agent_id")}
  || CASE WHEN ${col("max_severity")} > 0 THEN ${BREAK} || 'severity=' || ${col("max_severity")} ELSE '' END
  || CASE WHEN ${col("requires_review")} = 1 THEN ${BREAK} || 'review=1' ELSE '' END`;

/** Returns the state of an item, as `toState` does. */
const toStateLine = (now: number) => sql<string>`CASE
  WHEN review_item.key IS NULL THEN ''
  WHEN review_item.queue != 'closed' AND review_item.assignee IS NOT NULL
    AND coalesce(review_item.claim_expires_at > ${now}, true)
    THEN ${BREAK} || 'state=claimed' || ${BREAK} || 'assignee=' || review_item.assignee
  ELSE ${BREAK} || 'state=' || review_item.queue END`;

function isCounted(kind: string): kind is Counted {
  return COUNTED.some((each) => each === kind);
}

/** Facts that nobody counts: nearly each conversation has another customer. */
const UNCOUNTED = "customer=";

/** Counts how often each line stands in a text. An object each: to replace a number in the map would take as long as to find it. */
function tally(lines: string): ReadonlyMap<string, { readonly count: number }> {
  const counts = new Map<string, { count: number }>();
  for (const line of lines.split("\n")) {
    if (line.startsWith(UNCOUNTED)) continue;
    const known = counts.get(line);
    if (known) known.count++;
    else counts.set(line, { count: 1 });
  }
  return counts;
}

/** Names a value as filters do; `undefined` for one that none asks for. */
function toValue(kind: Counted, value: string): string | undefined {
  if (kind === "severity") return value === "0" ? undefined : SEVERITIES[Number(value)];
  if (kind === "review") return value === "1" ? "true" : undefined;
  if (kind === "error" && value === "") return "true";
  return value === "" ? undefined : value;
}

/** Counts the values of lines, the most frequent first. */
function countValues(lines: string): ConversationCounts["values"] {
  const values = Object.fromEntries(COUNTED.map((kind) => [kind, [] as ValueCount[]])) as Record<
    Counted,
    ValueCount[]
  >;
  for (const [line, { count }] of tally(lines)) {
    const end = line.indexOf("=");
    const kind = line.slice(0, end);
    if (!isCounted(kind)) continue;
    const value = toValue(kind, line.slice(end + 1));
    if (value !== undefined) values[kind].push({ value, count: Math.min(count, MANY) });
  }
  for (const kind of COUNTED)
    values[kind] = values[kind]
      .toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
      .slice(0, MAX_VALUES);
  return values;
}

/** Counts the conversations of a filter, for each value that another filter could ask for. */
export function* countConversations(
  database: SqlDatabase,
  filter: ConversationFilter,
  now: number,
): Steps<ConversationCounts> {
  const { tests, isPart } = yield* selectFirst(database, filter, now);
  const lines = joinLines(sql<string>`${LINES} || ${toStateLine(now)}`);
  let query = db
    .selectFrom("conversation")
    .leftJoin("review_item", "review_item.key", "conversation.key")
    .select(({ fn }) => [fn.countAll<number>().as("total"), lines.as("lines")]);
  for (const test of tests) query = query.where(test);
  const row = yield* readRow(database, query);
  const total = row?.total ?? 0;
  const values = countValues(row?.lines ?? "");
  return { total: Math.min(total, MANY), isCapped: isPart || total > MANY, values };
}
