import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { createWriteQueue, toSqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { createTurns, runSteps, type Steps } from "../../src/platform/turns.ts";
import { createBatch, createEvent, get, postBatch, START } from "./helpers.ts";

/** Turns by hand: each step takes a millisecond of a clock that nothing else moves. */
function createManualTurns() {
  let millis = 0;
  const waiting: (() => void)[] = [];
  const turns = createTurns({ now: () => millis, afterOthers: (next) => void waiting.push(next) });
  return {
    turns,
    tick: () => void millis++,
    /** Does one turn; tells whether there was one to do. */
    next: () => {
      const turn = waiting.shift();
      turn?.();
      return turn !== undefined;
    },
  };
}

describe("work in turns", () => {
  it("lets others go first after 10 ms, and gives each piece of work its turn", async () => {
    const { turns, tick, next } = createManualTurns();
    const log: string[] = [];
    function* work(name: string, steps: number): Steps<string> {
      for (let step = 0; step < steps; step++) {
        tick();
        log.push(name);
        yield;
      }
      return name;
    }
    const done = Promise.all([turns.take(work("large", 25)), turns.take(work("small", 3))]);
    let turnCount = 0;
    while (next()) turnCount++;
    expect(await done).toEqual(["large", "small"]);
    expect(turnCount).toBe(4);
    expect(log.lastIndexOf("small")).toBeLessThan(13);
    expect(log.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "large"));
  });

  it("hands on what fails, and goes on with the rest", async () => {
    const { turns, next } = createManualTurns();
    const failing = turns.take(failLater());
    const other = turns.take(runLater(5));
    const failed = expect(failing).rejects.toThrow("stop");
    while (next());
    await failed;
    expect(await other).toBe(5);
  });
});

function* failLater(): Steps<never> {
  yield;
  throw new Error("stop");
}

function* runLater<Value>(value: Value): Steps<Value> {
  yield;
  return value;
}

describe("the queue of writes", () => {
  it("has one transaction at a time, and undoes the whole of one that fails", async () => {
    const database = await openDatabase(":memory:");
    database.exec("CREATE TABLE t (name TEXT)");
    const queue = createWriteQueue(database, createTurns());
    function* insert(name: string, fails: boolean): Steps<void> {
      for (let row = 0; row < 50; row++) {
        database.run("INSERT INTO t (name) VALUES (?)", [name]);
        yield;
      }
      if (fails) throw new Error("the disk is full");
    }
    const results = await Promise.allSettled([
      queue.write(() => insert("first", false)),
      queue.write(() => insert("second", true)),
      queue.write(() => insert("third", false)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await queue.idle();
    expect(database.all("SELECT name, count(*) AS count FROM t GROUP BY name")).toEqual([
      { name: "first", count: 50 },
      { name: "third", count: 50 },
    ]);
    expect(runSteps(runLater(1))).toBe(1);
    database.close();
  });

  it("stores shared writes in one transaction, and what others want where one of them fails", async () => {
    const database = await openDatabase(":memory:");
    database.exec("CREATE TABLE t (name TEXT)");
    const statements: string[] = [];
    const watched = toSqliteDatabase({
      ...database,
      exec: (sql: string) => void (statements.push(sql), database.exec(sql)),
    });
    const queue = createWriteQueue(watched, createTurns());
    const insert = (name: string, failure?: string) => (): Steps<string> =>
      (function* () {
        database.run("INSERT INTO t (name) VALUES (?)", [name]);
        yield;
        if (failure !== undefined) throw new Error(failure);
        return name;
      })();
    const list = () => database.all<{ name: string }>("SELECT name FROM t").map(({ name }) => name);
    const together = ["a", "b", "c"].map((name) => queue.writeShared(insert(name)));
    expect(await Promise.all(together)).toEqual(["a", "b", "c"]);
    expect(statements).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
    const results = await Promise.allSettled([
      queue.writeShared(insert("d")),
      queue.writeShared(insert("e", "a conflict")),
      queue.write(insert("alone")),
      queue.writeShared(insert("f")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(list()).toEqual(["a", "b", "c", "d", "alone", "f"]);
    expect(queue.waiting).toBe(0);
    database.close();
  });
});

describe("while a large request is under way", () => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await startPlatform({ port: 0 });
  });
  afterEach(() => platform.close());

  /** Asks until something is done, one request after the other, and gives the number of answers. */
  async function countAnswersUntil(done: Promise<unknown>): Promise<number> {
    const isDone = done.then(() => true);
    let answers = 0;
    for (;;) {
      const answer = get(platform, "/api/agents").then(({ status }) => status);
      if ((await Promise.race([isDone, answer])) === true) return answers;
      expect(await answer).toBe(200);
      answers++;
    }
  }

  it("of 20,000 spans others are answered, and batches stored", async () => {
    const spans = Array.from({ length: 20_000 }, (_, index) => ({
      traceId: (1 + Math.floor(index / 20)).toString(16).padStart(32, "0"),
      spanId: (1 + index).toString(16).padStart(16, "0"),
      name: "GET /accounts",
      startTimeUnixNano: `${START}000000`,
      endTimeUnixNano: `${START + 5}000000`,
      attributes: [{ key: "http.route", value: { stringValue: "/accounts" } }],
    }));
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const headers = { "content-type": "application/json" };
    const done = fetch(`${platform.url}/v1/traces`, { method: "POST", headers, body });
    const batch = new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
      postBatch(platform, createBatch()),
    );
    const first = await Promise.race([done.then(() => "spans"), batch.then(() => "batch")]);
    expect(first).toBe("batch");
    expect(await countAnswersUntil(done)).toBeGreaterThan(5);
    expect((await done).status).toBe(200);
    expect(await platform.stats()).toMatchObject({ spans: 20_000, batches: 1 });
  }, 60_000);

  it("of 10,000 events others are answered, and it is stored as a whole", async () => {
    const events = Array.from({ length: 10_000 }, () =>
      createEvent("user_message", { version: "1.0" }),
    );
    const batch = createBatch(events);
    const twice = [postBatch(platform, batch), postBatch(platform, batch)];
    expect(await countAnswersUntil(Promise.all(twice))).toBeGreaterThan(5);
    const statuses = (await Promise.all(twice)).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 202]);
    expect(await platform.stats()).toMatchObject({
      batches: 1,
      events: 10_000,
      duplicates: 10_000,
    });
  }, 60_000);
});
