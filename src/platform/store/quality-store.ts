import type { ExpressionBuilder } from "kysely";
import type { Period } from "../quality/period.ts";
import type { Disposition } from "../review/review-policy.ts";
import { db, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

/** Filter of what is measured; an absent member matches all. */
export interface QualityFilter extends Period {
  readonly agentId?: string | undefined;
  readonly rule?: string | undefined;
}

/** Limit of groups that are read: agents and rules are named by those who send. */
export const MAX_GROUPS = 5000;

const DAY_MILLIS = 86_400_000;

/** Answers of an agent that were sampled in one way. */
export interface AnswerCount {
  readonly organizationId: string;
  readonly agentId: string;
  /** Empty where none was sampled. */
  readonly seed: string;
  readonly rate: number;
  /** From its first day to the end of its last one. */
  readonly from: number;
  readonly to: number;
  readonly answers: number;
  /** Those in which something was found at once, or later. */
  readonly flagged: number;
  /** Those without findings, of which the sample was taken. */
  readonly population: number;
  readonly sampled: number;
}

/** Where a page of counts ends. */
export type CountCursor = readonly [
  organizationId: string,
  agentId: string,
  seed: string,
  rate: number,
];

/** Counts answers and their sample, by agent and by the way of sampling. */
export function* listAnswerCounts(
  database: SqlDatabase,
  { from, to, agentId }: QualityFilter,
  { limit, after }: { readonly limit: number; readonly after?: CountCursor | undefined },
): Steps<AnswerCount[]> {
  let query = db
    .selectFrom("answer_count")
    .select(["organization_id as organizationId", "agent_id as agentId", "seed", "rate"])
    .select(({ fn, eb }) => [
      fn.min("day").as("from"),
      eb(fn.max("day"), "+", eb.lit(DAY_MILLIS)).as("to"),
      fn.sum<number>("answers").as("answers"),
      fn.sum<number>(eb("flagged", "+", eb.ref("flagged_later"))).as("flagged"),
      fn.sum<number>("sampled").as("sampled"),
    ])
    .where("day", ">=", from)
    .where("day", "<", to);
  if (agentId !== undefined) query = query.where("agent_id", "=", agentId);
  if (after)
    query = query.where((eb) =>
      eb(
        eb.refTuple("organization_id", "agent_id", "seed", "rate"),
        ">",
        eb.tuple(after[0], after[1], after[2], after[3]),
      ),
    );
  const rows = yield* readRows(
    database,
    query
      .groupBy(["organization_id", "agent_id", "seed", "rate"])
      .orderBy("organization_id")
      .orderBy("agent_id")
      .orderBy("seed")
      .orderBy("rate")
      .limit(limit),
  );
  return rows.map((row) => ({ ...row, population: Math.max(0, row.answers - row.flagged) }));
}

/** Selects what was decided about a sampled answer last; `NULL` where nothing was. */
const lastDisposition = (eb: ExpressionBuilder<Tables, "sampled_answer">) =>
  eb
    .selectFrom("disposition")
    .select("disposition.disposition")
    .whereRef("disposition.conversation_key", "=", "sampled_answer.conversation_key")
    .whereRef("disposition.finding_id", "=", "sampled_answer.id")
    .orderBy("disposition.seq", "desc")
    .limit(1);

/** Sampled answers of an agent at one rate that are in the same state. */
export interface SampleCount {
  readonly organizationId: string;
  readonly agentId: string;
  readonly rate: number;
  /** What was decided last; `null` for nothing. */
  readonly disposition: Disposition | null;
  /** Whether something was found in them after they were chosen. */
  readonly isFlagged: boolean;
  readonly count: number;
}

/** Counts sampled answers by what became of them. */
export function* listSampleCounts(
  database: SqlDatabase,
  { from, to, agentId }: QualityFilter,
): Steps<SampleCount[]> {
  let answers = db
    .selectFrom("sampled_answer")
    .select(["organization_id", "agent_id", "rate"])
    .select((eb) => [
      lastDisposition(eb).as("disposition"),
      // Looked up for each: PostgreSQL would read all findings for an `exists`.
      eb(
        eb
          .selectFrom("finding")
          .select("finding.seq")
          .whereRef("finding.conversation_key", "=", "sampled_answer.conversation_key")
          .whereRef("finding.answer_id", "=", "sampled_answer.event_id")
          .where("finding.suppressed_by", "=", "")
          .limit(1),
        "is not",
        null,
      ).as("flagged"),
    ])
    .where("at", ">=", from)
    .where("at", "<", to);
  if (agentId !== undefined) answers = answers.where("agent_id", "=", agentId);
  const rows = yield* readRows(
    database,
    db
      .selectFrom(answers.as("answer"))
      .select(["organization_id as organizationId", "agent_id as agentId", "rate"])
      .select(["disposition", "flagged"])
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .groupBy(["organization_id", "agent_id", "rate", "disposition", "flagged"])
      .limit(MAX_GROUPS),
  );
  return rows.map(({ disposition, flagged, ...row }) => ({
    ...row,
    disposition: disposition as Disposition | null,
    isFlagged: Number(flagged) === 1,
  }));
}
