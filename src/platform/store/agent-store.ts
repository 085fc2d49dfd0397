import { agentInfoSchema, type AgentInfo } from "../../events/agent.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { SqlDatabase } from "./sql-database.ts";

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

interface RawAgent {
  readonly organizationId: string;
  readonly updatedAt: number;
  readonly json: string;
}

function toStored({ organizationId, updatedAt, json }: RawAgent): StoredAgent {
  return { organizationId, updatedAt, agent: JSON.parse(json) as AgentInfo };
}

const COLUMNS = "organization_id AS organizationId, updated_at AS updatedAt, json";

interface LatestProfile {
  readonly revision: number;
  readonly version: string;
  readonly json: string;
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

/** Changes by a profile that was put. */
interface AgentChange {
  /** Whether the agent is new. */
  readonly isNew: boolean;
  /** Members in which it differs from the last profile of the same version. */
  readonly changed: readonly string[];
}

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

/** Stores agents with all their versions, and every profile of each. */
export interface AgentStore {
  /**
   * Stores the profile of a version beside its earlier ones; an unchanged one is not stored twice. In a
   * transaction.
   */
  put(organizationId: string, agent: AgentInfo, updatedAt: number): AgentChange;
  /** Lists agents in their latest version. */
  list(limit: number): StoredAgent[];
  /** Lists the profiles of an agent, the latest first. */
  listVersions(agentId: string): StoredAgent[];
  count(): number;
}

/** Creates the store of agents in a database that has the schema. */
export function createAgentStore(database: SqlDatabase): AgentStore {
  return {
    put(organizationId, agent, updatedAt) {
      const { id, version, name } = agent;
      const [latest] = database.all<LatestProfile>(FIND_LATEST, organizationId, id, version);
      const json = JSON.stringify(agent);
      const same = latest?.version === version ? latest : undefined;
      // The version put last is the latest, also when it was known.
      if (same?.json === json) database.run(RENEW, updatedAt, same.revision);
      else database.run(INSERT, organizationId, id, version, name, json, updatedAt);
      return { isNew: !latest, changed: same ? listChanged(same.json, agent) : [] };
    },
    list(limit) {
      const rows = database.all<RawAgent>(
        `SELECT ${COLUMNS} FROM agent
         WHERE revision IN (SELECT max(revision) FROM agent GROUP BY organization_id, agent_id)
         ORDER BY revision DESC LIMIT ?`,
        limit,
      );
      return rows.map(toStored);
    },
    listVersions(agentId) {
      const rows = database.all<RawAgent>(
        `SELECT ${COLUMNS} FROM agent WHERE agent_id = ? ORDER BY revision DESC LIMIT 1000`,
        agentId,
      );
      return rows.map(toStored);
    },
    count() {
      const sql =
        "SELECT count(*) AS agents FROM (SELECT DISTINCT organization_id, agent_id FROM agent)";
      return database.all<{ agents: number }>(sql)[0]?.agents ?? 0;
    },
  };
}
