import type { Refusal, ReviewAction } from "../review/review-action.ts";
import type { Decision, StoredFinding } from "./finding-store.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Disposition } from "../review/review-policy.ts";
import type { Steps } from "../turns.ts";

/** An answer of the sample, as people decide on it. */
export interface SampledAnswer {
  /** What a decision names it by, as if it were a finding. */
  readonly id: string;
  readonly eventId: string;
  readonly at: number;
  readonly seed: string;
  /** 0 to 1 */
  readonly rate: number;
  /** Whether something was found in it since: its findings are decided then. */
  readonly isFlagged: boolean;
  /** What was decided last. */
  readonly decision: Decision | null;
}

const LIST = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("sampled_answer as answer")
    .leftJoin("disposition", (join) =>
      join
        .onRef("disposition.conversation_key", "=", "answer.conversation_key")
        .onRef("disposition.finding_id", "=", "answer.id"),
    )
    .select([
      "answer.id",
      "answer.event_id as eventId",
      "answer.at as answeredAt",
      "answer.seed",
      "answer.rate",
      "disposition.disposition",
      "disposition.reason_code as reasonCode",
      "disposition.comment",
      "disposition.actor",
      "disposition.at",
    ])
    .where("answer.conversation_key", "=", given.key)
    .orderBy("answer.at")
    .orderBy("answer.id")
    .orderBy("disposition.seq"),
);

/** Lists the sampled answers of a conversation in order of time, each with what was decided about it last. */
export function* listSampledAnswers(
  database: SqlDatabase,
  key: string,
  findings: readonly StoredFinding[],
): Steps<SampledAnswer[]> {
  const flagged = new Set(
    findings.filter(({ suppressedBy }) => suppressedBy === null).map(({ answerId }) => answerId),
  );
  const answers = new Map<string, SampledAnswer>();
  for (const row of yield* LIST.rows(database, { key })) {
    const { id, eventId, answeredAt, seed, rate, disposition, actor, at, ...rest } = row;
    const isDecided = disposition !== null && actor !== null && at !== null;
    const decision = isDecided
      ? { ...rest, disposition: disposition as Disposition, actor, at }
      : null;
    const isFlagged = flagged.has(eventId);
    answers.set(id, { id, eventId, at: answeredAt, seed, rate, isFlagged, decision });
  }
  return [...answers.values()];
}

/** What an item holds: its findings, and its answers of the sample. */
export interface Contents {
  readonly findings: readonly StoredFinding[];
  readonly sampled: readonly SampledAnswer[];
}

/**
 * Lists the sampled answers that a decision about the item decides as well: those of an item without findings. Where there are findings
 * the decision is about these.
 */
export function listWaiting({ findings, sampled }: Contents): SampledAnswer[] {
  const isOnlySampled = findings.every(({ suppressedBy }) => suppressedBy !== null);
  return sampled.filter(
    ({ decision, isFlagged }) => isOnlySampled && decision === null && !isFlagged,
  );
}

const refuse = (detail: string): Refusal => ({ code: "invalid_action", detail });

/** Says why an action can't be about sampled answers; `undefined` where it can, or is not about any. */
export function findSampleProblem(action: ReviewAction, contents: Contents): Refusal | undefined {
  if (action.action !== "decide" && action.action !== "close") return undefined;
  const waiting = listWaiting(contents);
  const ids = action.action === "decide" ? new Set(action.findingIds) : undefined;
  const isAbout = ids ? contents.sampled.some(({ id }) => ids.has(id)) : waiting.length > 0;
  if (!isAbout) return undefined;
  if (action.disposition === "false_positive")
    return refuse(
      "nothing was found in a sampled answer: it is violation, acceptable or insufficient_evidence",
    );
  const isUnclear = !ids && action.disposition === "violation" && waiting.length > 1;
  if (isUnclear) return refuse("several sampled answers wait: decide which of them is a violation");
  return undefined;
}
