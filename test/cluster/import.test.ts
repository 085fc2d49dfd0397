import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { importDatabase, startPlatform } from "../../src/platform/index.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { until } from "../faults/support/until.ts";
import { type Finished, runCommand, startCommand } from "../helpers/command.ts";
import { createBatch, createEvent, type JsonObject, postBatch } from "../platform/helpers.ts";
import { ask, fillBank, fillFile, toOptions, TRACE_ID } from "./support/filled-file.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "./support/postgres-server.ts";

const isWanted = HAS_POSTGRES || process.env["REQUIRE_CLUSTER"] === "1";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-import-"));
const file = join(directory, "platform.db");
const bank = join(directory, "bank.db");
let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  if (!isWanted) return;
  server = await startPostgres();
  await fillFile(file);
});
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const createTarget = (): Promise<string> => server.createDatabase(`target_${databases++}`);

const runImport = (database: string, from = file): Promise<Finished> =>
  runCommand(["platform", "import", "--db", from, "--database", database]);

/** Copies a file, so that what a test does to it stays there. */
function copyFile(from = file): string {
  const copy = join(directory, `copy-${databases++}.db`);
  copyFileSync(from, copy);
  return copy;
}

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function readRows<Row>(address: string, sql: string): Promise<Row[]> {
  const client = await connect(address);
  return (await client.query(sql)).rows as Row[];
}

/** Creates the tables of a platform, without a row. */
async function createTables(database: string): Promise<void> {
  await (await startPlatform({ port: 0, database })).close();
}

async function countRows(address: string): Promise<number> {
  const client = await connect(address);
  const tables = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'layout'",
  );
  let rows = 0;
  for (const { tablename } of tables.rows as { tablename: string }[]) {
    const counted = await client.query(`SELECT count(*)::int AS rows FROM ${tablename}`);
    rows += (counted.rows as { rows: number }[])[0]?.rows ?? 0;
  }
  return rows;
}

/** Tables in which there must be something, beside those of the bank. */
const FILLED_TABLES = [
  "conversation_trace",
  "event_copy",
  "hold",
  "hold_release",
  "log_record",
  "loss",
  "rejection",
  "sampled_answer",
  "saved_view",
  "span",
  "suppression",
];

const PATHS = [
  "/api/stats",
  "/api/conversations?limit=200",
  "/api/conversations?limit=20&order=risk",
  "/api/conversations?q=fee&limit=50",
  "/api/conversations?q=%22wire+transfer%22",
  "/api/conversations?q=geb*",
  "/api/conversations?customer=Zo%C3%AB%20%F0%9F%98%80",
  "/api/conversations?severity=violation&limit=200",
  "/api/conversations/counts",
  "/api/conversations/counts?q=account",
  "/api/events?limit=200",
  "/api/batches?limit=200",
  "/api/agents",
  "/api/traces?limit=50",
  `/api/traces/${TRACE_ID}`,
  "/api/logs?limit=50",
  "/api/reviews?state=any&limit=200",
  "/api/reviews?order=due",
  "/api/views?page=queue",
  "/api/audit?limit=200",
  "/api/quality",
  "/api/samples",
  "/api/suppressions",
  "/api/cases",
  "/api/report",
  "/api/report?format=html",
  "/api/holds",
  "/api/retention",
  "/api/overview",
  "/api/versions",
  "/api/policies",
  "/api/batches/export",
  "/api/audit/export",
  "/api/exports/conversations?format=jsonl",
  "/api/exports/conversations?format=csv",
];

/** Reads the answers to a list of requests, and to those about each item and some conversations. */
async function readAnswers(database: string): Promise<Map<string, string>> {
  const platform = await startPlatform(toOptions(database));
  try {
    const answers = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const response = await ask(platform, path);
      const text = await response.text();
      answers.set(path, `${response.status} ${response.headers.get("etag")} ${text}`);
      return text;
    };
    const readKeys = async (path: string, name: string): Promise<string[]> => {
      const page = JSON.parse(await read(path)) as JsonObject;
      return (page[name] as JsonObject[]).map(({ key }) => String(key));
    };
    for (const path of PATHS) await read(path);
    for (const key of await readKeys("/api/reviews?state=any", "items"))
      await read(`/api/reviews/${key}`);
    for (const key of await readKeys("/api/conversations?limit=60", "conversations"))
      await read(`/api/conversations/${key}`);
    return answers;
  } finally {
    await platform.close();
  }
}

/** Returns where two answers begin to differ. */
function findPart(one: string, other = ""): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `${one.slice(Math.max(0, at - 80), at + 80)} | ${other.slice(Math.max(0, at - 80), at + 80)}`;
}

