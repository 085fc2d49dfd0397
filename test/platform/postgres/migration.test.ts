import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { LayoutStep } from "../../../src/platform/store/layouts.ts";
import { readComments, startReviewing } from "../../cluster/support/reviewing.ts";
import { readStored } from "../../cluster/support/stored.ts";
import { until } from "../../faults/support/until.ts";
import { startCommand } from "../../helpers/command.ts";
import { type ChildPlatform, startChildPlatform } from "../child-platform.ts";
import { createBatch, createEvent, get, postBatch } from "../helpers.ts";
import { buildNextVersion, STEPS_VARIABLE } from "./next-version.ts";
import { toAddress } from "./open-database.ts";

/** What a next version may do: it adds a table, an index, and a column to the table that all write to. */
const ADD = `
  CREATE TABLE remark (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX event_by_type ON event (type, seq);
  ALTER TABLE event ADD COLUMN tone TEXT NOT NULL DEFAULT 'unknown';
`;
const NEXT: LayoutStep = { oldest: 7, sql: ADD };

let next: Awaited<ReturnType<typeof buildNextVersion>>;
beforeAll(async () => {
  next = await buildNextVersion();
});
afterAll(() => next.remove());

let database: string;
let client: pg.Client;
beforeEach(async () => {
  database = await toAddress(":memory:");
  client = new pg.Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
});

/** Starts a replica; one of this version unless it has steps of a next one. */
async function start(steps?: readonly LayoutStep[], address = database): Promise<ChildPlatform> {
  const args = ["--database", address];
  const child = await (steps
    ? startChildPlatform(args, { [STEPS_VARIABLE]: JSON.stringify(steps) }, next.program)
    : startChildPlatform(args));
  onTestFinished(async () => void (await child.end("SIGKILL")));
  return child;
}

async function ask<Row>(sql: string): Promise<Row[]> {
  return (await client.query(sql)).rows as Row[];
}

const readLayout = () => ask("SELECT version::int, oldest::int FROM layout");
const hasRemarks = async (): Promise<boolean> =>
  (await ask<{ found: boolean }>("SELECT to_regclass('remark') IS NOT NULL AS found"))[0]?.found ===
  true;
