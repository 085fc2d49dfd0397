import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { startCommand } from "../helpers/command.ts";
import { DROP_LAYOUT_7 } from "./layouts.ts";
import { createAgent, get, putAgent, type JsonObject } from "./helpers.ts";

// Written by the version before facts of the moment were stored: four conversations in staging, one agent registered
// in two versions, an event in production that names its agent's version, and one that is nested 1,500 levels deep.
const FIXTURE = join(import.meta.dirname, "../fixtures/platform/layout-3.db.gz");

let directory: string;
let database: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  database = join(directory, "platform.db");
  writeFileSync(database, gunzipSync(readFileSync(FIXTURE)));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function query<Row>(sql: string): Promise<Row[]> {
  const opened = await openDatabase(database);
  const rows = opened.all<Row>(sql);
  opened.close();
  return rows;
}

async function open(lines: string[] = []): Promise<Platform> {
  const info = (message: string): void => void lines.push(message);
  const logger = { debug: info, info, warn: info, error: info };
  return startPlatform({ port: 0, database, logger });
}

async function list(platform: Platform, filter = ""): Promise<JsonObject[]> {
  const { body } = await get(platform, `/api/conversations${filter}`);
  return body["conversations"] as JsonObject[];
}

const EVERYTHING =
  "SELECT e.seq, event_id, conversation_key, timestamp, type, json FROM event e JOIN body USING (seq) ORDER BY seq";

describe("a database of the version before", () => {
  it("keeps every event, batch, agent and span", async () => {
    const before = await query(EVERYTHING);
    const platform = await open();
    expect(await platform.stats()).toEqual({
      batches: 2,
      events: 32,
      duplicates: 0,
      rejected: 1,
      agents: 3,
      spans: 1,
      logRecords: 0,
    });
    const exported = await (await fetch(`${platform.url}/api/batches/export`)).text();
    expect(exported.trim().split("\n")).toHaveLength(2);
    await platform.close();
    expect(await query(EVERYTHING)).toEqual(before);
    expect(before).toHaveLength(32);
  });

  it("knows the environment of every event, and the version only of the one that says it", async () => {
    const platform = await open();
    expect(await list(platform, "?environment=staging")).toHaveLength(5);
    expect(await list(platform, "?environment=production")).toMatchObject([
      { conversationId: "s-both", appearances: [{ version: "9.9", environment: "production" }] },
    ]);
    expect(await list(platform, "?environment=development")).toMatchObject([
      { conversationId: "s-deep", appearances: [{ version: null, eventCount: 1 }] },
    ]);
    const rows = await list(platform);
    const versions = rows
      .flatMap((row) => row["appearances"] as JsonObject[])
      .map(({ version }) => version);
    expect(new Set(versions)).toEqual(new Set([null, "9.9"]));
    for (const row of rows) {
      const appearances = row["appearances"] as { eventCount: number }[];
      const sum = appearances.reduce((total, { eventCount }) => total + eventCount, 0);
      expect(sum).toBe(row["eventCount"]);
    }
    await platform.close();
  });

  it("does not get the version of an agent that is registered again", async () => {
    const platform = await open();
    const before = await list(platform);
    const [agentId] = before.map((row) => String(row["agentId"]));
    await putAgent(platform, createAgent({ id: agentId ?? "", version: "3.0" }), agentId ?? "");
    const after = await list(platform);
    expect(after.map((row) => row["appearances"])).toEqual(before.map((row) => row["appearances"]));
    await platform.close();
  });

  it("says at the start what is kept and what is not known, once", async () => {
    const lines: string[] = [];
    await (await open(lines)).close();
    expect(lines).toEqual([
      "database: brought from layout 3 to 7, everything in it is kept; the environment of 32 events was read out of " +
        "them; 31 events do not say which version of the agent wrote them: it is shown as unknown",
    ]);
    await (await open(lines)).close();
    expect(lines).toHaveLength(1);
  });
});

