import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform } from "../../../src/platform/index.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { startChildPlatform, type ChildPlatform } from "../child-platform.ts";
import { get, START, type JsonObject } from "../helpers.ts";
import { ask, createDeliveries, DAY, deliver } from "./records-helpers.ts";

const SESSIONS = 80;
const EVENTS = 4;
const KILLS = 3;

let directory: string;
let database: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  database = join(directory, "platform.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function fill(): Promise<void> {
  const clock = createFakeClock(START - 400 * DAY);
  const platform = await startPlatform({ port: 0, database, clock });
  const deliveries = createDeliveries();
  // Each batch has events of many conversations, and each conversation has events in several batches.
  for (let round = 0; round < EVENTS; round++)
    for (let from = 0; from < SESSIONS; from += 20) {
      const sessions = Array.from({ length: 20 }, (_, index) => `session-${from + index}`);
      await deliver(platform, deliveries.plan(sessions, { timestamp: START - 400 * DAY }));
    }
  await platform.close();
}

async function listEventCounts(platform: { url: string }): Promise<number[]> {
  const { body } = await get(platform, "/api/conversations?limit=200");
  return (body["conversations"] as JsonObject[]).map(({ eventCount }) => Number(eventCount));
}

async function countRecords(platform: { url: string }): Promise<number> {
  const { body } = await get(platform, "/api/audit?action=records.purge&limit=200");
  return (body["records"] as JsonObject[]).length;
}

it("leaves no conversation half removed, wherever it is killed", { timeout: 300_000 }, async () => {
  await fill();
  const policy = join(directory, "retention.json");
  writeFileSync(policy, JSON.stringify([{ name: "all", days: 30 }]));
  const start = (): Promise<ChildPlatform> =>
    startChildPlatform(["--db", database, "--retention", policy]);
  let left = SESSIONS;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await start();
    const purging = ask(child, undefined, "/api/purge", {}).catch(() => undefined);
    // Somewhere in the middle: when one more has gone, and a little later each time.
    await expect
      .poll(() => countRecords(child), { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(SESSIONS - left);
    await new Promise((resolve) => setTimeout(resolve, kill * 3));
    await child.end("SIGKILL");
    await purging;
    const next = await startPlatform({ port: 0, database });
    const counts = await listEventCounts(next);
    expect(counts.every((count) => count === EVENTS)).toBe(true);
    expect(await countRecords(next)).toBe(SESSIONS - counts.length);
    expect(counts.length).toBeLessThan(left);
    left = counts.length;
    const { out, code } = await runCommand(["verify", next.url]);
    expect(out).toContain(`${(SESSIONS - left) * EVENTS} events\n`);
    expect(code).toBe(0);
    await next.close();
    if (left === 0) break;
  }
  const last = await start();
  await ask(last, undefined, "/api/purge", {});
  expect(await listEventCounts(last)).toEqual([]);
  expect((await runCommand(["verify", last.url])).code).toBe(0);
  await last.end("SIGTERM");
});
