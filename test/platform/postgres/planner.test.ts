import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countUpTo, listConditions } from "../../../src/platform/store/conversation-filter.ts";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import { preparePostgres } from "../../../src/platform/store/postgres/prepare-postgres.ts";
import { db, estimateRows } from "../../../src/platform/store/query.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";
import { followSteps } from "../../../src/platform/turns.ts";
import { systemClock } from "../../../src/util/clock.ts";
import {
  HAS_POSTGRES,
  startPostgres,
  type PostgresServer,
} from "../../cluster/support/postgres-server.ts";

const MESSAGES = 3000;

describe.skipIf(!HAS_POSTGRES)("what PostgreSQL's planner is asked", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  beforeAll(async () => {
    server = await startPostgres(["fsync=off"]);
    database = await openPostgres(await server.createDatabase("planner"));
    await preparePostgres(database, systemClock);
    const transaction = await database.begin();
    await transaction.exec(`
      INSERT INTO message SELECT id, to_tsvector('simple',
        CASE WHEN id % 1500 = 0 THEN 'the wire transfer' ELSE 'a wire without transfer' END || ' number ' || id)
      FROM generate_series(1, ${MESSAGES}) AS id;
      INSERT INTO fact SELECT kind, value, 'key-' || id, '', ''
      FROM (VALUES ('channel', 'web'), ('model', 'gpt-5')) AS given (kind, value), generate_series(1, ${MESSAGES}) AS id;
      ANALYZE;`);
    await transaction.commit();
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  /** Counts up to a number of messages with some words. */
  const count = async (q: string, limit: number): Promise<number> => {
    const [condition = {}] = listConditions({ q }, 0);
    return await followSteps(countUpTo(database, condition, limit));
  };

  it("is about how many messages have a word that many have: they are not counted", async () => {
    const [condition] = listConditions({ q: "wire" }, 0);
    const hits = condition?.hits;
    if (!hits) throw new Error("expected a condition on messages");
    const estimate = await followSteps(estimateRows(database, hits));
    expect(estimate).toBeGreaterThan(MESSAGES / 2);
    expect(estimate).toBeLessThan(MESSAGES * 2);
    expect(await count("wire", 100)).toBe(100);
  });

  it("is nothing about a word that few have, words that stand together, or several: they are counted", async () => {
    expect(await count("1700", 100)).toBe(1);
    expect(await count('"wire transfer"', 100)).toBe(2);
    expect(await count("wire transfer the", 100)).toBe(2);
  });

  it("knows that a value belongs to its kind", async () => {
    const facts = db.selectFrom("fact").select("conversation_key");
    const ofKind = facts.where("kind", "=", "model").where("value", "=", "gpt-5");
    // Half of the rows have the kind, and half the value: a quarter would have both.
    expect(await followSteps(estimateRows(database, ofKind))).toBeGreaterThan(0.9 * MESSAGES);
    const ofNone = facts.where("kind", "=", "model").where("value", "=", "web");
    expect(await followSteps(estimateRows(database, ofNone))).toBeLessThan(0.1 * MESSAGES);
  });
});
