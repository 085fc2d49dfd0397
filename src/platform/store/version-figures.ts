import { type Share, toShare } from "../insight/intervals.ts";
import { readQuantile } from "../insight/latencies.ts";
import { type InsightFilter, isWithin } from "./insight-filter.ts";
import { LATENCY_COLUMNS, MEASURE_COLUMNS } from "./activity.ts";
import { db, readRows, type SelectedRow } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

/** Figures of some answers. A share's `value` is 0 to 1, and `null` where there was no case. */
export interface Figures {
  readonly answers: number;
  /** Answers in which the rules have found something at once, and findings that came later. */
  readonly alarms: number;
  /** Alarms for each answer. */
  readonly alarmShare: Share | null;
  readonly requiresReview: number;
  /** Conversations that began. */
  readonly conversations: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the unit in which events state it; `null` where none does. */
  readonly cost: number | null;
  readonly errors: number;
  /** Errors among answers and errors. */
  readonly errorShare: Share | null;
  readonly toolCalls: number;
  readonly failedCalls: number;
  /** Failed ones among the results of tools. */
  readonly failedCallShare: Share | null;
  /** ms; `null` where no answer has a latency. */
  readonly latencyP50: number | null;
  readonly latencyP95: number | null;
}

/** Figures of an agent's version. */
export interface VersionFigures extends Figures {
  readonly agentId: string;
  /** `null` where the events don't say it. */
  readonly version: string | null;
  readonly environments: readonly string[];
  /** Starts of the first and of the last bucket with something of it. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const SUM_COLUMNS = [...MEASURE_COLUMNS, ...LATENCY_COLUMNS];
type Sums = Pick<Tables["activity"], (typeof SUM_COLUMNS)[number]>;

function addSums(one: Sums, other: Sums): Sums {
  const sums = { ...one };
  for (const name of SUM_COLUMNS) sums[name] += other[name];
  return sums;
}

const NANOS = 1e9;

function toFigures(sums: Sums): Figures {
  const { answers, alarms, errors } = sums;
  const latencies = LATENCY_COLUMNS.map((name) => sums[name]);
  return {
    answers,
    alarms,
    alarmShare: toShare(alarms, answers),
    requiresReview: sums.requires_review,
    conversations: sums.conversations,
    inputTokens: sums.input_tokens,
    outputTokens: sums.output_tokens,
    cost: sums.costed > 0 ? sums.cost_nanos / NANOS : null,
    errors,
    errorShare: toShare(errors, answers + errors),
    toolCalls: sums.tool_calls,
    failedCalls: sums.failed_calls,
    failedCallShare: toShare(sums.failed_calls, sums.tool_results),
    latencyP50: readQuantile(latencies, 0.5),
    latencyP95: readQuantile(latencies, 0.95),
  };
}

function selectActivity(filter: InsightFilter) {
  return db.selectFrom("activity").where(isWithin(filter));
}

const selectSums = (filter: InsightFilter) =>
  selectActivity(filter)
    .select(["agent_id as agentId", "agent_version as version", "environment"])
    .select(({ fn }) => [fn.min<number>("at").as("firstAt"), fn.max<number>("at").as("lastAt")])
    .select(({ fn }) => SUM_COLUMNS.map((name) => fn.sum<number>(name).as(name)))
    .groupBy(["agent_id", "agent_version", "environment"])
    .orderBy("agent_id")
    .orderBy("agent_version")
    .orderBy("environment");

type SumRow = SelectedRow<ReturnType<typeof selectSums>>;

function mergeRows(one: SumRow | undefined, other: SumRow): SumRow {
  if (!one) return other;
  const firstAt = Math.min(one.firstAt, other.firstAt);
  const lastAt = Math.max(one.lastAt, other.lastAt);
  return { ...one, ...addSums(one, other), firstAt, lastAt };
}

const MAX_VERSIONS = 200;

/** Reads the figures of all versions of a filter, those seen last first, and of all of them together. */
export function* readVersionFigures(
  database: SqlDatabase,
  filter: InsightFilter,
): Steps<{ readonly total: Figures | null; readonly versions: readonly VersionFigures[] }> {
  const versions = new Map<string, { readonly row: SumRow; readonly environments: string[] }>();
  let total: SumRow | undefined;
  for (const row of yield* readRows(database, selectSums(filter))) {
    total = mergeRows(total, row);
    const id = JSON.stringify([row.agentId, row.version]);
    const known = versions.get(id);
    const environments = [...(known?.environments ?? []), row.environment];
    versions.set(id, { row: mergeRows(known?.row, row), environments });
  }
  return {
    total: total ? toFigures(total) : null,
    versions: [...versions.values()]
      .toSorted((left, right) => right.row.lastAt - left.row.lastAt)
      .slice(0, MAX_VERSIONS)
      .map(({ row, environments }) => ({
        agentId: row.agentId,
        version: row.version === "" ? null : row.version,
        environments: environments.filter((name) => name !== ""),
        firstAt: row.firstAt,
        lastAt: row.lastAt,
        ...toFigures(row),
      })),
  };
}

/** Answers and alarms of a bucket. */
export interface BucketFigures {
  readonly at: number;
  readonly answers: number;
  readonly alarms: number;
}

/** Reads answers and alarms over time; buckets of which nothing is known are not among them. */
export function* readBuckets(database: SqlDatabase, filter: InsightFilter): Steps<BucketFigures[]> {
  return yield* readRows(
    database,
    selectActivity(filter)
      .select("at")
      .select(({ fn }) => [
        fn.sum<number>("answers").as("answers"),
        fn.sum<number>("alarms").as("alarms"),
      ])
      .groupBy("at")
      .orderBy("at"),
  );
}
