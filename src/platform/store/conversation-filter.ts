import { type Expression, sql, type SqlBool } from "kysely";
import type { ReviewState } from "../review/review-item.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import type { FactKind } from "./fact-store.ts";
import { db, estimateRows, type Query, readNumber, withoutIndex } from "./query.ts";
import { hasWords, readSearch, type SearchWords, toSearchWords } from "./search-words.ts";
import { isAssignedTo, isInState } from "./queue-filter.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Filter of conversations; an absent member matches all. */
export interface ConversationFilter {
  /** Words of one message. */
  readonly q?: string | undefined;
  /** Time of the last event, from and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly agentId?: string | undefined;
  /** Said of the same event as the facts below, and of the same finding. */
  readonly version?: string | undefined;
  readonly environment?: string | undefined;
  readonly customer?: string | undefined;
  readonly channel?: string | undefined;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  /** `true`: something failed; `call`: a tool call, of `tool` if that is given. */
  readonly error?: "true" | "call" | undefined;
  readonly rule?: string | undefined;
  readonly category?: string | undefined;
  readonly minSeverity?: MaxSeverity | undefined;
  readonly minRisk?: number | undefined;
  readonly onlyReview?: boolean | undefined;
  readonly state?: ReviewState | undefined;
  readonly assignee?: string | undefined;
}

/** A query that can be cut off. */
type Rows = Expression<unknown> & Query<unknown> & { limit(count: number): Expression<unknown> };

/** What a filter asks of a conversation. */
export interface Condition {
  /** Selects the keys of the conversations that meet it; absent where an index would not help. */
  readonly keys?: Rows;
  /** Whether it selects their numbers in place of their keys: rows are found by these without a further index. */
  readonly isBySeq?: boolean;
  /** Rows that those keys come from, where they are others, the newest first. */
  readonly hits?: Rows;
  /** Whether a database knows about how many of those rows there are. */
  readonly isEstimable?: boolean;
  /** Selects the keys that come from the newest of those rows. */
  readonly newestKeys?: (limit: number) => Expression<unknown>;
  /** Holds for a row of `conversation` that meets it. */
  readonly test?: Expression<SqlBool>;
}

const KEY = sql.ref<string>("conversation.key");
const ONE = sql.lit(1).as("found");

/** So many times a limit an estimate is that is surely over it. */
const SURELY = 10;

/** Counts what meets a condition, conversations or more, up to a limit; `Infinity` where no index would help. */
export function* countUpTo(
  database: SqlDatabase,
  { keys, hits = keys, isEstimable = false }: Condition,
  limit: number,
): Steps<number> {
  if (!hits) return Number.POSITIVE_INFINITY;
  // PostgreSQL would look for all messages that have a word, and it knows about how many there are.
  if (isEstimable && database.dialect === "postgres") {
    const estimate = yield* estimateRows(database, hits);
    if (estimate > SURELY * limit) return limit;
  }
  const count = sql<number>`(select count(*) from ${hits.limit(limit)} as hits)`;
  return yield* readNumber(database, db.selectNoFrom(count.as("count")));
}

type Scope = Pick<ConversationFilter, "version" | "environment">;

/** Asks for an event that says something, of a version and in an environment. */
function hasFact(kind: FactKind, value: string, { version, environment }: Scope): Condition {
  let rows = db.selectFrom("fact").where("kind", "=", kind).where("value", "=", value);
  if (version !== undefined) rows = rows.where("agent_version", "=", version);
  if (environment !== undefined) rows = rows.where("environment", "=", environment);
  const keys = rows.select("conversation_key");
  const own = rows.select(ONE).where("conversation_key", "=", KEY);
  return { keys, test: sql<SqlBool>`exists ${own}` };
}

/** Asks for an event of a version and in an environment. */
function hasAppeared({ version, environment }: Scope): Condition {
  let rows = db.selectFrom("appearance");
  let own = rows.select(ONE).where("conversation_key", "=", KEY);
  if (version !== undefined) {
    rows = rows.where("agent_version", "=", version);
    // By an index, SQLite would read all appearances of a version for each conversation.
    const ownVersion = withoutIndex(sql.ref("appearance.agent_version"));
    own = own.where(sql<SqlBool>`${ownVersion} = ${version}`);
  }
  if (environment !== undefined) {
    rows = rows.where("environment", "=", environment);
    own = own.where("environment", "=", environment);
  }
  const test = sql<SqlBool>`exists ${own}`;
  // There are few environments, each with a large part of the conversations.
  if (version === undefined) return { test };
  return { keys: rows.select("conversation_key"), test };
}

/** Asks for a finding of a rule and a category, in an answer of a version and in an environment. */
function hasFinding({ rule, category, version, environment }: ConversationFilter): Condition {
  const wanted = { rule, category, agent_version: version, environment };
  const names = ["rule", "category", "agent_version", "environment"] as const;
  let rows = db.selectFrom("finding");
  let own = db.selectFrom("finding").select(ONE).where("conversation_key", "=", KEY);
  for (const name of names) {
    const value = wanted[name];
    if (value === undefined) continue;
    rows = rows.where(name, "=", value);
    // By an index, SQLite would read all findings of a rule for each conversation.
    own = own.where(sql<SqlBool>`${withoutIndex(sql.ref(`finding.${name}`))} = ${value}`);
  }
  const keys = rows.select("conversation_key");
  return { keys, test: sql<SqlBool>`exists ${own}` };
}