describe.skipIf(!isWanted)("platform import", () => {
  it("copies everything: a platform on PostgreSQL answers as the one on SQLite did", async () => {
    const target = await createTarget();
    await fillBank(bank, 200);
    await fillFile(bank);
    const copy = copyFile(bank);
    const { code, out, err } = await runImport(target, bank);
    expect(err).toBe("");
    expect(out).toMatch(/^table +rows\n/);
    for (const table of FILLED_TABLES) expect(out).toMatch(new RegExp(`\n${table} +[1-9]\\d*\n`));
    expect(out).toMatch(/\nthe same: [\d,]+ rows of \d+ tables value by value, /);
    expect(out).toMatch(/\naudit trail: verified; \d+ records/);
    expect(code).toBe(0);

    const [expected, found] = [await readAnswers(copy), await readAnswers(target)];
    expect(found.size).toBeGreaterThan(PATHS.length + 60);
    const refused = [...expected].filter(([, answer]) => !answer.startsWith("200 "));
    expect(refused).toEqual([]);
    const others = [...expected].filter(([path, answer]) => found.get(path) !== answer);
    expect(others.map(([path, answer]) => [path, findPart(answer, found.get(path))])).toEqual([]);

    const platform = await startPlatform(toOptions(target));
    onTestFinished(() => platform.close());
    for (const path of ["/api/batches/export", "/api/audit/export"]) {
      const input = await (await ask(platform, path)).text();
      const verified = await runCommand(["verify", "-"], { input });
      expect(verified.out, path).toMatch(/verified/);
      expect(verified.code, path).not.toBe(1);
    }
    const { events, batches } = await platform.stats();
    const { status, body } = await postBatch(platform, createBatch([createEvent()]));
    expect(status, JSON.stringify(body)).toBe(202);
    expect(await platform.stats()).toMatchObject({ events: events + 1, batches: batches + 1 });
  });

  it("leaves an empty database when it is killed, and a second run works", async () => {
    const target = await createTarget();
    await createTables(target);
    const holder = await connect(target);
    // The copy stops where it comes to this table.
    await holder.query("BEGIN; LOCK TABLE finding IN EXCLUSIVE MODE");
    const child = startCommand(["platform", "import", "--db", file, "--database", target]);
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'insert into "finding"%'`;
    const observer = await connect(target);
    await until(
      "the copy stands still",
      async () => (await observer.query(waiting)).rowCount === 1,
      30_000,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    await holder.query("ROLLBACK");
    expect(await countRows(target)).toBe(0);
    expect((await runImport(target)).code).toBe(0);
    expect(await countRows(target)).toBeGreaterThan(200);
  });

  it.each([
    ["drops a row", "RETURN NULL", /table finding: expected \d+ rows, got \d+; nothing was imp/],
    [
      "changes a value",
      "NEW.quote := 'x'; RETURN NEW",
      /table finding, row 1 \(seq \d+\): the column quote is another one; nothing was imported/,
    ],
  ])("says what differs where a database %s, and imports nothing", async (_, work, message) => {
    const target = await createTarget();
    await createTables(target);
    const client = await connect(target);
    await client.query(
      `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}; END $$;
       CREATE TRIGGER spoil BEFORE INSERT ON finding FOR EACH ROW EXECUTE FUNCTION spoil()`,
    );
    await expect(importDatabase({ file, database: target })).rejects.toThrow(message);
    expect(await countRows(target)).toBe(0);
  });

  it("needs no right to create anything once the tables are there", async () => {
    const target = await createTarget();
    await createTables(target);
    const client = await connect(target);
    await client.query(
      `CREATE ROLE importer LOGIN; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO importer;
       GRANT UPDATE ON ALL SEQUENCES IN SCHEMA public TO importer`,
    );
    const database = target.replace("bank@", "importer@");
    const report = await importDatabase({ file, database });
    expect(report.audit.status).toBe("verified");
  });

  it("counts the values that PostgreSQL can't hold, in keys as well", async () => {
    const copy = copyFile();
    const opened = await openDatabase(copy);
    // The second key stands before the first one, and in PostgreSQL behind it.
    const addKey = (bytes: string): string => `
      UPDATE added SET agent_id = CAST(x'${bytes}' AS TEXT);
      INSERT INTO activity SELECT * FROM added;`;
    opened.exec(`
      UPDATE span SET name = CAST(x'610062' AS TEXT) WHERE seq IN (SELECT seq FROM span LIMIT 3);
      CREATE TEMP TABLE added AS SELECT * FROM activity LIMIT 1;
      UPDATE added SET cost_nanos = 9e999;
      ${addKey("EF8080")} ${addKey("EDA080")}`);
    opened.close();
    const target = await createTarget();
    const { code, out, err } = await runImport(target, copy);
    expect(err).toBe("");
    expect(out).toMatch(/^table +rows +changed\n/);
    expect(out).toMatch(/\nspan +\d+ +3\n/);
    expect(out).toMatch(/\nchanged: 6 values that PostgreSQL can't hold/);
    expect(code).toBe(0);
    const names = await readRows(target, "SELECT name FROM span WHERE name LIKE 'a%' LIMIT 1");
    expect(names).toEqual([{ name: "a\uFFFDb" }]);
  });

  it("says that a trail that was changed before is not proven", async () => {
    const copy = copyFile();
    const opened = await openDatabase(copy);
    opened.exec(
      "DROP TRIGGER audit_is_not_changed; UPDATE audit SET actor = 'x' WHERE sequence = 2",
    );
    opened.close();
    const { code, out } = await runImport(await createTarget(), copy);
    expect(out).toMatch(/audit trail: BROKEN at record 2: hash changed/);
    expect(code).toBe(3);
  });
});

describe.skipIf(!isWanted)("platform import refuses in one line", () => {
  async function expectRefusal(database: string, from: string, message: RegExp): Promise<void> {
    const refused = importDatabase({ file: from, database });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
  }

  it("a database with rows", async () => {
    const target = await createTarget();
    const platform = await startPlatform({ ...toOptions(target), users: [] });
    await postBatch(platform, createBatch([createEvent()]));
    await platform.close();
    const rows = await countRows(target);
    const { code, err } = await runImport(target);
    expect(err).toBe(
      "agent-monitor: platform: the database has data already (table batch): import into an empty one\n",
    );
    expect(code).toBe(1);
    expect(await countRows(target)).toBe(rows);
  });

  it("a database of another program, or of a newer layout", async () => {
    const foreign = await createTarget();
    await readRows(foreign, "CREATE TABLE theirs (a int)");
    await expectRefusal(foreign, file, /has tables of another program \(theirs\)/);
    const newer = await createTarget();
    await createTables(newer);
    await readRows(newer, "UPDATE layout SET version = 99, oldest = 99");
    await expectRefusal(newer, file, /the database has layout 99, expected 7/);
  });

  it("a server that is not there, and what is no address of one", async () => {
    const missing = "postgres://bank@127.0.0.1:1/nothing";
    await expectRefusal(
      missing,
      file,
      /^platform: postgres:\/\/127\.0\.0\.1:1\/nothing: PostgreSQL: no connection/,
    );
    await expectRefusal("mysql://host/bank", file, /database must be an address: postgres:/);
    await expectRefusal("postgres://host/bank", file, /needs TLS: expected sslmode=verify-full/);
  });

  it("files that are no databases of a platform, which stay as they are", async () => {
    const target = await createTarget();
    const text = join(directory, "text.db");
    writeFileSync(text, "no database at all");
    await expectRefusal(target, text, /text\.db is no database of SQLite/);
    expect(readFileSync(text, "utf8")).toBe("no database at all");
    const missing = join(directory, "missing.db");
    await expectRefusal(target, missing, /missing\.db can't be read \(ENOENT\)/);
    expect(existsSync(missing)).toBe(false);
    await expectRefusal(target, directory, /can't be read \(EISDIR\)/);
  });

  it.each([
    ["PRAGMA user_version = 99", /has layout 99, expected 7: use the version of this package/],
    ["PRAGMA user_version = 6", /has layout 6, expected 7: start a platform on it once/],
    ["PRAGMA user_version = 0", /is no database of the platform/],
    ["DROP TABLE body", /has no table body: it is no database of the platform/],
  ])("a file of another layout: %s", async (sql, message) => {
    const copy = copyFile();
    const opened = await openDatabase(copy);
    opened.exec(sql);
    opened.close();
    await expectRefusal(await createTarget(), copy, message);
  });

  it("a file that a platform has open", async () => {
    const copy = copyFile();
    const opened = await openDatabase(copy);
    await expectRefusal(await createTarget(), copy, /is in use by process \d+/);
    opened.close();
  });

  it.each([
    [["--db", "x.db"], /platform import needs --database <address>/],
    [["--database", "postgres://h/d"], /platform import needs --db <file>/],
    [["--db", "a", "b"], /takes options only \(got b\)/],
  ])("as wrong usage: %j", async (args, message) => {
    const { code, err } = await runCommand(["platform", "import", ...args]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