describe("a database from before names of the moment", () => {
  /** Takes away what the layouts behind 4 have brought. */
  const TO_LAYOUT_4 = `
    ALTER TABLE event DROP COLUMN body_seq;
    ALTER TABLE event DROP COLUMN agent_name;
    CREATE TABLE old (conversation_key TEXT NOT NULL, environment TEXT NOT NULL, agent_version TEXT NOT NULL,
      agent_category TEXT NOT NULL, agent_specialty TEXT NOT NULL, event_count INTEGER NOT NULL,
      first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
      PRIMARY KEY (conversation_key, environment, agent_version, agent_category, agent_specialty)) WITHOUT ROWID;
    INSERT INTO old SELECT conversation_key, environment, agent_version, agent_category, agent_specialty, event_count,
      first_at, last_at FROM appearance;
    DROP TABLE appearance;
    ALTER TABLE old RENAME TO appearance;
    DROP INDEX agent_by_version;
    CREATE UNIQUE INDEX agent_once ON agent (organization_id, agent_id, version);
    ${DROP_LAYOUT_7}
    PRAGMA user_version = 4;`;

  it("keeps conversations and profiles, and has names for what comes from then on", async () => {
    await (await open()).close();
    const opened = await openDatabase(database);
    opened.exec(TO_LAYOUT_4);
    opened.close();
    const agents = await query("SELECT * FROM agent");
    const appearances = await query(
      "SELECT conversation_key, agent_version, event_count FROM appearance",
    );
    const lines: string[] = [];
    const platform = await open(lines);
    expect(lines).toEqual(["database: brought from layout 4 to 7, everything in it is kept"]);
    const rows = await list(platform);
    const names = rows.flatMap((row) => row["appearances"] as JsonObject[]);
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set([null]));
    const agent = createAgent({ version: "9.9", name: "Teller" });
    for (const name of ["Teller", "Adviser"])
      await putAgent(platform, { ...agent, name }, agent.id);
    const { body } = await get(platform, `/api/agents/${agent.id}`);
    expect((body["versions"] as JsonObject[]).slice(0, 2)).toMatchObject([
      { agent: { name: "Adviser" } },
      { agent: { name: "Teller" } },
    ]);
    await platform.close();
    expect(await query("SELECT * FROM agent")).toEqual(expect.arrayContaining(agents));
    expect(
      await query("SELECT conversation_key, agent_version, event_count FROM appearance"),
    ).toEqual(appearances);
  });
});

describe("a migration that is killed in the middle", () => {
  const EVENTS = 60_000;

  async function makeLarge(): Promise<void> {
    const opened = await openDatabase(database);
    opened.exec(`
      BEGIN;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
      INSERT INTO event (seq, organization_id, event_id, conversation_key, timestamp, type, batch_id, received_at)
        SELECT 100 + i, organization_id, 'copy-' || i, conversation_key, timestamp, type, batch_id, received_at
        FROM n, event WHERE seq = 1;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
      INSERT INTO body (seq, json) SELECT 100 + i, json FROM n, body WHERE seq = 1;
      COMMIT;
    `);
    opened.close();
  }

  /** Starts a platform and kills it once it has written so much that is not committed. */
  async function startAndKill(walBytes: number): Promise<void> {
    const child = startCommand(["dev", "--port", "0", "--db", database]);
    const exited = once(child, "exit");
    const log = `${database}-wal`;
    await expect
      .poll(() => (existsSync(log) ? statSync(log).size : 0), { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(walBytes);
    child.kill("SIGKILL");
    await exited;
  }

  it("leaves a database that migrates the next time, with all that was in it", async () => {
    await makeLarge();
    const [{ count: before } = { count: 0 }] = await query<{ count: number }>(
      "SELECT count(*) AS count FROM event",
    );
    for (const walBytes of [100_000, 2_000_000]) await startAndKill(walBytes);
    const [{ user_version: layout } = { user_version: 0 }] = await query<{ user_version: number }>(
      "PRAGMA user_version",
    );
    expect(layout).toBe(3);
    const lines: string[] = [];
    await (await open(lines)).close();
    expect(lines[0]).toMatch(/from layout 3 to 7.* of 60,032 events/);
    expect(before).toBe(EVENTS + 32);
    expect(
      await query(
        "SELECT environment, count(*) AS count FROM event GROUP BY environment ORDER BY count",
      ),
    ).toEqual([
      { environment: "development", count: 1 },
      { environment: "production", count: 1 },
      { environment: "staging", count: EVENTS + 30 },
    ]);
  }, 120_000);
});
