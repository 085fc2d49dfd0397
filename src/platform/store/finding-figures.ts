import { sql } from "kysely";
import type { JudgedTier } from "../../events/judge-result.ts";
import { compareTexts } from "../../util/compare-texts.ts";
import type { Disposition } from "../review/review-policy.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import { MAX_GROUPS, type QualityFilter } from "./quality-store.ts";
import { createStatement, db, joinLines, readRow, toJsonLine } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

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

const col = (name: string) => sql.ref<string>(`finding.${name}`);

// Neither a key nor an id is part of another one's: keys are all of the same length. A key comes last, since it ends in no comma.
const ANSWER = sql<string>`${col("answer_id")} || ${col("conversation_key")}`;
const LINE = toJsonLine([
  col("rule"),
  col("tier"),
  col("disposition"),
  col("severity"),
  sql`${col("suppressed_by")} != ''`,
  ANSWER,
]);
type Group = readonly [
  rule: string,
  tier: FindingCount["tier"],
  disposition: Disposition | null,
  severity: number,
  isHeldBack: 0 | 1,
];

/**
 * Reads the findings of a part of the period as one text: to group them, SQLite would sort all of them for each figure, and as rows they
 * would take five times as long.
 */
function* readPart(
  database: SqlDatabase,
  { from, to, agentId }: QualityFilter,
): Steps<string | null> {
  let query = db
    .selectFrom("finding")
    .select(joinLines(LINE).as("lines"))
    .where("at", ">=", from)
    .where("at", "<", to);
  if (agentId !== undefined) query = query.where("agent_id", "=", agentId);
  return (yield* readRow(database, query))?.lines ?? null;
}

/** Answers with findings that nothing holds back, by what was decided about one of them. */
interface Answers {
  readonly violations: Set<string>;
  readonly undecided: Set<string>;
  readonly others: Set<string>;
}

/** How many findings there are alike, and where their answers are noted. */
interface Alike {
  readonly group: Group;
  readonly answers: Set<string> | undefined;
  count: number;
}

function toAlike(json: string, { violations, undecided, others }: Answers): Alike {
  const group = JSON.parse(json) as Group;
  const [, , disposition, , isHeldBack] = group;
  const decided = disposition === "violation" ? violations : others;
  const answers = disposition === null ? undecided : decided;
  return { group, answers: isHeldBack ? undefined : answers, count: 0 };
}

/** Adds the findings of a part. */
function addFindings(alike: Map<string, Alike>, answers: Answers, lines: string | null): void {
  if (lines === null) return;
  for (const line of lines.split("\n")) {
    // Where the last text begins: a quote within one stands behind a backslash.
    const end = Math.max(line.lastIndexOf(',"'), line.lastIndexOf(', "'));
    const start = line.slice(0, end);
    let known = alike.get(start);
    if (!known) alike.set(start, (known = toAlike(`${start}]`, answers)));
    known.count++;
    known.answers?.add(line.slice(end));
  }
}

/** Puts together the groups that differ in nothing but their severity and what holds them back. */
function toCounts(groups: readonly Alike[]): FindingCount[] {
  const counts = new Map<string, FindingCount>();
  for (const { group, count } of groups) {
    const [rule, tier, disposition, , isHeldBack] = group;
    const id = JSON.stringify([rule, tier, disposition]);
    const known = counts.get(id) ?? { count: 0, heldBack: 0 };
    const heldBack = known.heldBack + isHeldBack * count;
    counts.set(id, { rule, tier, disposition, count: known.count + count, heldBack });
  }
  return [...counts.values()]
    .toSorted(
      (one, other) =>
        compareTexts(one.rule, other.rule) ||
        compareTexts(one.tier, other.tier) ||
        compareTexts(one.disposition ?? "", other.disposition ?? ""),
    )
    .slice(0, MAX_GROUPS);
}

function toSeverities(groups: readonly Alike[]): FindingFigures["severities"] {
  const severities = { none: 0, info: 0, warning: 0, violation: 0 };
  for (const { group, count } of groups) {
    const [, , , severity] = group;
    severities[SEVERITIES[severity] ?? "none"] += count;
  }
  return severities;
}

/** Counts the findings of a period, and the answers that have them. */
export function* countFindings(
  database: SqlDatabase,
  filter: QualityFilter,
): Steps<FindingFigures> {
  const alike = new Map<string, Alike>();
  const answers: Answers = { violations: new Set(), undecided: new Set(), others: new Set() };
  for (let { from } = filter; from < filter.to;) {
    const [last] = yield* FIND_END.rows(database, { from, to: filter.to });
    const to = last?.at ?? filter.to;
    addFindings(alike, answers, yield* readPart(database, { ...filter, from, to }));
    from = to;
  }
  const { violations, undecided, others } = answers;
  for (const id of violations) undecided.delete(id);
  const rest = [...others].filter((id) => !violations.has(id) && !undecided.has(id));
  const { rule } = filter;
  const groups = [...alike.values()].filter(
    ({ group: [own] }) => rule === undefined || own === rule,
  );
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
