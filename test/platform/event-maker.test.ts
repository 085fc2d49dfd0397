import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import { createEventMaker, type EventMaker } from "../../src/platform/otlp/event-maker.ts";
import { TelemetryTail } from "../../src/platform/otlp/telemetry-tail.ts";
import { addLogRecords, createDigester } from "../../src/platform/store/log-store.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { addSpans } from "../../src/platform/store/span-store.ts";
import type { SqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { openStore, type Store } from "../../src/platform/store/store.ts";
import { listArrivals } from "../../src/platform/store/telemetry-arrivals.ts";
import { createTurns, runSteps } from "../../src/platform/turns.ts";
import { createBurstLogger, silentLogger } from "../../src/util/logger.ts";
import { createFakeClock, type FakeClock } from "../helpers/clock.ts";
import { START } from "./helpers.ts";

const SECOND = 1000;

let clock: FakeClock;
let database: SqliteDatabase;
let store: Store;
let lines: string[];
let makers: EventMaker[];
beforeEach(async () => {
  clock = createFakeClock(START);
  lines = [];
  makers = [];
  database = await openDatabase(":memory:");
  store = await openStore(database, createTurns(), clock);
});
afterEach(async () => {
  for (const maker of makers) await maker.close();
  await store.close();
});

function start(): EventMaker {
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const [debug, info, warn, error] = [write("debug"), write("info"), write("warn"), write("error")];
  const logger = { debug, info, warn, error };
  const maker = createEventMaker({ store, turns: createTurns(), clock, logger });
  maker.start();
  makers.push(maker);
  return maker;
}

const toPairs = (attributes: Record<string, string>): unknown[] =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));

const toMessages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

function createCall(number: number): object {
  return {
    traceId: String(number).padStart(32, "0"),
    spanId: String(number).padStart(16, "0"),
    name: "chat",
    startTimeUnixNano: `${START + number}000000`,
    endTimeUnixNano: `${START + number + 1}000000`,
    attributes: toPairs({
      "gen_ai.operation.name": "chat",
      "gen_ai.conversation.id": `conversation-${number}`,
      "gen_ai.input.messages": toMessages("user", `question ${number}`),
      "gen_ai.output.messages": toMessages("assistant", `answer ${number}`),
    }),
  };
}

/** Stores spans of calls, each a trace. @param storedAt - By the clock of the replica that stores them. */
async function add(calls: readonly (number | object)[], storedAt = clock.now()): Promise<void> {
  const spans = calls.map((call) => (typeof call === "number" ? createCall(call) : call));
  const scopeSpans = [{ scope: { name: "bank" }, spans }];
  const { items } = runSteps(decodeSpans({ resourceSpans: [{ scopeSpans }] }));
  const arrival = { organizationId: "bank", receivedAt: storedAt, storedAt };
  await store.write((transaction) => addSpans(transaction, items, arrival));
  for (const maker of makers) maker.wake();
}

/** Stores a log record with a question whose span does not come. */
async function addQuestion(): Promise<void> {
  const record = {
    timeUnixNano: `${START}000000`,
    traceId: "a".repeat(32),
    spanId: "b".repeat(16),
    eventName: "gen_ai.user.message",
    body: { kvlistValue: { values: toPairs({ content: "a lone question" }) } },
  };
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
  const { items } = runSteps(decodeLogs(request));
  const arrival = { organizationId: "bank", receivedAt: START, storedAt: START };
  await store.write((transaction) =>
    addLogRecords(transaction, items, { ...arrival, toDigest: createDigester() }),
  );
}

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

/** Lets the store take nothing, as a disk that is full does. */
const fill = (): void => database.exec("PRAGMA max_page_count = 1");

const empty = (): void => database.exec("PRAGMA max_page_count = 1000000");

