import type { AgentInfo } from "../../events/agent.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** One version of an agent as it was registered. */
export interface StoredAgent {
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

/** Keeps agents with every version they had. */
export interface AgentStore {
  /** Stores a version of an agent, over the same version; tells whether the agent is new. In a transaction. */
  put(organizationId: string, agent: AgentInfo, updatedAt: number): boolean;
  /** Lists agents in their latest version. */
  list(limit: number): StoredAgent[];
  /** Lists the versions of an agent, the latest first. */
  listVersions(agentId: string): StoredAgent[];
  count(): number;
}

/** Creates the store of agents in a database that has the schema. */
export function createAgentStore(database: SqlDatabase): AgentStore {
  return {
    put(organizationId, agent, updatedAt) {
      const identity = [organizationId, agent.id] as const;
      const known = database.all(
        "SELECT 1 FROM agent WHERE organization_id = ? AND agent_id = ? LIMIT 1",
        ...identity,
      );
      // A replaced row gets a new revision: what was put last is the latest version.
      database.run(
        `INSERT OR REPLACE INTO agent (revision, organization_id, agent_id, version, name, json, updated_at)
           VALUES ((SELECT ifnull(max(revision), 0) + 1 FROM agent), ?, ?, ?, ?, ?, ?)`,
        ...identity,
        agent.version,
        agent.name,
        JSON.stringify(agent),
        updatedAt,
      );
      return known.length === 0;
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
