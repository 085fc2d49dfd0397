import type { DetailedEvent } from "../../events/detailed-event.ts";
import {
  type Decided,
  type Evaluation,
  toEvaluation,
  toLogsRequest,
} from "../evaluations/evaluation.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import { putMessage } from "./outgoing-store.ts";
import { createStatement, db, readRow, readRows, type RowOf } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const LIST = createStatement(
  (given: { readonly key: string; readonly after: number; readonly audited: number | null }) =>
    db
      .selectFrom("disposition")
      .innerJoin("conversation", "conversation.key", "disposition.conversation_key")
      .leftJoin("finding", (join) =>
        join
          .onRef("finding.id", "=", "disposition.finding_id")
          .onRef("finding.organization_id", "=", "disposition.organization_id"),
      )
      .leftJoin("sampled_answer", (join) =>
        join
          .onRef("sampled_answer.id", "=", "disposition.finding_id")
          .onRef("sampled_answer.conversation_key", "=", "disposition.conversation_key"),
      )
      .select([
        "disposition.seq",
        "disposition.organization_id as organizationId",
        "disposition.conversation_key as key",
        "disposition.finding_id as findingId",
        "disposition.disposition",
        "disposition.reason_code as reasonCode",
        "disposition.at",
        "disposition.audit_sequence as auditSequence",
        "conversation.conversation_id as conversationId",
        "conversation.agent_id as agentId",
        "finding.rule",
        "finding.category",
        "finding.agent_version as agentVersion",
        "finding.environment",
        "finding.confidential",
      ])
      .select(({ fn }) =>
        fn.coalesce("finding.answer_id", "sampled_answer.event_id").as("answerId"),
      )
      .where("disposition.conversation_key", "=", given.key)
      .where("disposition.seq", ">", given.after)
      .where(({ eb, fn }) =>
        eb(
          "disposition.audit_sequence",
          "=",
          fn.coalesce(eb.val(given.audited), "disposition.audit_sequence"),
        ),
      )
      .orderBy("disposition.seq")
      .limit(CHUNK),
);

/** Decisions of which the answers are read together, and that one request has at most. */
const CHUNK = 100;

type Row = RowOf<typeof LIST>;

/** Reads the metadata of events, by their ids. */
function* readMetadata(
  database: SqlDatabase,
  key: string,
  rows: readonly Row[],
): Steps<ReadonlyMap<string, Decided["metadata"]>> {
  const ids = [...new Set(rows.flatMap(({ answerId }) => answerId ?? []))];
  if (ids.length === 0) return new Map();
  const events = yield* readRows(
    database,
    EVENT_WITH_BODY.select(["event.event_id as eventId", "body.json"])
      .where("event.conversation_key", "=", key)
      .where("event.event_id", "in", ids),
  );
  return new Map(
    events.map(({ eventId, json }) => [
      eventId,
      ((JSON.parse(json) as DetailedEvent).metadata ?? {}) as Decided["metadata"],
    ]),
  );
}

/** A decision, and whether nobody outside may learn of what it is about. */
interface StoredEvaluation {
  readonly evaluation: Evaluation;
  readonly isOfItem: boolean;
  readonly isConfidential: boolean;
}

/** Which decisions about a conversation are read. */
interface EvaluationPlace {
  readonly key: string;
  /** Number behind which they stand; 0 for the first. */
  readonly after: number;
  /** Number of the audit record whose decisions are wanted; absent or `null` for all. */
  readonly audited?: number | null;
}

/** A part of them. */
export interface EvaluationPage {
  readonly part: readonly StoredEvaluation[];
  /** Number behind which the next ones stand; `undefined` behind the last ones. */
  readonly next: number | undefined;
}

/** Reads decisions about a conversation as evaluations, some at a time. */
export function* readEvaluations(
  database: SqlDatabase,
  { key, after, audited = null }: EvaluationPlace,
): Steps<EvaluationPage> {
  const rows = yield* LIST.rows(database, { key, after, audited });
  const metadata = yield* readMetadata(database, key, rows);
  return {
    part: rows.map(({ confidential, seq: _seq, ...row }) => ({
      evaluation: toEvaluation({ ...row, metadata: metadata.get(row.answerId ?? "") ?? {} }),
      isOfItem: row.findingId === "",
      isConfidential: confidential === 1,
    })),
    next: rows.length < CHUNK ? undefined : rows.at(-1)?.seq,
  };
}

/** Returns whether a conversation has a finding of which nobody outside may learn. */
function* hasConfidential(database: SqlDatabase, key: string): Steps<boolean> {
  const query = db.selectFrom("finding").select("seq").where("conversation_key", "=", key);
  return (yield* readRow(database, query.where("confidential", "=", 1).limit(1))) !== undefined;
}

/** What was decided. */
interface Decision {
  /** Key of the conversation. */
  readonly key: string;
  readonly organizationId: string;
  /** Number of its audit record. */
  readonly sequence: number;
  readonly now: number;
}

/**
 * Puts decisions into the outbox as evaluations. In the transaction in which they are made.
 *
 * What is said of a confidential finding stays here, and so does what is said of an item that has one.
 */
export function* sendEvaluations(
  database: Transaction,
  url: string,
  { key, organizationId, sequence, now }: Decision,
): Steps<void> {
  const isItemConfidential = yield* hasConfidential(database, key);
  for (let after: number | undefined = 0; after !== undefined;) {
    const { part, next }: EvaluationPage = yield* readEvaluations(database, {
      key,
      after,
      audited: sequence,
    });
    after = next;
    const sent = part.filter(
      ({ isOfItem, isConfidential }) => !isConfidential && !(isOfItem && isItemConfidential),
    );
    if (sent.length === 0) continue;
    const evaluations = sent.map(({ evaluation }) => evaluation);
    const body = toLogsRequest(evaluations, organizationId);
    yield* putMessage(database, { kind: "evaluation", url, body, at: now });
  }
}
