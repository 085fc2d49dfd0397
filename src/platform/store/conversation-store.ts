import type { InferResult } from "kysely";
import { type Appearance, listAppearances } from "./appearances.ts";
import type { MessageHit } from "./message-search.ts";
import { createStatement, db, readRow } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type ConversationSummary } from "./summary.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import type { Steps } from "../turns.ts";

/** A conversation as lists show it. */
export interface ConversationRow extends Readonly<
  Omit<ConversationSummary, "maxSeverity" | "titleAt">
> {
  /** Order of arrival. */
  readonly seq: number;
  /**
   * Name in the profile of the version that its newest event names, as of that event's arrival; where that was not
   * registered then, the first name of the version; where no event names a registered one, the only name
   * that the agent ever had.
   */
  readonly agentName: string | null;
  /** Appearances of its agent, each combination once, the first one first. */
  readonly appearances: readonly Appearance[];
  readonly maxSeverity: MaxSeverity;
  /** The message that was searched for. */
  readonly hit?: MessageHit;
}

/** Selects conversations, as `toConversation` takes them. */
export const SELECT_CONVERSATION = db
  .selectFrom("conversation")
  .select([
    "seq",
    "key",
    "organization_id as organizationId",
    "agent_id as agentId",
    "conversation_id as conversationId",
    "title",
    "event_count as eventCount",
    "finding_count as findingCount",
    "max_severity as maxSeverity",
    "max_risk_score as maxRiskScore",
    "requires_review as requiresReview",
    "started_at as startedAt",
    "last_at as lastAt",
  ]);

/** A conversation's row. */
export type RawConversation = InferResult<typeof SELECT_CONVERSATION>[number];

// If the agent had several names, an event without version does not reveal which: then only a common name is returned.
const AGENT_NAME = createStatement(
  (values: { organizationId: string; agentId: string; version: string }) => {
    const profiles = db
      .selectFrom("agent")
      .where("organization_id", "=", values.organizationId)
      .where("agent_id", "=", values.agentId);
    const first = profiles
      .select("name")
      .where("version", "=", values.version)
      .orderBy("revision")
      .limit(1);
    const only = profiles.select((eb) =>
      eb
        .case()
        .when(eb.fn.count("name").distinct(), "=", eb.lit(1))
        .then(eb.fn.max("name"))
        .end()
        .as("name"),
    );
    return db.selectNoFrom((eb) => eb.fn.coalesce(first, only).as("name"));
  },
);

function* findAgentName(
  database: SqlDatabase,
  { organizationId, agentId }: RawConversation,
  appearances: readonly Appearance[],
): Steps<string | null> {
  const versions = appearances.filter(({ version }) => version !== null);
  const [newest] = versions.toSorted((left, right) => right.lastAt - left.lastAt);
  if (newest && newest.name !== null) return newest.name;
  const values = { organizationId, agentId, version: newest?.version ?? "" };
  return (yield* AGENT_NAME.rows(database, values))[0]?.name ?? null;
}

/** Reads a conversation from its row, and its appearances. */
export function* toConversation(
  database: SqlDatabase,
  row: RawConversation,
  appearances: readonly Appearance[],
): Steps<ConversationRow> {
  return {
    ...row,
    agentName: yield* findAgentName(database, row, appearances),
    appearances,
    maxSeverity: SEVERITIES[row.maxSeverity] ?? "none",
    requiresReview: row.requiresReview === 1,
  };
}

/** Finds a conversation by its key. */
export function* findConversation(
  database: SqlDatabase,
  key: string,
): Steps<ConversationRow | undefined> {
  const row = yield* readRow(database, SELECT_CONVERSATION.where("key", "=", key));
  if (!row) return undefined;
  return yield* toConversation(database, row, yield* listAppearances(database, key));
}
