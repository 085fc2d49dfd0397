import { sql } from "kysely";
import type { JudgedTier } from "../../events/judge-result.ts";
import type { Disposition } from "../review/review-policy.ts";
import type { QualityFilter } from "./quality-store.ts";
import { db, readRow, readRows, readTogether } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Findings that are alike. */
export interface FindingGroup {
  readonly rule: string;
  /** Empty where the judge has said nothing. */
  readonly tier: JudgedTier | "";
  readonly disposition: Disposition | null;
  readonly severity: number;
  /** Whether a suppression holds them back. */
  readonly isHeldBack: boolean;
  /** Whether the answer of each has other findings. */
  readonly isOfSeveral: boolean;
  readonly count: number;
}

/** Answers with findings that nothing holds back: those with a violation, and those about which something is undecided and nothing a violation. */
export interface FlaggedAnswers {
  readonly answers: number;
  readonly violations: number;
  readonly undecided: number;
}

/** What was found in a period. */
export interface GroupedFindings {
  readonly groups: readonly FindingGroup[];
  readonly flagged: FlaggedAnswers;
}

/** Selects the findings of a period, of an agent where the filter names one. */
export const selectFindings = ({ from, to, agentId }: QualityFilter) => {
  const findings = db.selectFrom("finding").where("at", ">=", from).where("at", "<", to);
  return agentId === undefined ? findings : findings.where("agent_id", "=", agentId);
};

/** Counts the answers that have one finding each. */
export function countSingles(groups: readonly FindingGroup[]): FlaggedAnswers {
  const singles = groups.filter(({ isHeldBack, isOfSeveral }) => !isHeldBack && !isOfSeveral);
  const countThose = (isWanted: (group: FindingGroup) => boolean): number =>
    singles.filter(isWanted).reduce((total, { count }) => total + count, 0);
  return {
    answers: countThose(() => true),
    violations: countThose(({ disposition }) => disposition === "violation"),
    undecided: countThose(({ disposition }) => disposition === null),
  };
}

/** Adds counts of other answers. */
export const addFlagged = (one: FlaggedAnswers, other: FlaggedAnswers): FlaggedAnswers => ({
  answers: one.answers + other.answers,
  violations: one.violations + other.violations,
  undecided: one.undecided + other.undecided,
});

const COLUMNS = ["rule", "tier", "disposition", "severity", "of_several"] as const;

function* readGroups(database: SqlDatabase, filter: QualityFilter): Steps<FindingGroup[]> {
  const rows = yield* readRows(
    database,
    selectFindings(filter)
      .select(COLUMNS)
      .select(sql<number>`suppressed_by != ''`.as("held_back"))
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .groupBy([...COLUMNS, "held_back"]),
  );
  return rows.map((row) => ({
    rule: row.rule,
    tier: row.tier as FindingGroup["tier"],
    disposition: row.disposition as Disposition | null,
    severity: row.severity,
    isHeldBack: row.held_back === 1,
    isOfSeveral: row.of_several === 1,
    count: row.count,
  }));
}

/** Counts the answers that have several findings. */
function* countOfSeveral(database: SqlDatabase, filter: QualityFilter): Steps<FlaggedAnswers> {
  const answers = selectFindings(filter)
    .select([
      sql<boolean>`bool_or(disposition is not distinct from 'violation')`.as("is_violation"),
      sql<boolean>`bool_or(disposition is null)`.as("is_undecided"),
    ])
    .where("suppressed_by", "=", "")
    .where("of_several", "=", 1)
    .groupBy(["conversation_key", "answer_id"]);
  const counts = yield* readRow(
    database,
    db
      .selectFrom(answers.as("answer"))
      .select(({ fn }) => [
        fn.countAll<number>().as("answers"),
        sql<number>`count(*) filter (where is_violation)`.as("violations"),
        sql<number>`count(*) filter (where is_undecided and not is_violation)`.as("undecided"),
      ]),
  );
  return counts ?? { answers: 0, violations: 0, undecided: 0 };
}

/** Groups the findings of a period, as PostgreSQL does: SQLite would sort all of them for each figure. */
export function* groupFindings(
  database: SqlDatabase,
  filter: QualityFilter,
): Steps<GroupedFindings> {
  const [groups, ofSeveral] = yield* readTogether(
    database,
    readGroups(database, filter),
    countOfSeveral(database, filter),
  );
  return { groups, flagged: addFlagged(countSingles(groups), ofSeveral) };
}
