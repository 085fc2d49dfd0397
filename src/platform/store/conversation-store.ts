import type { ExpressionBuilder, InferResult } from "kysely";
import { type Appearance, listAppearances } from "./appearances.ts";
import { createStatement, db, readRow, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type ConversationSummary } from "./summary.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import type { Tables } from "./tables.ts";

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
}

/** Filter of conversations. */
export interface ConversationFilter {
  readonly limit: number;
  /** Position after which the page starts. */
  readonly before: Cursor;
  readonly minSeverity: MaxSeverity;
  readonly onlyReview: boolean;
  readonly agentId: string | undefined;
  /** With an event of this environment, or of this version of its agent; both in one event. */
  readonly environment: string | undefined;
  readonly version: string | undefined;
}

/** A place in the list of conversations: time of the last event, then order of arrival. */
export interface Cursor {
  readonly lastAt: number;
  readonly seq: number;
}

const SELECT_CONVERSATION = db
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

type RawConversation = InferResult<typeof SELECT_CONVERSATION>[number];

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

function findAgentName(
  database: SqlDatabase,
  { organizationId, agentId }: RawConversation,
  appearances: readonly Appearance[],
): string | null {
  const versions = appearances.filter(({ version }) => version !== null);
  const [newest] = versions.toSorted((left, right) => right.lastAt - left.lastAt);
  if (newest && newest.name !== null) return newest.name;
  const values = { organizationId, agentId, version: newest?.version ?? "" };
  return AGENT_NAME.rows(database, values)[0]?.name ?? null;
}

function toConversation(database: SqlDatabase, row: RawConversation): ConversationRow {
  const appearances = listAppearances(database, row.key);
  return {
    ...row,
    agentName: findAgentName(database, row, appearances),
    appearances,
    maxSeverity: SEVERITIES[row.maxSeverity] ?? "none",
    requiresReview: row.requiresReview === 1,
  };
}

/** Returns the condition that an event has an environment, a version, or both. */
function hasAppeared({ environment, version }: ConversationFilter) {
  return (eb: ExpressionBuilder<Tables, "conversation">) => {
    let query = eb
      .selectFrom("appearance")
      .select(eb.lit(1).as("found"))
      .whereRef("conversation_key", "=", "conversation.key");
    if (environment !== undefined) query = query.where("environment", "=", environment);
    if (version !== undefined) query = query.where("agent_version", "=", version);
    return eb.exists(query);
  };
}

/** Lists conversations, the one with the newest event first; `next` is the start of the next page. */
export function listConversations(
  database: SqlDatabase,
  filter: ConversationFilter,
): { conversations: ConversationRow[]; next: Cursor | undefined } {
  const { limit, before, minSeverity, onlyReview, agentId, environment, version } = filter;
  let query = SELECT_CONVERSATION.where((eb) =>
    eb(eb.refTuple("last_at", "seq"), "<", eb.tuple(before.lastAt, before.seq)),
  );
  if (minSeverity !== "none")
    query = query.where("max_severity", ">=", SEVERITIES.indexOf(minSeverity));
  if (onlyReview) query = query.where("requires_review", "=", 1);
  if (agentId !== undefined) query = query.where("agent_id", "=", agentId);
  if (environment !== undefined || version !== undefined) query = query.where(hasAppeared(filter));
  const rows = readRows(
    database,
    query
      .orderBy("last_at", "desc")
      .orderBy("seq", "desc")
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return {
    conversations: page.map((row) => toConversation(database, row)),
    next: rows.length > limit ? page.at(-1) : undefined,
  };
}

/** Finds a conversation by its key. */
export function findConversation(database: SqlDatabase, key: string): ConversationRow | undefined {
  const row = readRow(database, SELECT_CONVERSATION.where("key", "=", key));
  return row && toConversation(database, row);
}
