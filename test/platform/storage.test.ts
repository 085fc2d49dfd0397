import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform } from "../../src/platform/index.ts";
import {
  openDatabase,
  openNodeSqlite,
  openWasmSqlite,
} from "../../src/platform/store/open-database.ts";
import { type SqliteDatabase, inTransaction } from "../../src/platform/store/sql-database.ts";
import { startChildPlatform } from "./child-platform.ts";
import { DROP_LAYOUT_7 } from "./layouts.ts";
import { createAgent, createBatch, createEvent, get, postBatch, putAgent } from "./helpers.ts";

let directory: string;
let database: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  database = join(directory, "data", "platform.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const DRIVERS: [string, () => Promise<SqliteDatabase | undefined>][] = [
  ["node:sqlite", async () => openNodeSqlite(":memory:")],
  ["node-sqlite3-wasm", () => openWasmSqlite(":memory:")],
];

describe.each(DRIVERS)("the driver %s", (name, open) => {
  it("runs statements, gives values back as they were, and rolls back as a whole", async (context) => {
    const sql = await open();
    if (!sql) return context.skip(`this Node.js has no ${name}`);
    sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT UNIQUE, value REAL)");
    const insert = "INSERT OR IGNORE INTO t (text, value) VALUES (CAST(? AS TEXT), ?)";
    expect(sql.run(insert, [Buffer.from("grüße 😀"), 2 ** 52])).toBe(1);
    expect(sql.run(insert, ["grüße 😀", null])).toBe(0);
    expect(sql.all("SELECT text, value FROM t WHERE text = ?", ["grüße 😀"])).toEqual([
      { text: "grüße 😀", value: 2 ** 52 },
    ]);
    const fail = (): never => {
      sql.run(insert, ["lost", 1]);
      throw new Error("stop");
    };
    expect(() => inTransaction(sql, fail)).toThrow("stop");
    expect(inTransaction(sql, () => sql.run(insert, ["kept", 1]))).toBe(1);
    expect(sql.all("SELECT text FROM t ORDER BY id")).toEqual([
      { text: "grüße 😀" },
      { text: "kept" },
    ]);
    sql.close();
  });

  it("runs more statements than stay prepared, the first ones again, and those that failed", async (context) => {
    const sql = await open();
    if (!sql) return context.skip(`this Node.js has no ${name}`);
    sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    const insert = "INSERT INTO t (id) VALUES (?)";
    inTransaction(sql, () => {
      for (let id = 0; id < 500; id++) {
        expect(sql.all(`SELECT ${id} AS id, count(*) AS count FROM t`)).toEqual([
          { id, count: id },
        ]);
        expect(sql.run(insert, [id])).toBe(1);
        expect(() => sql.run(insert, [id])).toThrow(/UNIQUE/);
      }
    });
    expect(sql.all("SELECT 0 AS id, count(*) AS count FROM t")).toEqual([{ id: 0, count: 500 }]);
    sql.close();
  });
});

describe("a database file", () => {
  it("keeps everything for the next start, and leaves no lock", async () => {
    const first = await startPlatform({ port: 0, database });
    const batch = createBatch([createEvent(), createEvent(), 5]);
    await postBatch(first, batch);
    await putAgent(first, createAgent(), "agent-1");
    const stats = await first.stats();
    await first.close();
    expect(existsSync(`${database}.lock`)).toBe(false);
    expect(existsSync(`${database}.lock.pid`)).toBe(false);

    const second = await startPlatform({ port: 0, database });
    expect(await second.stats()).toEqual(stats);
    expect(stats).toEqual({
      batches: 1,
      events: 2,
      duplicates: 0,
      rejected: 1,
      agents: 1,
      spans: 0,
      logRecords: 0,
    });
    const again = await postBatch(second, batch);
    expect(again).toMatchObject({
      status: 200,
      body: { status: "duplicate", accepted: 2, rejected: [{ index: 2 }] },
    });
    expect((await putAgent(second, createAgent(), "agent-1")).status).toBe(200);
    await second.close();
  });

  it("has one owner at a time", async () => {
    const first = await startPlatform({ port: 0, database });
    await expect(startPlatform({ port: 0, database })).rejects.toThrow(
      /platform\.db is in use by process \d+/,
    );
    await first.close();

    const other = await startChildPlatform(["--db", database]);
    await expect(startPlatform({ port: 0, database })).rejects.toThrow(
      `in use by process ${other.pid}`,
    );
    expect(await other.end("SIGTERM")).toBe(0);
    await (await startPlatform({ port: 0, database })).close();
  });

  it("is refused when it is something else", async () => {
    const file = join(directory, "notes.txt");
    writeFileSync(file, "not a database ".repeat(100));
    await expect(startPlatform({ port: 0, database: file })).rejects.toThrow(
      /can't open the database .*notes\.txt/,
    );
    expect(readFileSync(file, "utf8")).toMatch(/^not a database/);
  });
});

