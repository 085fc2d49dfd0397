import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../../src/platform/store/postgres/postgres-database.ts";
import type { PostgresDatabase } from "../../../src/platform/store/sql-database.ts";
import {
  HAS_POSTGRES,
  startPostgres,
  type PostgresServer,
} from "../../cluster/support/postgres-server.ts";

const INSERT = "INSERT INTO number (value) VALUES ($1)";

describe.skipIf(!HAS_POSTGRES)("statements that a transaction sends", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  beforeAll(async () => {
    server = await startPostgres(["fsync=off"]);
    database = await openPostgres(await server.createDatabase("transactions"));
    const transaction = await database.begin();
    await transaction.exec("CREATE TABLE number (value TEXT PRIMARY KEY)");
    await transaction.commit();
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  const readValues = async (): Promise<string[]> => {
    const rows = await database.all<{ value: string }>("SELECT value FROM number ORDER BY 1", []);
    return rows.map(({ value }) => value);
  };
  const empty = async (): Promise<void> => {
    const transaction = await database.begin();
    void transaction.send("DELETE FROM number", []);
    await transaction.commit();
  };

  it("are seen by those behind them, and stored at its end", async () => {
    await empty();
    const transaction = await database.begin();
    void transaction.send(INSERT, ["a"]);
    void transaction.send(INSERT, ["b"]);
    expect(await transaction.all("SELECT count(*) AS count FROM number", [])).toEqual([
      { count: 2 },
    ]);
    void transaction.send(INSERT, ["c"]);
    await transaction.commit();
    expect(await readValues()).toEqual(["a", "b", "c"]);
  });

  it("fail the transaction at its end, with the error of the first", async () => {
    await empty();
    const transaction = await database.begin();
    void transaction.send(INSERT, ["a"]);
    void transaction.send(INSERT, ["a"]);
    void transaction.send(INSERT, ["b"]);
    await expect(transaction.commit()).rejects.toThrow(/SQLSTATE 23505/);
    await transaction.rollBack();
    expect(await readValues()).toEqual([]);
  });

  it("fail what is waited for behind them, with the error of the first", async () => {
    await empty();
    const transaction = await database.begin();
    void transaction.send(INSERT, ["a"]);
    void transaction.send(INSERT, ["a"]);
    await expect(transaction.run(INSERT, ["b"])).rejects.toThrow(/SQLSTATE 23505/);
    await transaction.rollBack();
    expect(await readValues()).toEqual([]);
  });

  it("leave nothing where it is rolled back while they are under way", async () => {
    await empty();
    const transaction = await database.begin();
    for (let index = 0; index < 100; index++) void transaction.send(INSERT, [String(index)]);
    await transaction.rollBack();
    const next = await database.begin();
    void next.send(INSERT, ["after"]);
    await next.commit();
    expect(await readValues()).toEqual(["after"]);
  });

  it("are waited for where there is too much of them", async () => {
    await empty();
    const transaction = await database.begin();
    const large = "x".repeat(1024 * 1024);
    const full: unknown[] = [];
    for (let index = 0; index < 12; index++)
      full.push(transaction.send("SELECT $1::text", [large]));
    expect(full.slice(0, 8)).toEqual(Array.from({ length: 8 }));
    expect(full.at(-1)).toBeInstanceOf(Promise);
    await full.at(-1);
    expect(transaction.send("SELECT $1::text", ["x"])).toBeUndefined();
    await transaction.commit();
  });

  it("fail as the server that is killed under them", async () => {
    await empty();
    const transaction = await database.begin();
    void transaction.send(INSERT, ["lost"]);
    await server.kill();
    await expect(transaction.commit()).rejects.toThrow(/PostgreSQL/);
    await server.start();
    expect(await readValues()).toEqual([]);
  });
});
