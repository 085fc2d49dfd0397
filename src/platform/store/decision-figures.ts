import { type Expression, sql, type SqlBool } from "kysely";
import { type Share, toShare } from "../insight/intervals.ts";
import { DISPOSITIONS, type Disposition } from "../review/review-policy.ts";
import { db, readRow, readRows, withoutIndex } from "./query.ts";
import { type ItemBuilder, listItemConditions, type QueueFilter } from "./queue-filter.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Series } from "./finding-trend.ts";
import { listBuckets } from "../insight/period.ts";
import { type InsightFilter, isWithin } from "./insight-filter.ts";
import type { Steps } from "../turns.ts";

/** Writes the conditions on an item. Its conversation is looked up where it has to be alone. */
function matchItem(
  eb: ItemBuilder,
  { agentId, environment, version }: InsightFilter,
  { state, now }: Pick<QueueFilter, "state"> & { readonly now: number },
): Expression<SqlBool> {
  const inState = eb.and(listItemConditions(eb, { state }, now));
  const isFound = eb.and(listItemConditions(eb, { environment, version, state: "any" }, now));
  if (agentId === undefined) return eb.and([inState, isFound]);
  const own = eb
    .selectFrom("conversation")
    .select("conversation.seq")
    .whereRef("conversation.key", "=", "review_item.key")
    // By an index, SQLite would read all conversations of the agent for each item.
    .where(sql<SqlBool>`${withoutIndex(sql.ref("conversation.agent_id"))} = ${agentId}`);
  // A case, since SQLite would look for the findings of all items first.
  const isOfAgent = sql<SqlBool>`case when ${eb.exists(own)} then ${isFound} else false end`;
  return eb.and([inState, isOfAgent]);
}

function isNarrowed({ agentId, environment, version }: InsightFilter): boolean {
  return agentId !== undefined || environment !== undefined || version !== undefined;
}

/** The item as a whole. */
const WHOLE = "";

/** Reads the decisions about items over time, a series for each disposition that was given. */
export function* readDecisions(database: SqlDatabase, filter: InsightFilter): Steps<Series[]> {
  const { period } = filter;
  let query = db
    .selectFrom("disposition")
    .select((eb) => [
      eb("at", "-", eb("at", "%", eb.lit(period.width))).as("bucket"),
      "disposition.disposition",
      eb.fn.countAll<number>().as("decisions"),
    ])
    .where("at", ">=", period.from)
    .where("at", "<", period.to)
    // By an index, SQLite would read all decisions that there are about items.
    .where(sql<SqlBool>`${withoutIndex(sql.ref("disposition.finding_id"))} = ${WHOLE}`)
    .groupBy(["bucket", "disposition.disposition"]);
  if (isNarrowed(filter))
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom("review_item")
          .select("review_item.key")
          .whereRef("review_item.key", "=", "disposition.conversation_key")
          .where((item) => matchItem(item, filter, { state: "any", now: 0 })),
      ),
    );
  const rows = yield* readRows(database, query);
  const size = listBuckets(period).length;
  return DISPOSITIONS.flatMap((name) => {
    const counts = Array.from({ length: size }, () => 0);
    for (const { bucket, disposition, decisions } of rows)
      if (disposition === name) counts[(bucket - period.from) / period.width] = decisions;
    const total = counts.reduce((sum, count) => sum + count, 0);
    return total === 0 ? [] : [{ name, total, counts }];
  });
}

const DAY_MILLIS = 86_400_000;

/** Ages of open items: up to so many days, and older. */
const AGES = [1, 3, 7, null] as const;

/** The open queue. */
export interface Ageing {
  readonly open: number;
  readonly overdue: number;
  /** Open items by age, days: up to `maxDays`; `null` is older. */
  readonly ages: readonly { readonly maxDays: number | null; readonly items: number }[];
}

/** Counts the open items by their age, now. */
export function* readAgeing(
  database: SqlDatabase,
  filter: InsightFilter,
  now: number,
): Steps<Ageing> {
  const limits = AGES.flatMap((days) => (days === null ? [] : [now - days * DAY_MILLIS]));
  const row = yield* readRow(
    database,
    db
      .selectFrom("review_item")
      .where((eb) => matchItem(eb, filter, { now }))
      .select((eb) => {
        const countSince = (opened: number) =>
          eb.fn.countAll<number>().filterWhere("review_item.opened_at", ">", opened);
        return [
          eb.fn.countAll<number>().as("open"),
          eb.fn.countAll<number>().filterWhere("review_item.due_at", "<", now).as("overdue"),
          countSince(limits[0] ?? now).as("age0"),
          countSince(limits[1] ?? now).as("age1"),
          countSince(limits[2] ?? now).as("age2"),
        ];
      }),
  );
  const { open = 0, overdue = 0, age0 = 0, age1 = 0, age2 = 0 } = row ?? {};
  const upTo = [age0, age1, age2, open];
  return {
    open,
    overdue,
    ages: AGES.map((maxDays, index) => ({
      maxDays,
      items: (upTo[index] ?? 0) - (upTo[index - 1] ?? 0),
    })),
  };
}

/** What was decided about the findings of a rule. */
export interface RuleDecisions {
  readonly rule: string;
  /** Its findings whose last decision is in the period. */
  readonly decided: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Violations among those with enough evidence; `null` where nothing was decided. */
  readonly precision: Share | null;
}

type Dispositions = Record<Disposition, number>;

const none = (): Dispositions => ({
  violation: 0,
  false_positive: 0,
  acceptable: 0,
  insufficient_evidence: 0,
});

function toPrecision({ violation, false_positive: wrong, acceptable }: Dispositions): Share | null {
  return toShare(violation, violation + wrong + acceptable);
}

function* countLastDecisions(database: SqlDatabase, filter: InsightFilter) {
  const query = db
    .selectFrom("decision_count")
    .select(["rule", "disposition"])
    .select(({ fn }) => fn.sum<number>("findings").as("findings"))
    .where(isWithin(filter));
  return yield* readRows(
    database,
    query.groupBy(["rule", "disposition"]).orderBy("rule").orderBy("disposition"),
  );
}

/** Reads how right the rules are, as far as people have decided: those with the most decisions first. */
export function* readRuleDecisions(
  database: SqlDatabase,
  filter: InsightFilter,
): Steps<{ readonly precision: Share | null; readonly rules: readonly RuleDecisions[] }> {
  const total = none();
  const rules = new Map<string, Dispositions>();
  for (const { rule, disposition, findings } of yield* countLastDecisions(database, filter)) {
    const name = disposition as Disposition;
    const known = rules.get(rule) ?? none();
    rules.set(rule, known);
    known[name] += findings;
    total[name] += findings;
  }
  const list = [...rules].map(([rule, dispositions]) => ({
    rule,
    decided: Object.values(dispositions).reduce((sum, count) => sum + count, 0),
    dispositions,
    precision: toPrecision(dispositions),
  }));
  return {
    precision: toPrecision(total),
    // What was decided again in a later period counts there.
    rules: list
      .filter(({ decided }) => decided > 0)
      .toSorted((left, right) => right.decided - left.decided),
  };
}
