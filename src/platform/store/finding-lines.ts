import { sql } from "kysely";
import {
  addFlagged,
  countSingles,
  type FindingGroup,
  type GroupedFindings,
  selectFindings,
} from "./finding-groups.ts";
import type { QualityFilter } from "./quality-store.ts";
import { createStatement, db, joinLines, readRow, toJsonLine } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

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
const ANSWER = sql<string>`CASE ${col("of_several")} WHEN 1 THEN ${col("answer_id")} || ${col("conversation_key")} ELSE '' END`;
const LINE = toJsonLine([
  col("rule"),
  col("tier"),
  col("disposition"),
  col("severity"),
  sql`${col("suppressed_by")} != ''`,
  col("of_several"),
  ANSWER,
]);
type Line = readonly [
  rule: string,
  tier: FindingGroup["tier"],
  disposition: FindingGroup["disposition"],
  severity: number,
  isHeldBack: 0 | 1,
  isOfSeveral: 0 | 1,
];

/** Reads the findings of a part of the period. */
function* readPart(database: SqlDatabase, part: QualityFilter): Steps<string | null> {
  const query = selectFindings(part).select(joinLines(LINE).as("lines"));
  return (yield* readRow(database, query))?.lines ?? null;
}

/** Answers with findings that nothing holds back, by what was decided about one of them. */
interface Answers {
  readonly violations: Set<string>;
  readonly undecided: Set<string>;
  readonly others: Set<string>;
}

/** Findings that are alike, and where their answers are noted. */
interface Alike {
  readonly group: Omit<FindingGroup, "count">;
  readonly answers: Set<string> | undefined;
  count: number;
}

function toAlike(json: string, { violations, undecided, others }: Answers): Alike {
  const [rule, tier, disposition, severity, heldBack, ofSeveral] = JSON.parse(json) as Line;
  const [isHeldBack, isOfSeveral] = [heldBack === 1, ofSeveral === 1];
  const group = { rule, tier, disposition, severity, isHeldBack, isOfSeveral };
  const decided = disposition === "violation" ? violations : others;
  const answers = disposition === null ? undecided : decided;
  return { group, answers: isOfSeveral && !isHeldBack ? answers : undefined, count: 0 };
}

/** Adds the findings of a part. */
function addFindings(alike: Map<string, Alike>, answers: Answers, lines: string | null): void {
  if (lines === null) return;
  for (const line of lines.split("\n")) {
    // Where the last text begins: a quote within one stands behind a backslash.
    const end = line.lastIndexOf(',"');
    const start = line.slice(0, end);
    let known = alike.get(start);
    if (!known) alike.set(start, (known = toAlike(`${start}]`, answers)));
    known.count++;
    known.answers?.add(line.slice(end));
  }
}

/**
 * Groups the findings of a period by reading them as one text: to group them itself, SQLite would sort all of them for each figure, and
 * as rows they would take five times as long.
 */
export function* groupFindingLines(
  database: SqlDatabase,
  filter: QualityFilter,
): Steps<GroupedFindings> {
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
  const groups = [...alike.values()].map(({ group, count }) => ({ ...group, count }));
  const ofSeveral = {
    answers: violations.size + undecided.size + rest.length,
    violations: violations.size,
    undecided: undecided.size,
  };
  return { groups, flagged: addFlagged(countSingles(groups), ofSeveral) };
}
