import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_REVIEW_POLICY } from "../../src/platform/review/review-policy.ts";
import type { LayoutStep } from "../../src/platform/store/layouts.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { prepareSchema } from "../../src/platform/store/schema.ts";
import type { SqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { readSourceFiles } from "../helpers/import-rules.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/platform/layout-3.db.gz");
const REVIEW = { policy: DEFAULT_REVIEW_POLICY, announcing: { webhooks: [], publicUrl: "" } };
const NEXT: LayoutStep = {
  oldest: 7,
  sql: `
    CREATE TABLE remark (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL);
    ALTER TABLE event ADD COLUMN tone TEXT NOT NULL DEFAULT 'unknown';`,
};

let directory: string;
let database: SqliteDatabase;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  const file = join(directory, "platform.db");
  writeFileSync(file, gunzipSync(readFileSync(FIXTURE)));
  database = await openDatabase(file);
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

const readLayout = () => database.all("SELECT user_version AS layout FROM pragma_user_version");
const countTones = () => database.all("SELECT tone, count(*) AS count FROM event GROUP BY tone");

describe("steps that both databases have", () => {
  it("are taken by a file of SQLite behind those of its own", () => {
    expect(prepareSchema(database, REVIEW, [NEXT])).toMatchObject({ from: 3, to: 8 });
    expect(readLayout()).toEqual([{ layout: 8 }]);
    expect(countTones()).toEqual([{ tone: "unknown", count: 32 }]);
    expect(prepareSchema(database, REVIEW, [NEXT])).toBeUndefined();
  });

  it("are taken by a file of the layout before, together or not at all", () => {
    prepareSchema(database, REVIEW, []);
    expect(readLayout()).toEqual([{ layout: 7 }]);
    const broken = { oldest: 7, sql: "ALTER TABLE absent ADD COLUMN one TEXT;" };
    expect(() => prepareSchema(database, REVIEW, [NEXT, broken])).toThrow(/no such table/);
    expect(readLayout()).toEqual([{ layout: 7 }]);
    expect(prepareSchema(database, REVIEW, [NEXT])).toMatchObject({ from: 7, to: 8 });
    expect(countTones()).toEqual([{ tone: "unknown", count: 32 }]);
  });

  it("are refused by a version that has fewer", () => {
    prepareSchema(database, REVIEW, [NEXT]);
    expect(() => prepareSchema(database, REVIEW, [])).toThrow(/has layout 8, expected 7 at most/);
  });
});

// PostgreSQL refuses a prepared statement whose columns have become others, until its connection ends.
it("no statement asks for all columns: one that is prepared goes on when a column is added", () => {
  const files = [...readSourceFiles(join(import.meta.dirname, "../../src/platform"))];
  const asking = files.filter(
    ([file, source]) =>
      !file.startsWith("ui/") &&
      /selectAll|returningAll|select (?:\w+\.)?\*|returning \*/i.test(source),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(asking.map(([file]) => file)).toEqual([]);
});
