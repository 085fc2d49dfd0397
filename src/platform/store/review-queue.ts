import { type Expression, sql, type SqlBool } from "kysely";
import { findAssignee, type ReviewItem, type ReviewState, toState } from "../review/review-item.ts";
import { type ConversationFilter, listTests } from "./conversation-filter.ts";
import type { QueueOrder } from "../review/queue-orders.ts";
import { askForWords, MAX_ASKED } from "./message-search.ts";
import { createStatement, db, readEach, readRows, type RowOf } from "./query.ts";
import type { SearchWords } from "./search-words.ts";
import {
  type ItemBuilder,
  listConditions,
  listItemConditions,
  type QueueFilter,
} from "./queue-filter.ts";
import { ITEM_COLUMNS, TIERS, toItem } from "./review-store.ts";
import type { SqlDatabase, SqlValue } from "./sql-database.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import type { Steps } from "../turns.ts";

/** Where a page ends: the values by which its last row is ordered. */
export type QueueCursor = readonly SqlValue[];

/** What the queue is ordered by. */
interface Term {
  readonly value: Expression<SqlValue>;
  readonly direction: "asc" | "desc";
  /** Returns the value of an item. */
  readonly of: (item: ReviewItem) => SqlValue;
}

const NO_RISK = -1;
const TIER: Term = {
  value: sql.ref("review_item.tier"),
  direction: "desc",
  of: ({ tier }) => TIERS.indexOf(tier),
};
const RISK: Term = {
  value: sql`coalesce(review_item.risk_score, ${sql.lit(NO_RISK)})`,
  direction: "desc",
  of: ({ riskScore }) => riskScore ?? NO_RISK,
};
const OPENED: Term = {
  value: sql.ref("review_item.opened_at"),
  direction: "asc",
  of: ({ openedAt }) => openedAt,
};
const DUE: Term = {
  value: sql.ref("review_item.due_at"),
  direction: "asc",
  of: ({ dueAt }) => dueAt,
};
const KEY: Term = { value: sql.ref("review_item.key"), direction: "asc", of: ({ key }) => key };

const TERMS: Readonly<Record<QueueOrder, readonly Term[]>> = {
  rank: [TIER, RISK, OPENED, KEY],
  risk: [RISK, OPENED, KEY],
  age: [OPENED, KEY],
  due: [DUE, KEY],
};

/** Matches what comes behind a position. */
function isBehind(
  eb: ItemBuilder,
  [term, ...others]: readonly Term[],
  [last = null, ...rest]: QueueCursor,
): Expression<SqlBool> {
  if (!term) return sql<SqlBool>`false`;
  const beyond = eb(term.value, term.direction === "asc" ? ">" : "<", last);
  if (others.length === 0) return beyond;
  return eb.or([beyond, eb.and([eb(term.value, "=", last), isBehind(eb, others, rest)])]);
}

const WORST = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("finding")
    .select([
      "id",
      "rule",
      "category",
      "severity",
      "description",
      "quote",
      "tier",
      "agent_version as agentVersion",
      "environment",
    ])
    .where("conversation_key", "=", given.key)
    .orderBy(sql`CASE tier WHEN 'confirmed' THEN 0 WHEN 'contradicted' THEN 2 ELSE 1 END`)
    .orderBy("severity", "desc")
    .orderBy("at")
    .orderBy("seq")
    .limit(1),
);

const COUNTS = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("finding")
    .select(({ fn }) => [
      fn.countAll<number>().as("findings"),
      fn.count<number>("offence").distinct().as("offences"),
    ])
    .where("conversation_key", "=", given.key),
);

/** The finding that the queue quotes. */
export interface QuotedFinding {
  readonly id: string;
  readonly rule: string;
  readonly category: string;
  readonly severity: MaxSeverity;
  readonly description: string;
  readonly quote: string;
  readonly tier: string;
  readonly agentVersion: string;
  readonly environment: string;
}

/** An item as lists and pages show it. */
export interface ShownItem extends Omit<ReviewItem, "queue" | "severity"> {
  readonly state: ReviewState;
  readonly severity: MaxSeverity;
  readonly isOverdue: boolean;
  readonly agentId: string;
  readonly conversationId: string;
  readonly title: string | null;
  readonly lastAt: number;
  /** Its findings, and how many offences they are: the same words said again are one. */
  readonly findingCount: number;
  readonly offenceCount: number;
  /** The surest and worst of its findings. */
  readonly finding: QuotedFinding | null;
}

const selectItems = () =>
  db
    .selectFrom("review_item")
    .innerJoin("conversation", "conversation.key", "review_item.key")
    .select(ITEM_COLUMNS)
    .select([
      "conversation.agent_id as agentId",
      "conversation.conversation_id as conversationId",
      "conversation.title",
      "conversation.last_at as lastAt",
    ]);

