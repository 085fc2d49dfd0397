import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import type { Operations } from "../../src/platform/operations/read-operations.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch, START } from "./helpers.ts";
import { DROP_LAYOUT_7 } from "./layouts.ts";
import { ON_POSTGRES, openStored } from "./stored-database.ts";

const MINUTE = 60_000;
const HASH = `sha256:${"a".repeat(64)}`;
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let platform: Platform;
afterEach(() => platform.close());

async function read(): Promise<Operations> {
  const { status, body } = await get(platform, "/api/operations");
  expect(status).toBe(200);
  return body as unknown as Operations;
}

/** Builds a batch of a writer with its place in the chain. */
function createChained(
  events: readonly unknown[],
  sequence: number,
  [firstEvent, lastEvent]: readonly [number, number],
  dropped?: readonly JsonObject[],
): JsonObject {
  const chain = {
    writerId: "writer-1",
    sequence,
    previous: null,
    firstEvent,
    lastEvent,
    hash: HASH,
  };
  const metadata = { batchVersion: "1.0", chain, ...(dropped && { dropped }) };
  return createBatch(events, { metadata });
}

describe("the facts of operations", () => {
  it("are zeros where nothing has arrived", async () => {
    platform = await startPlatform({ port: 0, clock: createFakeClock(START) });
    const found = await read();
    expect(found).toMatchObject({
      now: START,
      startedAt: START,
      rejections: [],
      losses: { byReason: [], recent: [] },
      writers: { count: 0, withGaps: 0, missingEvents: 0, newest: [] },
      organizations: [],
      audit: { records: 0, lastHash: null },
      faults: null,
    });
    expect(found.intake.minutes).toHaveLength(60);
    expect(found.intake.hours).toHaveLength(24);
    expect(found.intake.minutes.at(-1)).toMatchObject({ at: START, events: 0 });
  });

  it("count what arrives in the minute and in the hour of its arrival", async () => {
    const clock = createFakeClock(START);
    platform = await startPlatform({ port: 0, clock });
    const batch = createBatch([createEvent(), createEvent(), 5]);
    await postBatch(platform, batch);
    await clock.advance(61 * MINUTE);
    await postBatch(platform, createBatch([createEvent()], { organizationId: "other" }), {
      organizationId: "other",
    });
    await clock.advance(MINUTE);
    await postBatch(platform, batch);
    const { intake, organizations } = await read();
    expect(intake.minutes.slice(-2)).toMatchObject([
      { events: 1, batches: 1, duplicates: 0 },
      { events: 0, batches: 0, duplicates: 2 },
    ]);
    // What came an hour ago is in none of its minutes any more.
    expect(intake.minutes.reduce((sum, { events }) => sum + events, 0)).toBe(1);
    expect(intake.hours.slice(-2)).toMatchObject([
      { events: 2, rejected: 1 },
      { events: 1, duplicates: 2 },
    ]);
    expect(organizations).toMatchObject([
      { organizationId: "first-bank", events: 2, duplicates: 2, rejected: 1 },
      { organizationId: "other", events: 1, lastAt: START + 61 * MINUTE },
    ]);
  });

  it("say why events were rejected, by the member, and nothing of what they hold", async () => {
    platform = await startPlatform({ port: 0 });
    const secret = createEvent("user_message", { metadata: { hunter2: 1 }, content: 12 });
    await postBatch(platform, createBatch([createEvent(), secret, { hunter2: "hunter2" }]));
    await postBatch(platform, createBatch([createEvent(), secret]));
    const { rejections } = await read();
    expect(rejections.map(({ code, member, count }) => ({ code, member, count }))).toEqual(
      expect.arrayContaining([
        { code: "invalid_type", member: "/content", count: 2 },
        { code: "unknown_type", member: "/interactionType", count: 1 },
      ]),
    );
    expect(JSON.stringify(rejections)).not.toContain("hunter2");
  });

  it("know a writer's gaps, and what its reports explain", async () => {
    platform = await startPlatform({ port: 0 });
    await postBatch(platform, createChained([createEvent(), createEvent()], 1, [1, 2]));
    await postBatch(platform, createChained([createEvent()], 3, [9, 9]));
    expect((await read()).writers).toMatchObject({
      count: 1,
      withGaps: 1,
      missingEvents: 6,
      newest: [
        { writerId: "writer-1", batches: 2, lastSequence: 3, lastEvent: 9, missingEvents: 6 },
      ],
    });
    const dropped = [
      { reason: "expired", count: 6, firstSequence: 3, lastSequence: 8 },
      { reason: "queue_full", count: 5 },
    ];
    await postBatch(platform, createChained([createEvent()], 4, [10, 10], dropped));
    const { writers, losses } = await read();
    expect(writers).toMatchObject({ withGaps: 0, missingEvents: 0, newest: [{ givenUp: 6 }] });
    expect(losses.byReason).toMatchObject([
      { reason: "expired", count: 6 },
      { reason: "queue_full", count: 5 },
    ]);
    expect(losses.recent.map(({ writerId }) => writerId)).toEqual(["writer-1", "writer-1"]);
  });

  it.skipIf(ON_POSTGRES)("are read out of a database of the version before", async () => {
    const database = join(directory, "before.db");
    platform = await startPlatform({ port: 0, database });
    const dropped = [{ reason: "expired", count: 1, firstSequence: 3, lastSequence: 3 }];
    await postBatch(platform, createChained([createEvent(), 5, createEvent()], 1, [1, 4], dropped));
    await postBatch(platform, createBatch());
    const { intake, rejections, losses, writers, organizations } = await read();
    await platform.close();
    const opened = await openDatabase(database);
    opened.exec(`${DROP_LAYOUT_7} PRAGMA user_version = 6`);
    opened.close();
    platform = await startPlatform({ port: 0, database });
    const after = await read();
    expect(losses.byReason).toMatchObject([{ reason: "expired", count: 1 }]);
    expect(after.intake.hours.at(-1)?.events).toBe(intake.hours.at(-1)?.events);
    expect(after).toMatchObject({ rejections, losses, writers, organizations });
  });

  it("keep reports of losses as they came", async () => {
    const database = join(directory, "append-only.db");
    platform = await startPlatform({ port: 0, database });
    const dropped = [{ reason: "expired", count: 1 }];
    await postBatch(platform, createChained([createEvent()], 1, [1, 1], dropped));
    await platform.close();
    const opened = await openStored(database);
    await expect(opened.run("UPDATE loss SET count = 0")).rejects.toThrow(/append-only/);
    await expect(opened.run("DELETE FROM loss")).rejects.toThrow(/append-only/);
    await opened.close();
    platform = await startPlatform({ port: 0, database });
  });

  it("are metrics as well", async () => {
    platform = await startPlatform({ port: 0 });
    const review = { requiresReview: true, riskScore: 60 };
    await postBatch(platform, createChained([createEvent("agent_response", review)], 2, [4, 4]));
    const { conversations } = (await get(platform, "/api/conversations")).body as {
      conversations: readonly { key: string }[];
    };
    await fetch(`${platform.url}/api/reviews/${conversations[0]?.key ?? ""}/actions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"action":"close","disposition":"acceptable","reasonCode":"disclosed"}',
    });
    const text = String((await get(platform, "/metrics")).body["text"]);
    for (const line of [
      'agent_monitor_platform_review_items{state="closed"} 1',
      'agent_monitor_platform_review_items{state="open"} 0',
      "agent_monitor_platform_review_overdue_items 0",
      'agent_monitor_platform_review_decisions_total{disposition="acceptable"} 1',
      "agent_monitor_platform_audit_sequence 1",
      "agent_monitor_platform_writers 1",
      "agent_monitor_platform_writers_with_gaps 1",
      "agent_monitor_platform_missing_events 3",
      "agent_monitor_platform_lost_events_total 0",
    ])
      expect(text.split("\n")).toContain(line);
  });
});
