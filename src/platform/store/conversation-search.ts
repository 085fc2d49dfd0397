import { type Expression, sql, type SqlBool } from "kysely";
import {
  type ConversationFilter,
  countUpTo,
  isAmong,
  listConditions,
  MANY,
  toWords,
} from "./conversation-filter.ts";
import {
  type ConversationRow,
  type RawConversation,
  SELECT_CONVERSATION,
  toConversation,
} from "./conversation-store.ts";
import { listAllAppearances } from "./appearances.ts";
import { askForWords, MAX_ASKED, readHits } from "./message-search.ts";
import { db, readEach, readRow, readRows } from "./query.ts";
import { readSearch, type SearchWords } from "./search-words.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type Steps, mapSteps } from "../turns.ts";

/** Orders of conversations: the one with the newest event first, the one with the highest risk, the one that began first. */
export const CONVERSATION_ORDERS = ["time", "risk", "age"] as const;
export type ConversationOrder = (typeof CONVERSATION_ORDERS)[number];

/** Where a page ends: the values by which its last row is ordered. */
export type ConversationCursor = readonly (string | number)[];

type Place = Pick<RawConversation, "seq" | "lastAt" | "startedAt" | "maxRiskScore">;

interface Order {
  readonly direction: "asc" | "desc";
  /** Columns, as an index has them. */
  readonly columns: readonly Expression<number>[];
  readonly of: (row: Place) => ConversationCursor;
}

const NO_RISK = -1;
const column = (name: string) => sql.ref<number>(`conversation.${name}`);
const RISK = sql<number>`coalesce(conversation.max_risk_score, ${sql.lit(NO_RISK)})`;

const ORDERS: Readonly<Record<ConversationOrder, Order>> = {
  time: {
    direction: "desc",
    columns: [column("last_at"), column("seq")],
    of: ({ lastAt, seq }) => [lastAt, seq],
  },
  risk: {
    direction: "desc",
    columns: [RISK, column("last_at"), column("seq")],
    of: ({ maxRiskScore, lastAt, seq }) => [maxRiskScore ?? NO_RISK, lastAt, seq],
  },
  age: {
    direction: "asc",
    columns: [column("started_at"), column("seq")],
    of: ({ startedAt, seq }) => [startedAt, seq],
  },
};

/** Returns whether a cursor is one of an order. */
export function isCursorOf(order: ConversationOrder, cursor: ConversationCursor): boolean {
  const { length } = ORDERS[order].columns;
  return cursor.length === length && cursor.every((part) => typeof part === "number");
}

/** Matches rows behind a place, or up to it. */
function compare(
  { columns, direction }: Order,
  cursor: ConversationCursor,
  side: "behind" | "up to",
): Expression<SqlBool> {
  const isLess = (direction === "desc") === (side === "behind");
  const sign = sql.raw(side === "behind" ? (isLess ? "<" : ">") : isLess ? "<=" : ">=");
  const values = cursor.map((value) => sql`${value}`);
  return sql`(${sql.join(columns)}) ${sign} (${sql.join(values)})`;
}

/** How the conversations of a filter are found. */
interface Plan {
  /** What rows of `conversation` are tested for. */
  readonly tests: readonly Expression<SqlBool>[];
  /** Whether the first test selects few rows; without one, rows are looked at in their order. */
  readonly isDriven: boolean;
  /** Words that each conversation has to be asked for, since many messages have them. */
  readonly words: SearchWords | undefined;
  /** Selects the conversations of the newest of these messages. */
  readonly newest: Expression<SqlBool> | undefined;
}

/** Chooses how to find the conversations of a filter. */
function* planSearch(database: SqlDatabase, filter: ConversationFilter, now: number): Steps<Plan> {
  const counted = yield* mapSteps(listConditions(filter, now), function* (condition) {
    return { ...condition, count: yield* countUpTo(database, condition, MANY + 1) };
  });
  const driver = counted.toSorted((left, right) => left.count - right.count)[0];
  const isDriven = driver?.keys !== undefined && driver.count <= MANY;
  const others = counted.filter((condition) => !isDriven || condition !== driver);
  const common = others.find(({ test, count }) => !test && count > MANY);
  const tests = others.flatMap((condition) => {
    const { test, keys } = condition;
    if (test) return [test];
    return keys && condition !== common ? [isAmong(keys)] : [];
  });
  return {
    tests: isDriven && driver.keys ? [isAmong(driver.keys, driver.isBySeq), ...tests] : tests,
    isDriven,
    words: common && toWords(filter),
    newest: common?.newestKeys && isAmong(common.newestKeys(MANY)),
  };
}

/** Rows that one request looks at: what takes longer is continued by the next page. */
const MAX_WALK = 5000;

interface Walk {
  readonly order: Order;
  readonly plan: Plan;
  readonly limit: number;
}

interface Found {
  readonly rows: readonly RawConversation[];
  /** Rows of the events that have the words, where the conversations were asked for them. */
  readonly hits?: ReadonlyMap<RawConversation, number>;
  /** Place that was looked at last; `undefined` at the end of all. */
  readonly next: ConversationCursor | undefined;
}