const isRunning = async (statement: string): Promise<boolean> =>
  (
    await ask(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND state = 'active' AND query LIKE '%${statement}%'`,
    )
  ).length > 0;

/** Sends batches to a replica, one after the other, until the test says so. */
function startDelivering(to: ChildPlatform, acknowledged: Set<string>) {
  const ending = new AbortController();
  const statuses = new Set<number>();
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const events = [createEvent(), createEvent("agent_response")];
      statuses.add((await postBatch(to, createBatch(events))).status);
      for (const { eventId } of events) acknowledged.add(String(eventId));
    }
  };
  const workers = Promise.all([work(), work()]);
  return {
    /** Ends it, and returns all statuses that it was answered with. */
    async end(): Promise<number[]> {
      ending.abort();
      await workers;
      return [...statuses];
    },
  };
}

async function expectServing(platform: ChildPlatform): Promise<void> {
  expect((await postBatch(platform, createBatch())).status).toBe(202);
  expect((await get(platform, "/api/conversations")).status).toBe(200);
  expect((await get(platform, "/readyz")).status).toBe(200);
}

describe("a next version that adds to the tables", () => {
  it("is started twice at once while the version before takes deliveries and decisions: nothing is refused, lost or stored twice", async () => {
    const acknowledged = new Set<string>();
    const old = await start();
    const delivering = [startDelivering(old, acknowledged)];
    const endReviewing = startReviewing([old.url]);
    await until("batches are stored", () => acknowledged.size > 100);
    // Slow enough that deliveries come meanwhile.
    const slow = { ...NEXT, sql: `SELECT pg_sleep(2); ${ADD}` };
    const starting = Promise.all([start([slow]), start([slow])]);
    await until("the tables are changed", () => isRunning("pg_sleep"));
    const before = acknowledged.size;
    const news = await starting;
    for (const each of news) delivering.push(startDelivering(each, acknowledged));
    await until("batches are stored", () => acknowledged.size > before + 200);
    const statuses = await Promise.all(delivering.map((each) => each.end()));
    expect(statuses).toEqual([[202], [202], [202]]);
    const written = await endReviewing();
    expect(written.length).toBeGreaterThan(3);
    for (const platform of [old, ...news]) {
      expect(platform.output()).not.toContain("PostgreSQL:");
      const { eventIds } = await readStored(platform.url);
      expect(eventIds.toSorted()).toEqual([...acknowledged].toSorted());
      expect(await readComments(platform.url)).toEqual(["for the test", ...written]);
    }
    expect(await ask("SELECT count(*)::int AS events FROM event")).toEqual([
      { events: acknowledged.size },
    ]);
    expect(await ask("SELECT DISTINCT tone FROM event")).toEqual([{ tone: "unknown" }]);
    expect(await readLayout()).toEqual([{ version: 8, oldest: 7 }]);
    const said = news.filter((each) => each.output().includes("brought from layout 7 to 8"));
    expect(said).toHaveLength(1);
    // One of the version before may still be started.
    for (const platform of [old, ...news, await start()]) await expectServing(platform);
  });

  it("waits for who reads, without keeping others from reading and writing", async () => {
    const old = await start();
    await expectServing(old);
    await ask("BEGIN");
    await ask("SELECT count(*) FROM event");
    const starting = start([NEXT]);
    const observer = new pg.Client({ connectionString: database });
    await observer.connect();
    onTestFinished(() => observer.end());
    const isWaiting = async () =>
      (
        await observer.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ADD COLUMN tone%'",
        )
      ).rowCount === 1;
    for (let turn = 0; turn < 3; turn++) {
      await until("it waits", isWaiting);
      await expectServing(old);
    }
    expect(await readLayout()).toEqual([{ version: 7, oldest: 7 }]);
    await ask("COMMIT");
    for (const platform of [await starting, old]) await expectServing(platform);
    expect(await readLayout()).toEqual([{ version: 8, oldest: 7 }]);
  });

  it("leaves the layout as it was where a step fails, and all go on; with the step repaired it starts", async () => {
    const old = await start();
    const failing = start([{ ...NEXT, sql: `${ADD} SELECT 1 / 0;` }]);
    await expect(failing).rejects.toThrow(/PostgreSQL: SQLSTATE 22012\n$/);
    expect(await readLayout()).toEqual([{ version: 7, oldest: 7 }]);
    expect(await hasRemarks()).toBe(false);
    await expectServing(old);
    const repaired = await start([NEXT]);
    for (const platform of [old, repaired]) await expectServing(platform);
  });

  it("leaves the layout as it was when it is killed in the middle, and others go on at once", async () => {
    const old = await start();
    await expectServing(old);
    const steps = JSON.stringify([{ ...NEXT, sql: `${ADD} SELECT pg_sleep(3600);` }]);
    const killed = startCommand(["dev", "--port", "0", "--database", database], {
      program: next.program,
      env: { ...process.env, [STEPS_VARIABLE]: steps },
    });
    await until("the tables are changed", () => isRunning("pg_sleep"));
    const delivered = postBatch(old, createBatch());
    killed.kill("SIGKILL");
    expect((await delivered).status).toBe(202);
    expect(await isRunning("pg_sleep")).toBe(false);
    expect(await readLayout()).toEqual([{ version: 7, oldest: 7 }]);
    expect(await hasRemarks()).toBe(false);
    for (const platform of [old, await start([NEXT])]) await expectServing(platform);
  });

  it("goes over several layouts at once", async () => {
    const second = { oldest: 7, sql: "ALTER TABLE remark ADD COLUMN author TEXT;" };
    const platform = await start([NEXT, second]);
    expect(platform.output()).toContain("brought from layout 7 to 9");
    await expectServing(await start([NEXT]));
    expect(await ask("SELECT seq, author FROM remark")).toEqual([]);
  });
});

describe("a layout that is not for every version", () => {
  it("is refused by those that are too old for it, in one line", async () => {
    const other = { oldest: 8, sql: "ALTER TABLE saved_view DROP COLUMN query;" };
    const platform = await start([NEXT, other]);
    expect((await get(platform, "/readyz")).status).toBe(200);
    expect(await readLayout()).toEqual([{ version: 9, oldest: 8 }]);
    await expect(start()).rejects.toThrow(
      /\n?agent-monitor: platform: the database has layout 9 \(for platforms of 8 or later\), expected 7: use the version of this package that has brought it there\n$/,
    );
    expect((await get(await start([NEXT]), "/readyz")).status).toBe(200);
  });

  it("is refused where it is older than any that is known", async () => {
    await ask("UPDATE layout SET version = 6, oldest = 6");
    await expect(start()).rejects.toThrow(/has layout 6, expected 7: use another database\n$/);
  });
});

it("a role that does not own the tables can't change them, and serves once their owner has", async () => {
  const role = `service_${process.pid}`;
  await ask(
    `CREATE ROLE ${role} LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  onTestFinished(async () => void (await ask(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  const address = database.replace("bank@", `${role}@`);
  const old = await start(undefined, address);
  await expect(start([NEXT], address)).rejects.toThrow(
    /platform: the database has layout 7, expected 8: only the owner of its tables can bring it there: start a platform as that role\n$/,
  );
  expect(await readLayout()).toEqual([{ version: 7, oldest: 7 }]);
  const owner = await start([NEXT]);
  await owner.end("SIGTERM");
  for (const platform of [old, await start([NEXT], address)]) await expectServing(platform);
});