describe("a database of another layout", () => {
  async function change(sql: string): Promise<void> {
    const opened = await openDatabase(database);
    opened.exec(sql);
    opened.close();
  }

  it("is brought up to date when it is older, and keeps what it has", async () => {
    const first = await startPlatform({ port: 0, database });
    const [old, batch] = [createBatch([createEvent(), createEvent()]), createBatch()];
    await postBatch(first, old);
    const stats = await first.stats();
    await first.close();
    await change("DROP TABLE frame; DROP TABLE span; DROP TABLE trace; DROP TABLE log_record;");
    await change(DROP_LAYOUT_7);
    await change(
      "DROP TABLE appearance; DROP INDEX event_of_environment; DROP INDEX agent_by_version;",
    );
    for (const column of ["environment", "agent_version", "body_seq", "agent_name"])
      await change(`ALTER TABLE event DROP COLUMN ${column};`);
    await change("PRAGMA user_version = 1;");

    const second = await startPlatform({ port: 0, database });
    expect(await second.stats()).toEqual(stats);
    expect((await postBatch(second, old)).body).toMatchObject({ status: "duplicate", accepted: 2 });
    expect((await postBatch(second, batch)).status).toBe(202);
    // Of the old batch only the events were kept, so it can't be given back as it was received.
    const exported = await fetch(`${second.url}/api/batches/export`);
    expect(await exported.text()).toBe(`${JSON.stringify(batch)}\n`);
    await second.close();
  });

  it("is refused when it is newer", async () => {
    await (await startPlatform({ port: 0, database })).close();
    await change("PRAGMA user_version = 8;");
    await expect(startPlatform({ port: 0, database })).rejects.toThrow(
      "platform: the database has layout 8, expected 7 at most: use another file",
    );
  });
});

describe("the lock of an owner that is gone", () => {
  const deadPid = 2 ** 22 + 1; // Above the largest process id that Linux gives out.

  it.each([
    ["was killed", `${deadPid} 1`],
    ["had the process id of this one", `${process.pid} 1`],
    ["wrote nothing", ""],
  ])("does not keep out the next one: it %s", async (_, sentinel) => {
    mkdirSync(`${database}.lock`, { recursive: true });
    writeFileSync(`${database}.lock.pid`, sentinel);
    const platform = await startPlatform({ port: 0, database });
    expect((await postBatch(platform, createBatch())).status).toBe(202);
    await platform.close();
  });

  it.runIf(existsSync("/proc/self/stat"))(
    "does not keep out the next one when its process id is used again",
    async () => {
      mkdirSync(join(directory, "data"));
      writeFileSync(`${database}.lock.pid`, `${process.ppid} 1`);
      await (await startPlatform({ port: 0, database })).close();
    },
  );

  it("still keeps out others while the owner lives", async () => {
    mkdirSync(join(directory, "data"));
    writeFileSync(`${database}.lock.pid`, String(process.ppid));
    await expect(startPlatform({ port: 0, database })).rejects.toThrow(
      `in use by process ${process.ppid}`,
    );
  });
});

describe("a platform that is killed", () => {
  it("has every batch that it acknowledged when it starts again, twice", async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 2; round++) {
      const child = await startChildPlatform(["--db", database]);
      const stop = new AbortController();
      const send = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          const event = createEvent();
          const answer = await postBatch(child, createBatch([event])).catch(() => undefined);
          if (answer?.status === 202) acknowledged.push(String(event["eventId"]));
        }
      };
      const senders = [send(), send(), send()];
      while (acknowledged.length < (round + 1) * 60) await new Promise(setImmediate);
      await child.end("SIGKILL");
      stop.abort();
      await Promise.all(senders);
    }
    const platform = await startPlatform({ port: 0, database });
    for (const eventId of acknowledged)
      expect((await get(platform, `/api/events/${eventId}`)).status).toBe(200);
    expect((await platform.stats()).events).toBeGreaterThanOrEqual(acknowledged.length);
    expect((await postBatch(platform, createBatch())).status).toBe(202);
    await platform.close();
  }, 60_000);
});
