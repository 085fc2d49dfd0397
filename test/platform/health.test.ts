import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import {
  openDatabase,
  openNodeSqlite,
  openWasmSqlite,
} from "../../src/platform/store/open-database.ts";
import { countAgents, putAgent as storeAgent } from "../../src/platform/store/agent-store.ts";
import type { SqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { openStore } from "../../src/platform/store/store.ts";
import { createTurns, runSteps } from "../../src/platform/turns.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createAgent, createBatch, createEvent, get, KEY, postBatch, putAgent } from "./helpers.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "../../docs/platform-api.md"), "utf8");

let platform: Platform | undefined;
afterEach(async () => {
  await platform?.close();
  platform = undefined;
});

async function start(options: PlatformOptions = {}): Promise<Platform> {
  platform = await startPlatform({ port: 0, ...options });
  return platform;
}

async function readMetrics(
  { url }: Platform,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("health", () => {
  it("is told to anybody, and metrics to those who may read", async () => {
    const started = await start({ apiKey: KEY });
    expect(await get(started, "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await get(started, "/readyz")).toMatchObject({
      status: 200,
      body: { status: "ready" },
    });
    expect((await get(started, "/metrics")).status).toBe(401);
    const token = new URL(started.viewerUrl).hash.replace("#token=", "");
    for (const key of [KEY, token])
      expect(await readMetrics(started, { authorization: `Bearer ${key}` })).toContain(
        "_build_info{version=",
      );
  });

  it("is counted: what came, what was refused, and how requests were answered", async () => {
    const started = await start();
    await postBatch(started, createBatch([createEvent(), 5]));
    await get(started, "/api/conversations/nobody");
    const text = await readMetrics(started);
    for (const line of [
      "# TYPE agent_monitor_platform_events_total counter",
      "agent_monitor_platform_events_total 1",
      "agent_monitor_platform_rejected_events_total 1",
      "agent_monitor_platform_store_writable 1",
      "agent_monitor_platform_body_bytes 0",
      'agent_monitor_platform_http_requests_total{route="/v1/batches",status="202"} 1',
      'agent_monitor_platform_http_requests_total{route="/api/conversations/:key",status="404"} 1',
    ])
      expect(text.split("\n")).toContain(line);
    expect(Number(/store_bytes (\d+)/.exec(text)?.[1])).toBeGreaterThan(4096);
  });

  it("is written as OpenMetrics for those who ask for it", async () => {
    const started = await start();
    const text = await readMetrics(started, {
      accept: "application/openmetrics-text; version=1.0.0",
    });
    expect(text).toContain("# TYPE agent_monitor_platform_events counter\n");
    expect(text).toContain("\nagent_monitor_platform_events_total 0\n");
    expect(text.endsWith("\n# EOF\n")).toBe(true);
  });

  it("shows nothing that somebody said, and nobody's name", async () => {
    const started = await start();
    await putAgent(started, createAgent(), "agent-1");
    await postBatch(started, createBatch([createEvent("user_message", { content: "hunter2" })]));
    await get(started, "/secret-path?secret-query");
    const text = await readMetrics(started);
    expect(text).not.toMatch(/hunter2|agent-1|first-bank|secret|session-1|test-key/);
  });

  it("has every metric in the documentation, and no other", async () => {
    const started = await start();
    const names = [...(await readMetrics(started)).matchAll(/^# TYPE (\S+)/gm)].map(
      ([, name]) => name,
    );
    const rows = GUIDE.split("\n").filter((line) => line.startsWith("| `agent_monitor_platform_"));
    const documented = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(new Set(documented)).toEqual(new Set(names));
    expect(documented).toHaveLength(names.length);
  });
});

describe("a store that takes nothing", () => {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function openPlain(file: string): Promise<SqliteDatabase> {
    const database = openNodeSqlite(file) ?? (await openWasmSqlite(file));
    if (!database) throw new Error("there is no driver");
    return database;
  }

  it("is not ready while somebody else has locked it, and is again afterwards", async () => {
    const file = join(directory, "locked.db");
    const clock = createFakeClock();
    const store = await openStore(await openPlain(file), createTurns(), clock);
    expect(await store.probe()).toBe(true);
    const other = await openPlain(file);
    other.exec("BEGIN IMMEDIATE");
    // So soon after, what was found stands.
    expect(await store.probe()).toBe(true);
    await clock.advance(1000);
    expect(await store.probe()).toBe(false);
    const write = store.write(function* (transaction) {
      yield;
      yield* storeAgent(transaction, "bank", createAgent(), 0);
    });
    await expect(write).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/locked/) as string,
    });
    other.exec("COMMIT");
    await clock.advance(1000);
    expect(await store.probe()).toBe(true);
    await store.close();
    other.close();
  });

  it("says so in words of the database, and stores nothing of what failed", async () => {
    const database = await openDatabase(":memory:");
    const store = await openStore(database, createTurns(), systemClock);
    const pages = database.all<{ page_count: number }>("PRAGMA page_count")[0]?.page_count ?? 0;
    const fill = (agents: number): Promise<void> =>
      store.write(function* (transaction) {
        for (let index = 0; index < agents; index++) {
          yield;
          const agent = createAgent({ id: `agent-${index}`, description: "x".repeat(1000) });
          yield* storeAgent(transaction, "bank", agent, 0);
        }
      });
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    await expect(fill(1000)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/full/) as string,
    });
    expect(runSteps(countAgents(store.database))).toBe(0);
    database.exec("PRAGMA max_page_count = 1000000");
    await fill(10);
    expect(runSteps(countAgents(store.database))).toBe(10);
    await store.close();
  });

  it("can be closed, and opened by the next one, after it failed", async () => {
    const file = join(directory, "full.db");
    const database = await openDatabase(file);
    const store = await openStore(database, createTurns(), systemClock);
    database.exec("PRAGMA max_page_count = 1");
    const write = store.write(function* (transaction) {
      yield;
      yield* storeAgent(
        transaction,
        "bank",
        createAgent({ description: "x".repeat(1_000_000) }),
        0,
      );
    });
    await expect(write).rejects.toMatchObject({ name: "StoreError" });
    await store.close();
    (await openDatabase(file)).close();
  });
});
