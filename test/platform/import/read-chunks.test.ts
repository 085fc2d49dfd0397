import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SCHEMA } from "../../../src/platform/store/create-tables.ts";
import { listTables, type Table } from "../../../src/platform/store/import/list-tables.ts";
import { readChunks } from "../../../src/platform/store/import/read-chunks.ts";
import { openDatabase } from "../../../src/platform/store/open-database.ts";
import type { SqliteDatabase } from "../../../src/platform/store/sql-database.ts";

let database: SqliteDatabase;
beforeEach(async () => {
  database = await openDatabase(":memory:");
  database.exec(SCHEMA);
});
afterEach(() => database.close());

function findTable(name: string): Table {
  const table = listTables(database).find((each) => each.name === name);
  if (!table) throw new Error(`expected a table ${name}`);
  return table;
}

/** Inserts numbered bodies of some bytes. */
function addBodies(count: number, bytes: number): void {
  database.run(
    `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ?)
     INSERT INTO body (seq, json) SELECT value, hex(zeroblob(?)) FROM n`,
    [count, bytes / 2],
  );
}

const sizes = (table: Table): number[] =>
  [...readChunks(database, table)].map(({ length }) => length);

describe("rows of a file", () => {
  it("are read a thousand at a time", () => {
    addBodies(2500, 2);
    expect(sizes(findTable("body"))).toEqual([1000, 1000, 500]);
  });

  it("are fewer at a time where they are large, one at least", () => {
    addBodies(5, 1_500_000);
    expect(sizes(findTable("body"))).toEqual([2, 2, 1]);
    database.run("DELETE FROM body");
    addBodies(2, 6_000_000);
    expect(sizes(findTable("body"))).toEqual([1, 1]);
  });

  it("come in the order of a key of several columns, texts with NUL whole", () => {
    const values = ["b", "a\0c", "a", "a\0b"];
    for (const value of values)
      database.run(
        "INSERT INTO fact VALUES (CAST(? AS TEXT), 'v', CAST(? AS TEXT), 'production', '')",
        [Buffer.from(value), Buffer.from("k")],
      );
    const rows = [...readChunks(database, findTable("fact"))].flat();
    expect(rows.map(({ kind }) => kind)).toEqual(["a", "a\0b", "a\0c", "b"]);
  });

  it("are found in every table, by columns that no two have the same values of", () => {
    const tables = listTables(database);
    expect(tables.length).toBeGreaterThan(30);
    expect(tables.map(({ name }) => name)).toContain("sampled_answer");
    expect(findTable("trace").key.map(({ name }) => name)).toEqual(["trace_id", "organization_id"]);
    expect(findTable("trace").number).toBeUndefined();
    expect(findTable("batch").number).toBe("seq");
    expect(findTable("review_item").number).toBeUndefined();
  });
});