const ONE = createStatement((given: { readonly key: string }) =>
  selectItems().where("review_item.key", "=", given.key),
);

type Row = RowOf<typeof ONE>;

function* toShown(database: SqlDatabase, row: Row, now: number): Steps<ShownItem> {
  const { agentId, conversationId, title, lastAt, ...columns } = row;
  const item = toItem(columns);
  const { queue, severity, ...rest } = item;
  const { key } = item;
  const [worst] = yield* WORST.rows(database, { key });
  const [counts] = yield* COUNTS.rows(database, { key });
  const assignee = findAssignee(item, now);
  return {
    ...rest,
    agentId,
    conversationId,
    title,
    lastAt,
    assignee,
    claimExpiresAt: assignee === null ? null : item.claimExpiresAt,
    state: toState(item, now),
    severity: SEVERITIES[severity] ?? "none",
    isOverdue: queue !== "closed" && item.dueAt < now,
    findingCount: counts?.findings ?? 0,
    offenceCount: counts?.offences ?? 0,
    finding: worst ? { ...worst, severity: SEVERITIES[worst.severity] ?? "none" } : null,
  };
}

/** Reads a page of the queue. */
export interface QueuePage {
  readonly filter: QueueFilter;
  /** What is asked of the conversations beside it. */
  readonly conversations: ConversationFilter;
  readonly order: QueueOrder;
  readonly after: QueueCursor | undefined;
  readonly limit: number;
  readonly now: number;
}

/** Takes the first items of some that have the words, where it is asked for any; what could not be looked at is continued by the next page. */
function* takePage(
  database: SqlDatabase,
  rows: readonly Row[],
  { words, limit }: { readonly words: SearchWords | undefined; readonly limit: number },
): Steps<{ readonly page: readonly Row[]; readonly last: Row | undefined }> {
  if (words === undefined) {
    const page = rows.slice(0, limit);
    return { page, last: rows.length > limit ? page.at(-1) : undefined };
  }
  const asked = rows.slice(0, MAX_ASKED);
  const { found, last } = yield* askForWords(database, asked, { words, limit });
  const end = rows.length > MAX_ASKED ? asked.at(-1) : undefined;
  return { page: [...found.keys()], last: last && last !== rows.at(-1) ? last : end };
}

/** Selects the keys of the first items in an order, of which nothing is asked that their conversations have. */
function selectKeys({ filter, order, after, limit, now }: Omit<QueuePage, "conversations">) {
  const terms = TERMS[order];
  let keys = db
    .selectFrom("review_item")
    .select("review_item.key")
    .where((eb) => eb.and(listItemConditions(eb, filter, now)))
    .limit(limit);
  if (after) keys = keys.where((eb) => isBehind(eb, terms, after));
  for (const { value, direction } of terms) keys = keys.orderBy(value, direction);
  return keys;
}

/** Reads the first items in an order that meet some tests of their conversations. */
function* readItems(
  database: SqlDatabase,
  page: Omit<QueuePage, "conversations">,
  tests: readonly Expression<SqlBool>[],
): Steps<Row[]> {
  const { filter, order, after, limit, now } = page;
  const terms = TERMS[order];
  let query = selectItems();
  if (filter.agentId === undefined && tests.length === 0) {
    // By themselves: to order all items with their conversations takes ten times as long.
    query = query.where("review_item.key", "in", selectKeys(page));
  } else {
    query = query.where((eb) => eb.and(listConditions(eb, filter, now))).limit(limit);
    for (const test of tests) query = query.where(test);
    if (after) query = query.where((eb) => isBehind(eb, terms, after));
  }
  for (const { value, direction } of terms) query = query.orderBy(value, direction);
  return yield* readRows(database, query);
}

/**
 * Lists items, and the position of the next page, if there is one.
 *
 * Where many messages have the words that are asked for, a page may have fewer items than asked for, or none, and all the same a next one.
 */
export function* listQueue(
  database: SqlDatabase,
  { filter, conversations, order, after, limit, now }: QueuePage,
): Steps<{ readonly items: readonly ShownItem[]; readonly next: QueueCursor | undefined }> {
  const terms = TERMS[order];
  const { tests, words } = yield* listTests(database, conversations, now);
  const read = { filter, order, after, limit: (words === undefined ? limit : MAX_ASKED) + 1, now };
  const { page, last } = yield* takePage(database, yield* readItems(database, read, tests), {
    words,
    limit,
  });
  const lastItem = last && toItem(last);
  return {
    items: yield* readEach(database, page, (row) => toShown(database, row, now)),
    next: lastItem && terms.map(({ of }) => of(lastItem)),
  };
}

/** Finds one item. */
export function* findShownItem(
  database: SqlDatabase,
  key: string,
  now: number,
): Steps<ShownItem | undefined> {
  const [row] = yield* ONE.rows(database, { key });
  return row && (yield* toShown(database, row, now));
}
