import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { SqlDatabase } from "./sql-database.ts";

const FIND_NAME = `
  SELECT name FROM agent WHERE organization_id = ? AND agent_id = ? AND version = ?
  ORDER BY revision DESC LIMIT 1`;

type Source = Pick<DetailedEvent, "agentId" | "agentVersion">;

/**
 * Creates what tells the names that the agents of an organization have now, by the version that an event names; to be
 * used for events that come now only.
 */
export function createNameFinder(
  database: SqlDatabase,
  organizationId: string,
): (event: Source) => string {
  // Of one batch: most of its events are of a few agents.
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
