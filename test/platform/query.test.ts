import { expect, it } from "vitest";
import {
  change,
  createStatement,
  db,
  readNumber,
  readRow,
} from "../../src/platform/store/query.ts";
import type { SqlValue, Transaction } from "../../src/platform/store/sql-database.ts";
import { runSteps } from "../../src/platform/turns.ts";

/** Keeps what is run, and gives one row. */
function createRecorder(row: object = {}) {
  const ran: [sql: string, ...values: SqlValue[]][] = [];
  const database: Transaction = {
    dialect: "sqlite",
    run: (sql, values) => ran.push([sql, ...values]),
    send: (sql, values) => void ran.push([sql, ...values]),
    all: <Row>(sql: string, values: readonly SqlValue[]) => {
      ran.push([sql, ...values]);
      return [row as Row];
    },
  };
  return { ran, database };
}

it("writes a statement once, and runs it with other values", () => {
  let written = 0;
  const find = createStatement(
    (values: { name: string; version: string | null; count: number }) => {
      written++;
      return db
        .selectFrom("agent")
        .select("agent_id as id")
        .where("name", "=", values.name)
        .where("version", "is", values.version)
        .where("organization_id", "=", "bank")
        .limit(values.count);
    },
  );
  const { ran, database } = createRecorder({ id: "a" });
  expect(written).toBe(0);
  expect(runSteps(find.rows(database, { name: "one", version: null, count: 2 }))).toEqual([
    { id: "a" },
  ]);
  expect(runSteps(find.change(database, { name: "other", version: "1", count: 3 }))).toBe(2);
  expect(written).toBe(1);
  const sql = ran[0]?.[0] ?? "";
  expect(ran).toEqual([
    [sql, "one", null, "bank", 2],
    [sql, "other", "1", "bank", 3],
  ]);
});

it("writes known limits into a statement, which SQLite would prepare anew for a bound one", () => {
  const { ran, database } = createRecorder({ seq: 7 });
  const query = db.selectFrom("span").select("seq").where("seq", "<", 5).offset(1);
  expect(runSteps(readRow(database, query.limit(3)))).toEqual({ seq: 7 });
  expect(runSteps(readNumber(database, query.limit(0.5)))).toBe(7);
  runSteps(change(database, db.deleteFrom("span").where("seq", "<", 2)));
  expect(ran).toEqual([
    ['select "seq" from "span" where "seq" < ? limit 3 offset ?', 5, 1],
    ['select "seq" from "span" where "seq" < ? limit ? offset ?', 5, 0.5, 1],
    ['delete from "span" where "seq" < ?', 2],
  ]);
});
