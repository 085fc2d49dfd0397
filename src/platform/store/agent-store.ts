import { agentInfoSchema, type AgentInfo } from "../../events/agent.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { readNumber, type SqlDatabase, type SqlValue } from "./sql-database.ts";

const FIND_NAME = `
  SELECT name FROM agent WHERE organization_id = ? AND agent_id = ? AND version = ?
  ORDER BY revision DESC LIMIT 1`;

type Source = Pick<DetailedEvent, "agentId" | "agentVersion">;

/**
 * Creates a function that returns an agent's current name, by the version that an event names; only for
 * events that arrive now.
 */
export function createNameFinder(
  database: SqlDatabase,
  organizationId: string,
): (event: Source) => string {
  // For one batch: most of its events are of a few agents.
  const known = new Map<string, string>();
  return ({ agentId, agentVersion }) => {
    if (agentVersion === undefined) return "";
    const id = JSON.stringify([agentId, agentVersion]);
    let name = known.get(id);
    if (name === undefined) {
      const identity = [organizationId, agentId, agentVersion] as const;
      name = database.all<{ name: string }>(FIND_NAME, ...identity)[0]?.name ?? "";
      known.set(id, name);
    }
    return name;
  };
}

/** A profile of an agent as it was registered. */
interface StoredAgent {
  readonly organizationId: string;
  readonly updatedAt: number;
  readonly agent: AgentInfo;
}

const SELECT_AGENT =
  "SELECT organization_id AS organizationId, updated_at AS updatedAt, json FROM agent";

function readAgents(database: SqlDatabase, sql: string, value: SqlValue): StoredAgent[] {
  const rows = database.all<Omit<StoredAgent, "agent"> & { json: string }>(sql, value);
  return rows.map(({ json, ...row }) => ({ ...row, agent: JSON.parse(json) as AgentInfo }));
}

/** The last profile of a version, else of the agent. */
const FIND_LATEST = `
  SELECT revision, version, json FROM agent WHERE organization_id = ? AND agent_id = ?
  ORDER BY version = ? DESC, revision DESC LIMIT 1`;

const RENEW = `
  UPDATE agent SET revision = (SELECT max(revision) + 1 FROM agent), updated_at = ? WHERE revision = ?`;

const INSERT = `
  INSERT INTO agent (revision, organization_id, agent_id, version, name, json, updated_at)
  VALUES ((SELECT ifnull(max(revision), 0) + 1 FROM agent), ?, ?, ?, ?, ?, ?)`;

const OTHER_MEMBERS = "other members";

function listChanged(before: string, agent: AgentInfo): string[] {
  const one = JSON.parse(before) as Record<string, unknown>;
  const other: Record<string, unknown> = { ...agent };
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const changed = [...names].filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  );
  // A name outside the schema may be content.
  const isOurs = (name: string): boolean => Object.hasOwn(agentInfoSchema.shape, name);
  return [...new Set(changed.map((name) => (isOurs(name) ? name : OTHER_MEMBERS)))];
}

/**
 * Stores the profile of a version beside its earlier ones; an unchanged one is not stored twice. In a
 * transaction.
 *
 * @returns Whether the agent is new, and the members in which it differs from the last profile of the same version.
 */
export function putAgent(
  database: SqlDatabase,
  organizationId: string,
  agent: AgentInfo,
  updatedAt: number,
) {
  const { id, version, name } = agent;
  type Row = { revision: number; version: string; json: string };
  const [latest] = database.all<Row>(FIND_LATEST, organizationId, id, version);
  const json = JSON.stringify(agent);
  const same = latest?.version === version ? latest : undefined;
  // The version put last is the latest, also when it was known.
  if (same?.json === json) database.run(RENEW, updatedAt, same.revision);
  else database.run(INSERT, organizationId, id, version, name, json, updatedAt);
  return { isNew: !latest, changed: same ? listChanged(same.json, agent) : [] };
}

/** Lists agents in their latest version. */
export function listAgents(database: SqlDatabase, limit: number): StoredAgent[] {
  const sql = `${SELECT_AGENT}
         WHERE revision IN (SELECT max(revision) FROM agent GROUP BY organization_id, agent_id)
         ORDER BY revision DESC LIMIT ?`;
  return readAgents(database, sql, limit);
}

/** Lists the profiles of an agent, the latest first. */
export function listAgentVersions(database: SqlDatabase, agentId: string): StoredAgent[] {
  const sql = `${SELECT_AGENT} WHERE agent_id = ? ORDER BY revision DESC LIMIT 1000`;
  return readAgents(database, sql, agentId);
}

/** Counts the agents. */
export function countAgents(database: SqlDatabase): number {
  return readNumber(
    database,
    "SELECT count(*) AS agents FROM (SELECT DISTINCT organization_id, agent_id FROM agent)",
  );
}
