import {
  type Ageing,
  readAgeing,
  readDecisions,
  readRuleDecisions,
  type RuleDecisions,
} from "../store/decision-figures.ts";
import type { InsightFilter } from "../store/insight-filter.ts";
import { type FindingTrend, readFindingTrend, type Series } from "../store/finding-trend.ts";
import { readTogether } from "../store/query.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import {
  type BucketFigures,
  type Figures,
  readBuckets,
  readVersionFigures,
  type VersionFigures,
} from "../store/version-figures.ts";
import { type Share, toShare } from "./intervals.ts";
import { listBuckets, type Period } from "./period.ts";
import type { Steps } from "../turns.ts";

/** What a supervisor sees of a period. */
export interface Overview {
  readonly period: Period;
  /** `null` where nothing happened. */
  readonly total: Figures | null;
  readonly buckets: readonly (BucketFigures & { readonly alarmShare: Share | null })[];
  readonly findings: FindingTrend;
  readonly decisions: readonly Series[];
  /** The queue now, whatever the period. */
  readonly queue: Ageing;
  readonly precision: Share | null;
  readonly rules: readonly RuleDecisions[];
  readonly versions: readonly VersionFigures[];
}

/** Reads the overview. */
export function* readOverview(
  database: SqlDatabase,
  filter: InsightFilter,
  now: number,
): Steps<Overview> {
  const { period } = filter;
  const [known, figures, findings, decisions, queue, precision] = yield* readTogether(
    database,
    readBuckets(database, filter),
    readVersionFigures(database, filter),
    readFindingTrend(database, filter),
    readDecisions(database, filter),
    readAgeing(database, filter, now),
    readRuleDecisions(database, filter),
  );
  const byStart = new Map(known.map((bucket) => [bucket.at, bucket]));
  const buckets = listBuckets(period).map((at) => {
    const { answers = 0, alarms = 0 } = byStart.get(at) ?? {};
    return { at, answers, alarms, alarmShare: toShare(alarms, answers) };
  });
  return { period, ...figures, buckets, findings, decisions, queue, ...precision };
}
