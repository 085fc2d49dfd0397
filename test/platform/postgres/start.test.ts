import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { startPlatform, type Platform } from "../../../src/platform/index.ts";
import { findFreePorts } from "../../cluster/support/free-ports.ts";
import { runCommand } from "../../helpers/command.ts";
import { startChildPlatform } from "../child-platform.ts";
import { createAgent, createBatch, createEvent, get, postBatch, putAgent } from "../helpers.ts";
import { toAddress } from "./open-database.ts";

async function open(database: string): Promise<Platform> {
  const platform = await startPlatform({ port: 0, database });
  onTestFinished(() => platform.close());
  return platform;
}

/** Runs statements in a database. */
async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

it("refuses a database of another layout in one line", async () => {
  const database = await toAddress(":memory:");
  await run(database, "UPDATE layout SET version = version - 1, oldest = oldest - 1");
  await expect(open(database)).rejects.toThrow(
    /^platform: the database has layout \d+, expected \d+: use another database$/,
  );
  await run(database, "UPDATE layout SET version = version + 2, oldest = oldest + 2");
  await expect(open(database)).rejects.toThrow(
    /^platform: the database has layout \d+, expected \d+: use the version of this package that has brought it there$/,
  );
});

it("refuses the database of another program in one line, and leaves it as it was", async () => {
  await run(`${inject("postgres")}/postgres`, "CREATE DATABASE of_others TEMPLATE template0");
  const database = `${inject("postgres")}/of_others`;
  await run(database, "CREATE TABLE account (id INTEGER)");
  await expect(open(database)).rejects.toThrow(
    /^platform: the database has tables of another program \(account\): use an empty one$/,
  );
  await run(database, "DROP TABLE account");
  expect(await (await open(database)).stats()).toMatchObject({ batches: 0 });
});

it("says in one line that no server is there, without user and password", async () => {
  const [port = 0] = await findFreePorts(1);
  const database = `postgres://teller:very-secret@127.0.0.1:${port}/bank`;
  const { code, out, err } = await runCommand(["dev", "--port", "0", "--database", database]);
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toEqual([expect.stringContaining("PostgreSQL: no connection")]);
  expect(out + err).not.toMatch(/very-secret|teller/);
});

it("says which database it has, without the user", async () => {
  const child = await startChildPlatform(["--db", ":memory:"]);
  await expect
    .poll(() => child.output())
    .toMatch(/data +postgres:\/\/127\.0\.0\.1:\d+\/memory_\w+\n/);
  expect(child.output()).not.toContain("bank@");
  expect(await child.end("SIGTERM")).toBe(0);
});

it.each([
  ["postgres://bank@db.bank.example/agents", /needs TLS: expected sslmode=verify-full/],
  ["postgres://bank@db.bank.example/agents?sslmode=prefer", /needs TLS/],
  ["postgres://bank@localhost", /names no database/],
])("refuses the address %s", async (database, problem) => {
  await expect(startPlatform({ port: 0, database })).rejects.toThrow(problem);
});

it("keeps a text with NUL, which PostgreSQL has not, with a mark in its place", async () => {
  const platform = await open(await toAddress(":memory:"));
  const traceId = "5b8efff798038103d269b633813fc60c";
  const span = { traceId, spanId: "1".repeat(16), name: "a\0b" };
  const sent = await fetch(`${platform.url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span, span] }] }] }),
  });
  expect(sent.status).toBe(200);
  expect((await get(platform, "/api/traces")).body["traces"]).toMatchObject([
    { traceId, name: "a\uFFFDb", spanCount: 1 },
  ]);
  const agent = createAgent({ id: "nul", name: "Nul\0la" });
  expect((await putAgent(platform, agent, "nul")).status).toBeLessThan(300);
  const event = createEvent("user_message", {
    content: "zero \0 zero",
    contentLength: 11,
  });
  const batch = createBatch([event]);
  expect(await postBatch(platform, batch)).toMatchObject({ status: 202 });
  expect((await postBatch(platform, batch)).status).toBe(200);
  const { conversations } = (await get(platform, "/api/conversations")).body as {
    conversations: readonly { key: string }[];
  };
  const [{ key } = { key: "" }] = conversations;
  const { body } = await get(platform, `/api/conversations/${key}`);
  // The event is kept as it came.
  expect(body["events"]).toMatchObject([{ content: "zero \0 zero" }]);
});
