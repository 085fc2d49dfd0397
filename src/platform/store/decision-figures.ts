import { type Expression, sql, type SqlBool } from "kysely";
import { type Share, toShare } from "../insight/intervals.ts";
import { DISPOSITIONS, type Disposition } from "../review/review-policy.ts";
import { db, readRow, readRows, withoutIndex } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Series } from "./finding-trend.ts";
import { listBuckets } from "../insight/period.ts";
import { type InsightFilter, isWithin } from "./insight-filter.ts";
import type { Steps } from "../turns.ts";

/** Matches keys of conversations of an agent, with a finding of a version and in an environment; `undefined` where all match. */
function isOf(
  key: Expression<string>,
  { agentId, environment, version }: InsightFilter,
): Expression<SqlBool> | undefined {
  if (environment === undefined && version === undefined) {
    if (agentId === undefined) return undefined;
    const own = db
      .selectFrom("conversation")
      .select("conversation.seq")
      .where("conversation.key", "=", key)
      // By an index, SQLite would read all conversations of the agent for each key.
      .where(sql<SqlBool>`${withoutIndex(sql.ref("conversation.agent_id"))} = ${agentId}`);
    return sql`exists ${own}`;
  }
  const wanted = { agent_id: agentId, agent_version: version, environment };
  let found = db
    .selectFrom("finding")
    .select("finding.seq")
    .where("finding.conversation_key", "=", key);
  for (const name of ["agent_id", "agent_version", "environment"] as const)
    if (wanted[name] !== undefined) found = found.where(`finding.${name}`, "=", wanted[name]);
  return sql`exists ${found}`;
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
  const isWanted = isOf(sql.ref("disposition.conversation_key"), filter);
  if (isWanted) query = query.where(isWanted);
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
  const isWanted = isOf(sql.ref("review_item.key"), filter);
  let query = db
    .selectFrom("review_item")
    .where("review_item.queue", "!=", "closed")
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
    });
  if (isWanted) query = query.where(isWanted);
  const row = yield* readRow(database, query);
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
