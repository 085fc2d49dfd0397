import { isSampled, type Sampling, toRate, toSeed } from "../quality/sampling.ts";
import { toDigest } from "../review/findings.ts";
import { changeAll } from "./change-all.ts";
import { createStatement, db } from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

/** An answer: its event and its conversation. */
interface Answer {
  readonly organizationId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly eventId: string;
  readonly agentId: string;
  readonly timestamp: number;
  readonly receivedAt: number;
}

type Owner = Pick<Answer, "agentId" | "key" | "organizationId">;

type SampledRow = Tables["sampled_answer"];

// A fuller copy of an answer is the same answer.
const PUT_SAMPLED = createStatement((row: SampledRow) =>
  db
    .insertInto("sampled_answer")
    .values({
      id: row.id,
      organization_id: row.organization_id,
      conversation_key: row.conversation_key,
      event_id: row.event_id,
      agent_id: row.agent_id,
      at: row.at,
      sampled_at: row.sampled_at,
      seed: row.seed,
      rate: row.rate,
    })
    .onConflict((conflict) => conflict.columns(["id", "organization_id"]).doNothing()),
);

interface AboutAnswer {
  readonly key: string;
  readonly answerId: string;
}

const COUNT_SHOWN = createStatement((given: AboutAnswer) =>
  db
    .selectFrom("finding")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("conversation_key", "=", given.key)
    .where("answer_id", "=", given.answerId)
    .where("suppressed_by", "=", ""),
);

const FIND_ANSWER = createStatement(
  (given: { readonly organizationId: string; readonly answerId: string }) =>
    db
      .selectFrom("event")
      .select("timestamp")
      .where("event_id", "=", given.answerId)
      .where("organization_id", "=", given.organizationId)
      .where("type", "=", "agent_response"),
);

type CountRow = Tables["answer_count"];
type Counts = Pick<CountRow, "answers" | "flagged" | "flagged_later" | "sampled">;

const MERGE = createStatement((row: CountRow) =>
  db
    .insertInto("answer_count")
    .values({
      day: row.day,
      organization_id: row.organization_id,
      agent_id: row.agent_id,
      seed: row.seed,
      rate: row.rate,
      answers: row.answers,
      flagged: row.flagged,
      flagged_later: row.flagged_later,
      sampled: row.sampled,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["day", "organization_id", "agent_id", "seed", "rate"])
        .doUpdateSet((eb) => ({
          answers: eb("answer_count.answers", "+", eb.ref("excluded.answers")),
          flagged: eb("answer_count.flagged", "+", eb.ref("excluded.flagged")),
          flagged_later: eb("answer_count.flagged_later", "+", eb.ref("excluded.flagged_later")),
          sampled: eb("answer_count.sampled", "+", eb.ref("excluded.sampled")),
        })),
    ),
);

const NOTHING: Counts = { answers: 0, flagged: 0, flagged_later: 0, sampled: 0 };

const DAY_MILLIS = 86_400_000;

/** Returns the first millisecond of a UTC day. */
export const toDay = (millis: number): number =>
  millis - (((millis % DAY_MILLIS) + DAY_MILLIS) % DAY_MILLIS);

/**
 * Counts answers and chooses the sample among those in which nothing was found that people are shown: a finding that is held back
 * by a suppression is looked at by nobody else.
 */
export function createAnswerCounts(database: Transaction, sampling: Sampling) {
  const rows = new Map<string, CountRow>();
  const add = ({ organizationId, agentId }: Owner, timestamp: number, name: keyof Counts): void => {
    const rate = toRate(sampling, agentId);
    // Without a sample the seed says nothing.
    const seed = rate > 0 ? toSeed(sampling) : "";
    const day = toDay(timestamp);
    // Neither has a line break.
    const id = `${day}\n${organizationId}\n${agentId}`;
    const names = { day, organization_id: organizationId, agent_id: agentId, seed, rate };
    const row = rows.get(id) ?? { ...names, ...NOTHING };
    row[name]++;
    rows.set(id, row);
  };
  const countShown = function* (key: string, answerId: string): Steps<number> {
    return (yield* COUNT_SHOWN.rows(database, { key, answerId }))[0]?.count ?? 0;
  };

  return {
    /**
     * Counts a new answer, whose findings are stored.
     *
     * @param mayBeFlagged - Whether its conversation has any findings.
     * @returns Whether it is in the sample.
     */
    *addAnswer(answer: Answer, mayBeFlagged: boolean): Steps<boolean> {
      const { organizationId, key, eventId, agentId, timestamp, receivedAt } = answer;
      add(answer, timestamp, "answers");
      if (mayBeFlagged && (yield* countShown(key, eventId)) > 0) {
        add(answer, timestamp, "flagged");
        return false;
      }
      const [seed, rate] = [toSeed(sampling), toRate(sampling, agentId)];
      if (!isSampled(seed, eventId, rate)) return false;
      add(answer, timestamp, "sampled");
      yield* PUT_SAMPLED.send(database, {
        id: toDigest("qa_sample", eventId),
        organization_id: organizationId,
        conversation_key: key,
        event_id: eventId,
        agent_id: agentId,
        at: timestamp,
        sampled_at: receivedAt,
        seed,
        rate,
      });
      return true;
    },
    /** Notes that something was found in an answer that may have been counted already. @param added - Number of its new findings. */
    *addLater(owner: Owner, answerId: string, added: number): Steps<void> {
      const { organizationId, key } = owner;
      if ((yield* countShown(key, answerId)) > added) return;
      const [answer] = yield* FIND_ANSWER.rows(database, { organizationId, answerId });
      if (answer) add(owner, answer.timestamp, "flagged_later");
    },
    /** Adds the counts to the stored ones. In the transaction of the answers. */
    *save(): Steps<void> {
      yield* changeAll(database, MERGE, [...rows.values()]);
    },
  };
}
