import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importDatabase, startPlatform } from "../../../src/platform/index.ts";
import { openDatabase } from "../../../src/platform/store/open-database.ts";
import { type ChildPlatform, startChildProcess } from "../child-platform.ts";
import {
  type ConversationTelemetry,
  createConversation,
  createToolTurn,
  sendTelemetry,
} from "../conversation-telemetry.ts";
import { START } from "../helpers.ts";
import { openStored } from "../stored-database.ts";
import { toAddress } from "./open-database.ts";

const LATER = { timeout: 60_000 };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Reads all events that were stored, each as JSON. */
async function readEvents(file: string): Promise<string[]> {
  const database = await openStored(file);
  const rows = await database.all<{ json: string }>("SELECT json FROM body");
  await database.close();
  return rows.map(({ json }) => json).toSorted();
}

/** Returns the events that one platform makes. */
async function makeExpected(conversations: readonly ConversationTelemetry[]): Promise<string[]> {
  const file = join(directory, "expected.db");
  const platform = await startPlatform({ port: 0, database: await toAddress(file) });
  for (const { requests } of conversations)
    for (const request of requests) expect(await sendTelemetry(platform, request)).toBe(200);
  await platform.close();
  return readEvents(file);
}

it("two platforms make the events of traces whose spans come to both once, while one after the other is killed", async () => {
  const file = join(directory, "shared.db");
  const database = await toAddress(file);
  const start = () => startChildProcess(["--database", database]);
  let platforms: readonly ChildPlatform[] = await Promise.all([start(), start()]);
  const conversations = Array.from({ length: 60 }, (_, index) =>
    index % 3 === 0 ? createToolTurn(index + 1, START) : createConversation(index + 1, 4, START),
  );
  let count = 0;
  const send = async (from: number, to: number): Promise<void> => {
    for (const { requests } of conversations.slice(from, to))
      for (const request of requests) {
        const platform = platforms[count++ % platforms.length];
        if (platform) expect(await sendTelemetry(platform, request)).toBe(200);
      }
  };
  // Whichever of them makes the events, it is killed while it does.
  for (const [turn, from] of [0, 20].entries()) {
    await send(from, from + 10);
    const killed = platforms[turn];
    const others = platforms.filter((platform) => platform !== killed);
    await killed?.end("SIGKILL");
    platforms = others;
    await send(from + 10, from + 20);
    platforms = turn === 0 ? [await start(), ...others] : [...others, await start()];
  }
  await send(40, 60);
  const expected = await makeExpected(conversations);
  expect(expected).toHaveLength(conversations.reduce((sum, { eventCount }) => sum + eventCount, 0));
  const readStats = async () => {
    const answer = await fetch(`${platforms[0]?.url ?? ""}/api/stats`);
    return (await answer.json()) as { events: number; duplicates: number };
  };
  await expect.poll(async () => (await readStats()).events, LATER).toBe(expected.length);
  expect((await readStats()).duplicates).toBe(0);
  for (const platform of platforms) await platform.end("SIGTERM");
  expect(await readEvents(file)).toEqual(expected);
}, 240_000);

it("a platform that ends leaves to another one what waits for more of its trace", async () => {
  const file = join(directory, "shared.db");
  const database = await toAddress(file);
  const first = await startPlatform({ port: 0, database });
  const conversation = createConversation(2, 1, START);
  const [call, agent] = conversation.requests;
  if (!call || !agent) throw new Error("expected a trace in two requests");
  expect(await sendTelemetry(first, call)).toBe(200);
  const second = await startPlatform({ port: 0, database });
  const readWanted = async (): Promise<number> => {
    const stored = await openStored(file);
    const rows = await stored.all<{ at: number }>(
      "SELECT wanted_until AS at FROM telemetry_position",
    );
    await stored.close();
    return rows[0]?.at ?? 0;
  };
  await expect.poll(readWanted, LATER).toBeGreaterThan(0);
  await first.close();
  expect((await second.stats()).events).toBe(0);
  expect(await sendTelemetry(second, agent)).toBe(200);
  await expect.poll(async () => (await second.stats()).events, LATER).toBe(2);
  await second.close();
  expect(await readEvents(file)).toEqual(await makeExpected([conversation]));
});

it("what waited in a file of SQLite becomes events where that was imported, and nothing does again", async () => {
  const file = join(directory, "platform.db");
  const before = await startChildProcess(["--db", file]);
  const [made, waiting] = [createConversation(2, 2, START), createConversation(4, 1, START)];
  for (const request of made.requests) expect(await sendTelemetry(before, request)).toBe(200);
  expect(await before.end("SIGTERM")).toBe(0);
  const killed = await startChildProcess(["--db", file]);
  for (const request of waiting.requests) expect(await sendTelemetry(killed, request)).toBe(200);
  await killed.end("SIGKILL");
  const source = await openDatabase(file);
  expect(source.all("SELECT seq FROM event")).toHaveLength(made.eventCount);
  source.close();
  const database = await toAddress(file);
  await importDatabase({ file, database });
  const platform = await startPlatform({ port: 0, database });
  const count = made.eventCount + waiting.eventCount;
  await expect.poll(async () => (await platform.stats()).events, LATER).toBe(count);
  expect((await platform.stats()).duplicates).toBe(0);
  await platform.close();
  expect(await readEvents(file)).toEqual(await makeExpected([made, waiting]));
});