/** Moves the clock on, and lets the store finish what was asked of it. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(SECOND);
    for (let turn = 0; turn < 50; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      // It comes behind what is queued.
      await store.write(function* () {});
    }
  }
}

const readStats = () => runSteps(store.stats());

describe("events of stored telemetry", () => {
  it("are made behind what was stored last of them, and stored together", async () => {
    start();
    await add([1, 2, 3]);
    await pass(1);
    expect(readStats().events).toBe(0);
    await pass(4);
    expect(readStats()).toMatchObject({ events: 6, batches: 1, duplicates: 0 });
  });

  it("wait while the store takes none, and are stored once when it does", async () => {
    start();
    await add(range(1, 300));
    fill();
    await pass(20);
    expect(readStats().events).toBe(0);
    const failures = lines.filter((line) => line.startsWith("error"));
    expect(failures[0]).toBe(
      "error spans: no events are made of them while the store fails (database or disk is full)",
    );
    // One line of each burst.
    expect(failures.length).toBeLessThan(5);
    empty();
    await pass(40);
    expect(readStats()).toMatchObject({ events: 600, duplicates: 0 });
  });

  it("are made by the next start of all that the store did not take at the end", async () => {
    const maker = start();
    await add(range(1, 300));
    await pass(1);
    fill();
    await maker.close();
    expect(lines.at(-1)).toMatch(/^error .*store fails \(.*\); the next start goes on$/);
    empty();
    start();
    await pass(5);
    expect(readStats()).toMatchObject({ events: 600, duplicates: 0 });
  });

  it("are made at once at the end", async () => {
    const maker = start();
    await add([1]);
    await maker.close();
    expect(readStats()).toMatchObject({ events: 2 });
  });

  it("are made of log records without a span, which wait longer than others, across a start", async () => {
    start();
    await addQuestion();
    await add([1]);
    await pass(10);
    expect(readStats().events).toBe(2);
    // Another one takes over without the first having ended, as where that was killed.
    start();
    await add([2]);
    await pass(10);
    expect(readStats()).toMatchObject({ events: 4, duplicates: 0 });
    await pass(60);
    // The question, and that no answer came.
    expect(readStats()).toMatchObject({ events: 6, duplicates: 0 });
  });

  it("come once where one takes over from another that goes on for a time", async () => {
    start();
    await add(range(1, 20));
    await pass(3);
    for (let number = 100; number < 110; number++) {
      start();
      await add([number]);
      await pass(1);
    }
    await pass(15);
    expect(readStats()).toMatchObject({ events: 60, duplicates: 0 });
  });

  it.each([
    { maxRows: 10, maxBytes: Infinity },
    { maxRows: Infinity, maxBytes: 5000 },
  ])("are made of what waits when so much is stored behind it: %o", async (limits) => {
    await addQuestion();
    for (let number = 1; number <= 20; number++) await add([number]);
    const log = createBurstLogger(silentLogger, clock);
    const tail = new TelemetryTail(database, log, limits);
    runSteps(tail.goOn({ clock: 0, readSeq: 0, readClock: 0, doneSeq: 0 }));
    const made = runSteps(listArrivals(database, 0, 100)).map((arrival) => {
      runSteps(tail.read(arrival));
      return tail.madeCount;
    });
    expect(made.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(made.at(-1)).toBeGreaterThan(2);
    expect(tail.position.doneSeq).toBeGreaterThan(0);
  });

  it("are made of the rest of a trace whose beginning was done, and not of what was done alone", async () => {
    const parentSpanId = "f".repeat(16);
    await add([
      { ...createCall(1), parentSpanId },
      { ...createCall(2), parentSpanId },
    ]);
    await add([{ ...createCall(3), traceId: String(1).padStart(32, "0"), parentSpanId }]);
    const tail = new TelemetryTail(database, createBurstLogger(silentLogger, clock));
    // As where it reads again from the middle of the first trace on, and so does not see that the trace was over.
    for (const arrival of runSteps(listArrivals(database, 0, 100))) runSteps(tail.read(arrival));
    runSteps(tail.goOn({ clock: START, readSeq: 2, readClock: START, doneSeq: 1 }));
    runSteps(tail.pass(START + 60 * SECOND));
    const made = tail.takeMade().flatMap(({ events }) => events);
    expect(made.filter((json) => json.includes("question 3"))).toHaveLength(1);
    expect(made.filter((json) => json.includes("question 2"))).toEqual([]);
  });

  it("come soon whatever the clock of the one that stored it says", async () => {
    start();
    await add([1], START + 3_600_000);
    await pass(5);
    expect(readStats().events).toBe(2);
    await add([2], START - 3_600_000);
    await pass(5);
    expect(readStats().events).toBe(4);
  });
});
