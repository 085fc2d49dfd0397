import { sql } from "kysely";
import type { JudgedTier } from "../../events/judge-result.ts";
import type { Disposition } from "../review/review-policy.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import { addLines, type LineCounts } from "./line-counts.ts";
import { MAX_GROUPS, type QualityFilter } from "./quality-store.ts";
import { createStatement, db, joinLines, readRow, toJsonArray, toJsonLine } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Findings of a rule with one opinion of the judge and one decision. */
export interface FindingCount {
  readonly rule: string;
  /** Empty where the judge has said nothing. */
  readonly tier: JudgedTier | "";
  readonly disposition: Disposition | null;
  readonly count: number;
  /** Those of them that a suppression holds back. */
  readonly heldBack: number;
}

/** What was found in a period, and decided about it. */
export interface FindingFigures {
  /** By rule, opinion and decision; of one rule, where the filter names one. */
  readonly counts: readonly FindingCount[];
  /** The same findings by severity. */
  readonly severities: Readonly<Record<MaxSeverity, number>>;
  /** Answers with findings, of all rules: those with a violation, and those about which something is undecided and nothing a violation. */
  readonly flagged: {
    readonly answers: number;
    readonly violations: number;
    readonly undecided: number;
  };
}

/** Findings that are read at a time. */
const CHUNK = 10_000;

const FIND_END = createStatement(({ from, to }: Pick<QualityFilter, "from" | "to">) =>
  db
    .selectFrom("finding")
    .select("at")
    .where("at", ">", from)
    .where("at", "<", to)
    .orderBy("at")
    .limit(1)
    .offset(CHUNK),
);

/** Cuts a period where so many findings are behind each other. */
function* cutPeriod(database: SqlDatabase, { from, to }: QualityFilter) {
  for (let start = from; start < to;) {
    const end = FIND_END.rows(database, { from: start, to })[0]?.at ?? to;
    yield { from: start, to: end };
    start = end;
  }
}

const col = (name: string) => sql.ref<string>(`finding.${name}`);

// Neither a key nor an id is part of another one's: keys are all of the same length.
const ANSWER = sql<string>`${col("conversation_key")} || ${col("answer_id")}`;
const GROUP = toJsonLine([
  col("rule"),
  col("tier"),
  col("disposition"),
  col("severity"),
  sql`${col("suppressed_by")} != ''`,
]);
type Group = readonly [
  rule: string,
  tier: FindingCount["tier"],
  disposition: Disposition | null,
  severity: number,
  isHeldBack: 0 | 1,
];

/**
 * Reads the findings of a part of the period as texts: to group them, SQLite would sort all of them for each figure, and as rows they would
 * take five times as long.
 */
function readPart(database: SqlDatabase, { from, to, agentId, rule }: QualityFilter) {
  let query = db
    .selectFrom("finding")
    .select(({ eb }) => {
      const isShown = eb("suppressed_by", "=", "");
      const listAnswers = (operator: "=" | "!=" | "is", value: string | null) =>
        toJsonArray(ANSWER, eb.and([isShown, eb("disposition", operator, value)]));
      const lines = joinLines(GROUP);
      return [
        (rule === undefined
          ? lines
          : sql<string | null>`${lines} filter (where rule = ${rule})`
        ).as("lines"),
        listAnswers("=", "violation").as("violations"),
        listAnswers("!=", "violation").as("others"),
        listAnswers("is", null).as("undecided"),
      ];
    })
    .where("at", ">=", from)
    .where("at", "<", to);
  if (agentId !== undefined) query = query.where("agent_id", "=", agentId);
  return readRow(database, query);
}

function addTo(ids: Set<string>, json: string | undefined): void {
  for (const id of JSON.parse(json ?? "[]") as string[]) ids.add(id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Puts together the groups that differ in nothing but their severity and what holds them back. */
function toCounts(groups: LineCounts): FindingCount[] {
  const counts = new Map<string, FindingCount>();
  for (const [line, { count }] of groups) {
    const [rule, tier, disposition, , isHeldBack] = JSON.parse(line) as Group;
    const id = JSON.stringify([rule, tier, disposition]);
    const known = counts.get(id) ?? { count: 0, heldBack: 0 };
    const heldBack = known.heldBack + isHeldBack * count;
    counts.set(id, { rule, tier, disposition, count: known.count + count, heldBack });
  }
  return [...counts.values()]
    .toSorted((one, other) => compare(one.rule, other.rule) || compare(one.tier, other.tier))
    .slice(0, MAX_GROUPS);
}

function toSeverities(groups: LineCounts): FindingFigures["severities"] {
  const severities = { none: 0, info: 0, warning: 0, violation: 0 };
  for (const [line, { count }] of groups) {
    const [, , , severity] = JSON.parse(line) as Group;
    severities[SEVERITIES[severity] ?? "none"] += count;
  }
  return severities;
}

/** Counts the findings of a period, and the answers that have them. */
export function countFindings(database: SqlDatabase, filter: QualityFilter): FindingFigures {
  const groups: LineCounts = new Map();
  const violations = new Set<string>();
  const undecided = new Set<string>();
  const others = new Set<string>();
  for (const part of cutPeriod(database, filter)) {
    const row = readPart(database, { ...filter, ...part });
    addLines(groups, row?.lines ?? null);
    addTo(violations, row?.violations);
    addTo(undecided, row?.undecided);
    addTo(others, row?.others);
  }
  for (const id of violations) undecided.delete(id);
  const rest = [...others].filter((id) => !violations.has(id) && !undecided.has(id));
  return {
    counts: toCounts(groups),
    severities: toSeverities(groups),
    flagged: {
      answers: violations.size + undecided.size + rest.length,
      violations: violations.size,
      undecided: undecided.size,
    },
  };
}