/** Finds the place so many rows behind another one. */
function* findEnd(
  database: SqlDatabase,
  order: Order,
  after: ConversationCursor | undefined,
  rows = MAX_WALK,
): Steps<ConversationCursor | undefined> {
  let query = db
    .selectFrom("conversation")
    .select([
      "seq",
      "last_at as lastAt",
      "started_at as startedAt",
      "max_risk_score as maxRiskScore",
    ]);
  if (after) query = query.where(compare(order, after, "behind"));
  for (const each of order.columns) query = query.orderBy(each, order.direction);
  const row = yield* readRow(database, query.limit(1).offset(rows - 1));
  return row && order.of(row);
}

function* readNext(
  database: SqlDatabase,
  { order, plan, limit }: Walk,
  after: ConversationCursor | undefined,
): Steps<Found> {
  const end = plan.isDriven ? undefined : yield* findEnd(database, order, after);
  let query = SELECT_CONVERSATION.limit(limit + 1);
  for (const test of plan.tests) query = query.where(test);
  if (after) query = query.where(compare(order, after, "behind"));
  if (end) query = query.where(compare(order, end, "up to"));
  for (const each of order.columns) query = query.orderBy(each, order.direction);
  const rows = yield* readRows(database, query);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last ? order.of(last) : end };
}

/** Reads a page, and asks the conversations on it where the words stand, if there are any. */
function* readAskedOnce(
  database: SqlDatabase,
  walk: Walk,
  words: SearchWords | undefined,
  after: ConversationCursor | undefined,
): Steps<Found> {
  const page = yield* readNext(database, walk, after);
  if (words === undefined) return page;
  const { found } = yield* askForWords(database, page.rows, { words, limit: walk.limit });
  return { ...page, hits: found };
}

/** Asks conversations for the words, in order, until the page is full or it has been enough. */
function* readAsking(
  database: SqlDatabase,
  walk: Walk,
  words: SearchWords,
  after: ConversationCursor | undefined,
): Steps<Found> {
  const { rows, next } = yield* readNext(database, { ...walk, limit: MAX_ASKED }, after);
  const { found, last } = yield* askForWords(database, rows, { words, limit: walk.limit });
  const isEnd = !last || (last === rows.at(-1) && next === undefined);
  return { rows: [...found.keys()], hits: found, next: isEnd ? next : walk.order.of(last) };
}

/**
 * Tests a row of `conversation` for counting: it matches all of a filter, where an index leads to them, else those among the newest
 * 10,001 messages or conversations.
 */
export function* selectFirst(
  database: SqlDatabase,
  filter: ConversationFilter,
  now: number,
): Steps<{ readonly tests: readonly Expression<SqlBool>[]; readonly isPart: boolean }> {
  const { tests, isDriven, newest } = yield* planSearch(database, filter, now);
  if (newest) return { tests: [...tests, newest], isPart: true };
  // They are 10,000 at most.
  if (isDriven) return { tests, isPart: false };
  const order = ORDERS.time;
  const end = yield* findEnd(database, order, undefined, MANY + 1);
  // By themselves and in this order, so that SQLite begins with the newest, whatever it has an index of.
  let query = db
    .selectFrom("conversation")
    .select("seq")
    .limit(MANY + 1);
  for (const test of tests) query = query.where(test);
  if (end) query = query.where(compare(order, end, "up to"));
  for (const each of order.columns) query = query.orderBy(each, order.direction);
  return { tests: [sql<SqlBool>`conversation.seq in ${query}`], isPart: end !== undefined };
}

/** Reads a page of conversations. */
export interface ConversationPage {
  readonly filter: ConversationFilter;
  readonly order: ConversationOrder;
  readonly after: ConversationCursor | undefined;
  readonly limit: number;
  readonly now: number;
}

/**
 * Lists conversations; `next` is the start of the next page.
 *
 * A page may have fewer rows than asked for, or none, and all the same a next one: one request looks at a bounded number of
 * conversations.
 */
export function* listConversations(
  database: SqlDatabase,
  { filter, order, after, limit, now }: ConversationPage,
): Steps<{ conversations: ConversationRow[]; next: ConversationCursor | undefined }> {
  const plan = yield* planSearch(database, filter, now);
  const walk = { order: ORDERS[order], plan, limit };
  const words = toWords(filter);
  const { rows, hits, next } =
    plan.words === undefined
      ? yield* readAskedOnce(database, walk, words, after)
      : yield* readAsking(database, walk, plan.words, after);
  const terms = filter.q === undefined ? [] : readSearch(filter.q);
  const shown = yield* readHits(database, [...(hits?.values() ?? [])], terms);
  const keys = rows.map(({ key }) => key);
  const appearances = yield* listAllAppearances(database, keys);
  const conversations = yield* readEach(database, rows, function* (row) {
    const own = appearances.get(row.key) ?? [];
    const conversation = yield* toConversation(database, row, own);
    const hit = shown.get(hits?.get(row) ?? 0);
    return hit ? { ...conversation, hit } : conversation;
  });
  return { conversations, next };
}
