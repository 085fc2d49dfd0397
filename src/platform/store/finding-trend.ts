import { listBuckets } from "../insight/period.ts";
import { SEVERITIES } from "../severities.ts";
import { db, readRows, type SelectedRow } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type InsightFilter, isWithin } from "./insight-filter.ts";
import type { Steps } from "../turns.ts";

/** How often something was found, by bucket of the period. */
export interface Series {
  readonly name: string;
  readonly total: number;
  readonly counts: readonly number[];
}

/** Findings over time, by severity, by category and by rule. */
export interface FindingTrend {
  readonly severity: readonly Series[];
  readonly category: readonly Series[];
  /** The most frequent rules. */
  readonly rule: readonly (Series & { readonly category: string })[];
}

const MAX_RULES = 100;

const selectCounts = (filter: InsightFilter) =>
  db
    .selectFrom("finding_count")
    .select(["at", "rule", "category", "severity"])
    .select(({ fn }) => fn.sum<number>("findings").as("findings"))
    .where(isWithin(filter))
    .groupBy(["at", "rule", "category", "severity"])
    .orderBy("at")
    .orderBy("rule")
    .orderBy("category")
    .orderBy("severity");

type Count = SelectedRow<ReturnType<typeof selectCounts>>;

function toSeries(rows: readonly Count[], filter: InsightFilter, of: (row: Count) => string) {
  const { period } = filter;
  const size = listBuckets(period).length;
  const series = new Map<string, number[]>();
  for (const row of rows) {
    const counts = series.get(of(row)) ?? Array.from({ length: size }, () => 0);
    series.set(of(row), counts);
    const index = (row.at - period.from) / period.width;
    counts[index] = (counts[index] ?? 0) + row.findings;
  }
  const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
  return [...series]
    .map(([name, counts]): Series => ({ name, total: sum(counts), counts }))
    .toSorted((left, right) => right.total - left.total);
}

/** Reads the findings of a period; series with the most findings first, severities the worst first. */
export function* readFindingTrend(
  database: SqlDatabase,
  filter: InsightFilter,
): Steps<FindingTrend> {
  const rows = yield* readRows(database, selectCounts(filter));
  const categories = new Map(rows.map(({ rule, category }) => [rule, category]));
  const severity = toSeries(rows, filter, (row) => SEVERITIES[row.severity] ?? "none");
  const rank = ({ name }: Series): number => SEVERITIES.findIndex((known) => known === name);
  return {
    severity: severity.toSorted((left, right) => rank(right) - rank(left)),
    category: toSeries(rows, filter, (row) => row.category),
    rule: toSeries(rows, filter, (row) => row.rule)
      .slice(0, MAX_RULES)
      .map((series) => ({ ...series, category: categories.get(series.name) ?? "" })),
  };
}
