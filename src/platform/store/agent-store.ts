import { agentInfoSchema, type AgentInfo } from "../../events/agent.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { change, createStatement, db, readNumber, readRow, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const FIND_NAME = createStatement(
  (values: { organizationId: string; agentId: string; version: string }) =>
    db
      .selectFrom("agent")
      .select("name")
      .where("organization_id", "=", values.organizationId)
      .where("agent_id", "=", values.agentId)
      .where("version", "=", values.version)
      .orderBy("revision", "desc")
      .limit(1),
);

type Source = Pick<DetailedEvent, "agentId" | "agentVersion">;

/**
 * Creates a function that returns an agent's current name, by the version that an event names; only for
 * events that arrive now.
 */
export function createNameFinder(
  database: SqlDatabase,
  organizationId: string,
): (event: Source) => Steps<string> {
  // For one batch: most of its events are of a few agents.
  const known = new Map<string, string>();
  return function* ({ agentId, agentVersion }) {
    if (agentVersion === undefined) return "";
    // A version may have a line break, an id has none.
    const id = `${agentId}\n${agentVersion}`;
    let name = known.get(id);
    if (name === undefined) {
      const identity = { organizationId, agentId, version: agentVersion };
      name = (yield* FIND_NAME.rows(database, identity))[0]?.name ?? "";
      known.set(id, name);
    }
    return name;
  };
}

/** A profile of an agent as it was registered. */
export interface StoredAgent {
  readonly organizationId: string;
  readonly updatedAt: number;
  readonly agent: AgentInfo;
}

const SELECT_AGENT = db
  .selectFrom("agent")
  .select(["revision", "organization_id as organizationId", "updated_at as updatedAt", "json"])
  .orderBy("revision", "desc");

/** A row that it selects. */
interface AgentRow extends Omit<StoredAgent, "agent"> {
  readonly revision: number;
  readonly json: string;
}

function toStored({ json, organizationId, updatedAt }: AgentRow): StoredAgent {
  return { organizationId, updatedAt, agent: JSON.parse(json) as AgentInfo };
}

/** Finds the last profile of a version, else of the agent. */
function* findLatest(database: SqlDatabase, organizationId: string, { id, version }: AgentInfo) {
  return yield* readRow(
    database,
    db
      .selectFrom("agent")
      .select(["revision", "version", "json"])
      .where("organization_id", "=", organizationId)
      .where("agent_id", "=", id)
      .orderBy((eb) => eb("version", "=", version), "desc")
      .orderBy("revision", "desc")
      .limit(1),
  );
}

const NEXT_REVISION = db
  .selectFrom("agent")
  .select((eb) =>
    eb(eb.fn.coalesce(eb.fn.max("revision"), eb.lit(0)), "+", eb.lit(1)).as("revision"),
  );

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
export function* putAgent(
  database: Transaction,
  organizationId: string,
  agent: AgentInfo,
  updatedAt: number,
) {
  const { id, version, name } = agent;
  const latest = yield* findLatest(database, organizationId, agent);
  const json = JSON.stringify(agent);
  const same = latest?.version === version ? latest : undefined;
  // The version put last is the latest, also when it was known.
  const row = { revision: NEXT_REVISION, updated_at: updatedAt };
  if (same?.json === json)
    yield* change(database, db.updateTable("agent").set(row).where("revision", "=", same.revision));
  else {
    const profile = { organization_id: organizationId, agent_id: id, version, name, json };
    yield* change(database, db.insertInto("agent").values({ ...row, ...profile }));
  }
  return { isNew: !latest, changed: same ? listChanged(same.json, agent) : [] };
}

/**
 * Lists agents in their latest version, the one that was registered last first.
 *
 * @param before - `next` of the page before.
 */
export function* listAgents(
  database: SqlDatabase,
  limit: number,
  before: number,
): Steps<{ readonly agents: readonly StoredAgent[]; readonly next: number | null }> {
  const latest = db
    .selectFrom("agent")
    .select((eb) => eb.fn.max("revision").as("revision"))
    .groupBy(["organization_id", "agent_id"]);
  const query = SELECT_AGENT.where("revision", "in", latest).where("revision", "<", before);
  const rows = yield* readRows(database, query.limit(limit));
  const next = rows.length === limit ? (rows.at(-1)?.revision ?? null) : null;
  return { agents: rows.map(toStored), next };
}

/** Lists the profiles of an agent, the latest first. */
export function* listAgentVersions(database: SqlDatabase, agentId: string): Steps<StoredAgent[]> {
  const query = SELECT_AGENT.where("agent_id", "=", agentId).limit(1000);
  return (yield* readRows(database, query)).map(toStored);
}

/** Counts the agents. */
export function* countAgents(database: SqlDatabase): Steps<number> {
  const agents = db.selectFrom("agent").select(["organization_id", "agent_id"]).distinct();
  return yield* readNumber(
    database,
    db.selectFrom(agents.as("known")).select((eb) => eb.fn.countAll<number>().as("agents")),
  );
}
