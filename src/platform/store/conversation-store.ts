import { type Appearance, listAppearances } from "./appearances.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { SEVERITIES, type ConversationSummary, type MaxSeverity } from "./summary.ts";

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

interface RawConversation extends Omit<
  ConversationRow,
  "agentName" | "appearances" | "maxSeverity" | "requiresReview"
> {
  readonly maxSeverity: number;
  readonly requiresReview: number;
}

const SELECT_CONVERSATION = `
  SELECT c.seq, c.key, c.organization_id AS organizationId, c.agent_id AS agentId,
    c.conversation_id AS conversationId, c.title, c.event_count AS eventCount, c.finding_count AS findingCount,
    c.max_severity AS maxSeverity, c.max_risk_score AS maxRiskScore, c.requires_review AS requiresReview,
    c.started_at AS startedAt, c.last_at AS lastAt
  FROM conversation c`;

// If the agent had several names, an event without version does not reveal which: then only a common name is returned.
const AGENT_NAME = `
  SELECT coalesce(
    (SELECT name FROM agent WHERE version = ? AND organization_id = ? AND agent_id = ? ORDER BY revision LIMIT 1),
    (SELECT CASE WHEN count(DISTINCT name) = 1 THEN max(name) END FROM agent
      WHERE organization_id = ? AND agent_id = ?)) AS name`;

function findAgentName(
  database: SqlDatabase,
  { organizationId, agentId }: RawConversation,
  appearances: readonly Appearance[],
): string | null {
  const versions = appearances.filter(({ version }) => version !== null);
  const [newest] = versions.toSorted((left, right) => right.lastAt - left.lastAt);
  if (newest && newest.name !== null) return newest.name;
  const identity = [organizationId, agentId];
  const values = [newest?.version ?? "", ...identity, ...identity];
  return database.all<{ name: string | null }>(AGENT_NAME, ...values)[0]?.name ?? null;
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

const HAS_APPEARED = `
  EXISTS (SELECT 1 FROM appearance p WHERE p.conversation_key = c.key
    AND (? IS NULL OR p.environment = ?) AND (? IS NULL OR p.agent_version = ?))`;

/** Lists conversations, the one with the newest event first; `next` is the start of the next page. */
export function listConversations(
  database: SqlDatabase,
  filter: ConversationFilter,
): { conversations: ConversationRow[]; next: Cursor | undefined } {
  const { limit, before, minSeverity, onlyReview } = filter;
  const { agentId = null, environment = null, version = null } = filter;
  const facts = [agentId, agentId, environment, environment, version, version];
  const rows = database.all<RawConversation>(
    `${SELECT_CONVERSATION}
         WHERE (c.last_at, c.seq) < (?, ?) AND c.max_severity >= ? AND c.requires_review >= ?
           AND (? IS NULL OR c.agent_id = ?) AND ${HAS_APPEARED}
         ORDER BY c.last_at DESC, c.seq DESC LIMIT ?`,
    before.lastAt,
    before.seq,
    SEVERITIES.indexOf(minSeverity),
    onlyReview ? 1 : 0,
    ...facts,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    conversations: page.map((row) => toConversation(database, row)),
    next: rows.length > limit ? page.at(-1) : undefined,
  };
}

/** Finds a conversation by its key. */
export function findConversation(database: SqlDatabase, key: string): ConversationRow | undefined {
  const [row] = database.all<RawConversation>(`${SELECT_CONVERSATION} WHERE c.key = ?`, key);
  return row && toConversation(database, row);
}
