import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { EventQueue } from "../../src/platform/otlp/event-queue.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import type { SqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { openStore, type Store } from "../../src/platform/store/store.ts";
import { createTurns, runSteps } from "../../src/platform/turns.ts";
import { createFakeClock, type FakeClock } from "../helpers/clock.ts";
import { createEvent, START } from "./helpers.ts";

let clock: FakeClock;
let database: SqliteDatabase;
let store: Store;
let queue: EventQueue;
let lines: string[];
beforeEach(async () => {
  clock = createFakeClock(START);
  lines = [];
  database = await openDatabase(":memory:");
  const turns = createTurns();
  store = await openStore(database, turns, clock);
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level} ${message}`);
  const levels = ["debug", "info", "warn", "error"].map((level) => [level, write(level)]);
  const logger = Object.fromEntries(levels) as Record<
    "debug" | "info" | "warn" | "error",
    () => void
  >;
  queue = new EventQueue({ store, turns, organizationId: "bank", clock, logger });
});
afterEach(() => store.close());

function add(count: number, content = "x".repeat(1000)): void {
  for (let index = 0; index < count; index++)
    queue.add(createEvent("user_message", { content }) as unknown as DetailedEvent);
}

/** Lets the store take nothing, as a disk that is full does. */
function fill(): void {
  database.exec("PRAGMA max_page_count = 1");
}

function empty(): void {
  database.exec("PRAGMA max_page_count = 1000000");
}

/** Moves the clock on, and lets the store finish what was asked of it. */
async function pass(millis: number): Promise<void> {
  await clock.advance(millis);
  for (let turn = 0; turn < 50; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    // It comes behind what is queued.
    await store.write(function* () {});
  }
}

describe("events of acknowledged telemetry", () => {
  it("are stored together", async () => {
    add(7);
    await pass(0);
    expect(runSteps(store.stats())).toMatchObject({ events: 7, batches: 1 });
  });

  it("wait while the store takes none, and are stored once it does", async () => {
    fill();
    add(700);
    for (let second = 0; second < 20; second++) await pass(1000);
    expect(runSteps(store.stats()).events).toBe(0);
    expect(lines).toContain(
      "error spans: 700 events wait, the store takes none (database or disk is full)",
    );
    // One line of each burst.
    expect(lines.length).toBeLessThan(5);
    add(1);
    empty();
    await pass(30_000);
    await pass(30_000);
    expect(runSteps(store.stats())).toMatchObject({ events: 701, duplicates: 0 });
    await queue.close();
    expect(lines.join("\n")).not.toContain("lost");
  });

  it("say when no more should come, and when it may again", async () => {
    fill();
    add(1);
    await pass(0);
    expect(queue.isFull).toBe(false);
    add(200, "x".repeat(200_000));
    expect(queue.isFull).toBe(true);
    empty();
    await pass(60_000);
    await pass(60_000);
    expect(queue.isFull).toBe(false);
    expect(runSteps(store.stats()).events).toBe(201);
  });

  it("are tried a last time at the end, and told when they are lost", async () => {
    fill();
    add(3);
    await pass(0);
    add(2);
    empty();
    await queue.close();
    expect(runSteps(store.stats()).events).toBe(5);
    fill();
    add(800);
    await pass(0);
    await queue.close();
    expect(lines.at(-1)).toMatch(/error spans: 800 events lost, the store takes none/);
  });
});
