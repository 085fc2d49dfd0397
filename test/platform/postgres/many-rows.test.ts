import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeAll } from "../../../src/platform/store/change-all.ts";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import { toPostgresValue } from "../../../src/platform/store/postgres/postgres-value.ts";
import { preparePostgres } from "../../../src/platform/store/postgres/prepare-postgres.ts";
import { createStatement, db, type Statement } from "../../../src/platform/store/query.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";
import { followSteps } from "../../../src/platform/turns.ts";
import { systemClock } from "../../../src/util/clock.ts";
import {
  HAS_POSTGRES,
  startPostgres,
  type PostgresServer,
} from "../../cluster/support/postgres-server.ts";

const INSERT_FRAME = createStatement((values: { seq: number; bytes: Uint8Array; runs: string }) =>
  db.insertInto("frame").values({ seq: values.seq, bytes: values.bytes, runs: values.runs }),
);

interface Conversation {
  readonly key: string;
  readonly title: string | null;
  readonly risk: number | null;
}

const INSERT_CONVERSATION = createStatement(({ key, title, risk }: Conversation) =>
  db
    .insertInto("conversation")
    .values({
      key,
      title,
      max_risk_score: risk,
      organization_id: "bank",
      agent_id: "agent",
      conversation_id: "conversation",
      event_count: 1,
      finding_count: 0,
      max_severity: 0,
      requires_review: 0,
      started_at: 0,
      last_at: 0,
    })
    .onConflict((conflict) => conflict.column("key").doNothing()),
);

const RENAME = createStatement(({ key, title }: Pick<Conversation, "key" | "title">) =>
  db.updateTable("conversation").set({ title }).where("key", "=", key),
);

const text = fc.string({ unit: "binary", maxLength: 40 });
const anyText = fc.oneof(text, fc.constantFrom("\0", "\uD800", "\\", '"', "\n", "{}", "$1", "é😀"));
const number = fc.double({ noNaN: true, noDefaultInfinity: true, maxExcluded: false });

describe.skipIf(!HAS_POSTGRES)("many rows in PostgreSQL", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  beforeAll(async () => {
    server = await startPostgres(["fsync=off"]);
    database = await openPostgres(await server.createDatabase("rows"));
    await preparePostgres(database, systemClock);
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  async function write<Values extends object>(
    statement: Statement<Values, unknown>,
    rows: readonly Values[],
  ): Promise<void> {
    const transaction = await database.begin();
    try {
      await followSteps(changeAll(transaction, statement, rows));
      await transaction.commit();
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  }
  beforeEach(async () => {
    const transaction = await database.begin();
    await transaction.exec("TRUNCATE frame, conversation");
    await transaction.commit();
  });

  it("have every text, number and nothing as each alone would", async () => {
    const rows = fc.uniqueArray(
      fc.record({ key: fc.uuid(), title: fc.option(anyText), risk: fc.option(number) }),
      { selector: ({ key }) => key, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        await write(INSERT_CONVERSATION, given);
        for (const { key, title, risk } of given)
          expect(
            await database.all(
              `SELECT title, max_risk_score AS risk FROM conversation WHERE key = $1`,
              [key],
            ),
          ).toEqual([{ title: toPostgresValue(title), risk: risk === 0 ? 0 : risk }]);
      }),
      { numRuns: 30 },
    );
  });

  it("have bytes", async () => {
    const rows = [
      { seq: 1, bytes: Uint8Array.from({ length: 256 }, (_, index) => index), runs: "[]" },
      { seq: 2, bytes: new Uint8Array(), runs: "[[1]]" },
    ];
    await write(INSERT_FRAME, rows);
    const stored = await database.all<{ bytes: Buffer }>(
      "SELECT seq, bytes, runs FROM frame ORDER BY seq",
      [],
    );
    expect(stored.map((row) => ({ ...row, bytes: Uint8Array.from(row.bytes) }))).toEqual(rows);
  });

  it("are changed, each by its key, and no other", async () => {
    const rows = ["a", "b", "c"].map((key) => ({ key, title: key, risk: null }));
    await write(INSERT_CONVERSATION, rows);
    await write(RENAME, [
      { key: "c", title: null },
      { key: "a", title: "another" },
      { key: "d", title: "nobody" },
    ]);
    expect(await database.all("SELECT key, title FROM conversation ORDER BY key", [])).toEqual([
      { key: "a", title: "another" },
      { key: "b", title: "b" },
      { key: "c", title: null },
    ]);
  });

  it("keep the first row of a key", async () => {
    await write(INSERT_CONVERSATION, [{ key: "a", title: "first", risk: 0.1 }]);
    await write(INSERT_CONVERSATION, [
      { key: "a", title: "second", risk: 1 },
      { key: "b", title: "other", risk: 1e-300 },
    ]);
    expect(
      await database.all("SELECT title, max_risk_score AS risk FROM conversation ORDER BY key", []),
    ).toEqual([
      { title: "first", risk: 0.1 },
      { title: "other", risk: 1e-300 },
    ]);
  });

  it("are refused by a statement that has a value elsewhere", async () => {
    const increase = createStatement(({ key, by }: { key: string; by: number }) =>
      db
        .updateTable("conversation")
        .set((eb) => ({ event_count: eb("event_count", "+", by) }))
        .where("key", "=", key),
    );
    await expect(write(increase, [{ key: "a", by: 1 }])).rejects.toThrow(/a value elsewhere/);
  });
});