/** Asks for something of the conversation's own row, of which there is an index. */
function hasColumn(test: Expression<SqlBool>): Condition {
  return { keys: db.selectFrom("conversation").select("seq").where(test), isBySeq: true, test };
}

/** Asks for an item of the queue. */
function hasItem({ state, assignee }: ConversationFilter, now: number): Condition {
  let rows = db.selectFrom("review_item");
  if (state !== undefined) rows = rows.where((eb) => isInState(eb, state, now));
  if (assignee !== undefined) rows = rows.where((eb) => isAssignedTo(eb, assignee, now));
  const keys = rows.select("review_item.key");
  const own = rows.select(ONE).where("review_item.key", "=", KEY);
  return { keys, test: sql<SqlBool>`exists ${own}` };
}

/** Asks for a message with some words. */
function hasMessage(words: SearchWords): Condition {
  const hits = db.selectFrom("message").select("rowid").where(hasWords(words));
  const toKeys = (rows: Expression<unknown>) =>
    db
      .selectFrom("event")
      .select("conversation_key")
      .where(sql<SqlBool>`seq in ${rows}`);
  return {
    keys: toKeys(hits),
    hits,
    isEstimable: words.isOneWord,
    newestKeys: (limit) => toKeys(hits.orderBy("rowid", "desc").limit(limit)),
  };
}

const NOTHING: Condition = { test: sql<SqlBool>`false` };

function listFacts(filter: ConversationFilter): Condition[] {
  const { customer, channel, model, tool, error } = filter;
  const named: readonly (readonly [FactKind, string | undefined])[] = [
    ["customer", customer],
    ["channel", channel],
    ["model", model],
    // A failed call names its tool itself.
    ["tool", error === "call" ? undefined : tool],
    ["failed_call", error === "call" ? (tool ?? "") : undefined],
    ["error", error === "true" ? "" : undefined],
  ];
  return named.flatMap(([kind, value]) =>
    value === undefined ? [] : [hasFact(kind, value, filter)],
  );
}

function listColumns(filter: ConversationFilter): Condition[] {
  const { from, to, agentId, minSeverity = "none", minRisk, onlyReview } = filter;
  const severity = SEVERITIES.indexOf(minSeverity);
  const conditions: Expression<SqlBool>[] = [];
  if (from !== undefined) conditions.push(sql`conversation.last_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`conversation.last_at < ${to}`);
  const period = conditions.length > 0 ? [sql<SqlBool>`${sql.join(conditions, sql` and `)}`] : [];
  return [
    ...period,
    ...(agentId === undefined ? [] : [sql<SqlBool>`conversation.agent_id = ${agentId}`]),
    // As the index is written, or it would not be used.
    ...(severity > 0
      ? [sql<SqlBool>`conversation.max_severity >= ${severity} and conversation.max_severity > 0`]
      : []),
    ...(minRisk === undefined
      ? []
      : [sql<SqlBool>`coalesce(conversation.max_risk_score, -1) >= ${minRisk}`]),
    ...(onlyReview === true ? [sql<SqlBool>`conversation.requires_review = 1`] : []),
  ].map(hasColumn);
}

/** The words of a filter, as the index takes them; `undefined` where it has none. */
export function toWords({ q }: Pick<ConversationFilter, "q">): SearchWords | undefined {
  const terms = q === undefined ? [] : readSearch(q);
  return terms.length === 0 ? undefined : toSearchWords(terms);
}

/** Returns what a filter asks, words last. */
export function listConditions(filter: ConversationFilter, now: number): Condition[] {
  const { q, version, environment, rule, category, state, assignee } = filter;
  const words = toWords(filter);
  const search = words === undefined ? NOTHING : hasMessage(words);
  return [
    ...listColumns(filter),
    ...listFacts(filter),
    ...(version === undefined && environment === undefined ? [] : [hasAppeared(filter)]),
    ...(rule === undefined && category === undefined ? [] : [hasFinding(filter)]),
    ...(state === undefined && assignee === undefined ? [] : [hasItem(filter, now)]),
    ...(q === undefined ? [] : [search]),
  ];
}

/** A condition that more rows meet is asked of each row; of the others the rows are looked up first. */
export const MANY = 10_000;

/** Matches rows of `conversation` with some keys, or numbers. */
export const isAmong = (keys: Expression<unknown>, isBySeq = false) =>
  sql<SqlBool>`${sql.ref(isBySeq ? "conversation.seq" : "conversation.key")} in ${keys}`;

/**
 * Returns what a row of `conversation` that meets a filter is tested for, and the words that each conversation has to be asked for,
 * since many messages have them.
 */
export function* listTests(
  database: SqlDatabase,
  filter: ConversationFilter,
  now: number,
): Steps<{
  readonly tests: readonly Expression<SqlBool>[];
  readonly words: SearchWords | undefined;
}> {
  const tests: Expression<SqlBool>[] = [];
  let words: SearchWords | undefined;
  for (const condition of listConditions(filter, now)) {
    const { test, keys, isBySeq } = condition;
    if (keys && (yield* countUpTo(database, condition, MANY + 1)) <= MANY)
      tests.push(isAmong(keys, isBySeq));
    else if (test) tests.push(test);
    else words = toWords(filter);
  }
  return { tests, words };
}
