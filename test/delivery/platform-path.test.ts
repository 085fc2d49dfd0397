import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestPath, isBalanced, type Script, type TestPath } from "../helpers/exporter.ts";

const problem = (code: string): string =>
  JSON.stringify({ type: "about:blank", title: code, status: 409, code });
const idsOf = (testPath: TestPath): string[][] =>
  testPath.transport.requests.map(({ batch }) => batch.events.map(({ eventId }) => eventId));

describe("size and interval", () => {
  it("sends a full batch at once and the rest on flush", async () => {
    const test = createTestPath();
    const ids = test.record(250);
    await test.clock.advance(0);
    expect(idsOf(test).map(({ length }) => length)).toEqual([100, 100]);
    await test.path.flush();
    expect(idsOf(test).flat()).toEqual(ids);
    expect(test.path.stats()).toMatchObject({
      tracked: 250,
      acked: 250,
      pending: 0,
      state: "idle",
    });
  });

  it("keeps 50,000 events of one tick, in order", async () => {
    const test = createTestPath({ maxQueueSize: 50_000, batchSize: 500 });
    const ids = test.record(50_000);
    await test.path.flush();
    expect(test.transport.accepted).toEqual(ids);
  });

  it("sends one batch at a time", async () => {
    const test = createTestPath({ batchSize: 10 });
    test.record(200);
    await Promise.all([test.path.flush(), test.path.flush(), test.path.flush()]);
    expect(test.transport.maxConcurrency).toBe(1);
    expect(test.transport.accepted).toHaveLength(200);
  });

  it("closes a batch at maxBatchBytes", async () => {
    const test = createTestPath({ maxBatchBytes: 1024 });
    test.record(10, "x".repeat(300));
    await test.path.flush();
    for (const { batch } of test.transport.requests)
      expect(batch.totalSize).toBeLessThanOrEqual(1024 + 2 + 2);
    expect(test.transport.accepted).toHaveLength(10);
  });

  it("refuses the newest event when the queue is full by count or by bytes, and counts it", async () => {
    const byCount = createTestPath({ maxQueueSize: 5, batchSize: 100 });
    const ids = byCount.record(8);
    expect(byCount.path.stats()).toMatchObject({
      tracked: 8,
      pending: 5,
      dropped: 3,
      droppedByReason: { queue_full: 3 },
    });
    expect(byCount.lines.filter(({ message }) => message.includes("queue is full"))).toHaveLength(
      1,
    );
    await byCount.path.flush();
    expect(byCount.transport.accepted).toEqual(ids.slice(0, 5));

    const byBytes = createTestPath({ maxQueueBytes: 1024 });
    byBytes.record(10, "x".repeat(200));
    expect(byBytes.path.stats().dropped).toBeGreaterThan(0);
    expect(byBytes.path.stats().pendingBytes).toBeLessThanOrEqual(1024);
    expect(isBalanced(byBytes.path)).toBe(true);
  });
});

describe("flush", () => {
  it("covers what was tracked before it, also while another flush runs", async () => {
    const test = createTestPath();
    test.record(30);
    const first = test.path.flush();
    const ids = test.record(30);
    const second = test.path.flush();
    await second;
    expect(test.transport.accepted).toEqual(expect.arrayContaining(ids));
    await first;
  });

  it("resolves at its deadline when the platform hangs, and loses nothing", async () => {
    const test = createTestPath();
    test.transport.script = () => "hang";
    test.record(10);
    let isDone = false;
    void test.path.flush(2000).then(() => (isDone = true));
    await test.clock.advance(1999);
    expect(isDone).toBe(false);
    await test.clock.advance(2);
    expect(isDone).toBe(true);
    expect(test.path.stats().pending).toBe(10);
  });
});

describe("retry", () => {
  it("waits 1, 2, 4 s between attempts of the same bytes, then keeps them, says so once and asks less often", async () => {
    const test = createTestPath();
    test.transport.script = () => 503;
    test.record(3);
    const done = test.path.flush();
    for (const [wait, requests] of [
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [3999, 3],
      [1, 4],
    ] as const) {
      await test.clock.advance(wait);
      expect(test.transport.requests).toHaveLength(requests);
    }
    await done;
    expect(new Set(test.transport.requests.map(({ text }) => text)).size).toBe(1);
    expect(
      new Set(test.transport.requests.map(({ headers }) => headers["idempotency-key"])).size,
    ).toBe(1);
    expect(test.path.stats()).toMatchObject({
      pending: 3,
      dropped: 0,
      state: "open",
      blockedReason: "status 503",
    });
    await test.clock.advance(8000);
    expect(test.transport.requests).toHaveLength(5);
    expect(new Set(test.transport.requests.map(({ text }) => text)).size).toBe(1);
    expect(test.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it.each([0, 10])("makes exactly 1 + %i attempts before it gives up for now", async (attempts) => {
    const test = createTestPath({ retryAttempts: attempts, retryDelay: 1 });
    test.transport.script = () => "failure";
    test.record(1);
    let requests = 0;
    void test.path.flush().then(() => (requests = test.transport.requests.length));
    await test.clock.advance(3_600_000);
    expect(requests).toBe(1 + attempts);
    expect(test.path.stats()).toMatchObject({ pending: 1, state: "open" });
  });

  it("does not ask a platform that is away all the time where no delay between retries is wanted", async () => {
    const test = createTestPath({ retryDelay: 0 });
    test.transport.script = () => "failure";
    test.record(1);
    void test.path.flush();
    await test.clock.advance(3_600_000);
    expect(test.transport.requests.length).toBeLessThan(80);
  });

  it("waits as long as Retry-After says, if that is longer", async () => {
    const test = createTestPath();
    test.transport.script = (_request, index) =>
      index === 0 ? { status: 429, headers: { "retry-after": "30" } } : 202;
    test.record(1);
    const done = test.path.flush();
    await test.clock.advance(29_999);
    expect(test.transport.requests).toHaveLength(1);
    await test.clock.advance(1);
    await done;
    expect(test.path.stats().acked).toBe(1);
  });

  it("is not disturbed by a wall clock that jumps", async () => {
    const test = createTestPath();
    test.transport.script = (_request, index) => (index === 0 ? 503 : 202);
    test.record(1);
    const done = test.path.flush();
    await test.clock.advance(0);
    test.clock.jump(-86_400_000);
    await test.clock.advance(1000);
    await done;
    expect(test.path.stats().acked).toBe(1);
  });
});

describe("an outage, in memory", () => {
  const MINUTE = 60_000;

  it("costs nothing while there is room, is probed a minute apart at most, and ends in order", async () => {
    const test = createTestPath({ batchSize: 10 });
    test.transport.script = () => 503;
    const ids: string[] = [];
    for (let minute = 0; minute < 60; minute++) {
      ids.push(...test.record(25));
      const before = test.transport.requests.length;
      await test.clock.advance(MINUTE);
      if (minute > 2) expect(test.transport.requests.length - before).toBe(1);
    }
    expect(test.path.stats()).toMatchObject({
      state: "open",
      blockedReason: "status 503",
      pending: 1500,
      dropped: 0,
    });
    test.transport.script = () => 202;
    await test.clock.advance(MINUTE);
    await test.path.flush();
    expect(test.transport.accepted).toEqual(ids);
    expect(test.path.stats()).toMatchObject({ state: "idle", acked: 1500, dropped: 0 });
    expect(test.path.stats()).not.toHaveProperty("blockedReason");
  });

  it("costs the newest events once the queue is full, and no others", async () => {
    const test = createTestPath({ batchSize: 10, maxQueueSize: 100 });
    test.transport.script = () => "failure";
    const ids = test.record(150);
    await test.clock.advance(10 * MINUTE);
    expect(test.path.stats()).toMatchObject({
      state: "open",
      pending: 100,
      droppedByReason: { queue_full: 50 },
    });
    test.transport.script = () => 202;
    await test.clock.advance(2 * MINUTE);
    await test.path.flush();
    expect(test.transport.accepted).toEqual(ids.slice(0, 100));
  });

  it("that outlasts the retries of one flush is over with the next", async () => {
    const test = createTestPath();
    test.transport.script = () => "failure";
    const ids = test.record(3);
    const first = test.path.flush();
    await test.clock.advance(7000);
    await first;
    test.transport.script = () => 202;
    await test.path.flush();
    expect(test.transport.accepted).toEqual(ids);
  });

  it("that ends while the monitor is shut down costs nothing: the last retries are for that", async () => {
    const test = createTestPath();
    test.transport.script = () => "failure";
    const ids = test.record(3);
    await test.clock.advance(10 * MINUTE);
    expect(test.path.stats().state).toBe("idle");
    const flushing = test.path.flush();
    await test.clock.advance(MINUTE);
    await flushing;
    expect(test.path.stats().state).toBe("open");
    const closing = test.path.shutdown(10_000);
    await test.clock.advance(2000);
    test.transport.script = () => 202;
    await test.clock.advance(10_000);
    await closing;
    expect(test.transport.accepted).toEqual(ids);
    expect(test.path.stats()).toMatchObject({ acked: 3, dropped: 0, state: "closed" });
  });

  it("is not said to be over while the platform is asked", async () => {
    const test = createTestPath({ retryAttempts: 0 });
    test.transport.script = (_request, index) => (index === 0 ? "failure" : "hang");
    test.record(1);
    await test.path.flush();
    await test.clock.advance(2 * MINUTE);
    expect(test.transport.requests).toHaveLength(2);
    expect(test.path.stats()).toMatchObject({ state: "open", blockedReason: "ECONNREFUSED" });
  });
});

describe("answers", () => {
  it("gives a batch a new id when its id is taken by another content", async () => {
    const test = createTestPath();
    test.transport.script = (_request, index) =>
      index === 0 ? { status: 409, body: problem("batch_conflict") } : 202;
    test.record(2);
    await test.path.flush();
    const ids = test.transport.requests.map(({ batch }) => batch.batchId);
    expect(new Set(ids).size).toBe(2);
    expect(test.path.stats().acked).toBe(2);
  });

  it("sends the same batch plain when gzip is not understood, and stays plain", async () => {
    const test = createTestPath({ compression: "gzip" });
    test.transport.script = ({ headers }) => (headers["content-encoding"] === "gzip" ? 415 : 202);
    test.record(50);
    await test.path.flush();
    test.record(50);
    await test.path.flush();
    const codings = test.transport.requests.map(({ headers }) => headers["content-encoding"]);
    expect(codings).toEqual(["gzip", undefined, undefined]);
    expect(test.transport.requests[0]?.text).toBe(test.transport.requests[1]?.text);
    expect(test.path.stats().acked).toBe(100);
  });

  it("counts the events that a 202 lists as rejected as dead, and the others as acked", async () => {
    const test = createTestPath();
    const rejected = [{ index: 1, code: "invalid_event", detail: "" }];
    test.transport.script = () => ({
      status: 202,
      body: JSON.stringify({
        batchId: "b",
        status: "partial",
        accepted: 2,
        duplicates: 0,
        rejected,
      }),
    });
    test.record(3);
    await test.path.flush();
    expect(test.path.stats()).toMatchObject({ acked: 2, dead: 1, pending: 0 });
  });

  it.each([400, 413, 422])("bisects on %i: two bad events cost no other one", async (status) => {
    const test = createTestPath();
    const isBad = (id: string): boolean => id === "event-17" || id === "event-80";
    test.transport.script = ({ batch }) =>
      batch.events.some(({ eventId }) => isBad(eventId)) ? status : 202;
    const ids = test.record(100);
    await test.path.flush();
    expect(test.transport.accepted.toSorted()).toEqual(ids.filter((id) => !isBad(id)).toSorted());
    expect(test.path.stats()).toMatchObject({ acked: 98, dead: 2, pending: 0, state: "idle" });
    expect(test.transport.requests.length).toBeLessThanOrEqual(2 * 2 * 7 + 1);
  });

  it("does not turn a stream that is refused whole into dead letters", async () => {
    const test = createTestPath();
    test.transport.script = () => 422;
    test.record(250);
    await test.path.flush();
    expect(test.path.stats()).toMatchObject({
      dead: 0,
      dropped: 0,
      pending: 250,
      state: "blocked",
    });
    expect(test.transport.requests.length).toBeLessThan(20);
    expect(test.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    test.transport.script = () => 202;
    await test.path.flush();
    expect(test.path.stats()).toMatchObject({ acked: 250, pending: 0, state: "idle" });
  });

  it.each([1, 100])(
    "keeps a lone refused event until the next tells whose fault it is (batch size %i)",
    async (batchSize) => {
      const test = createTestPath({ batchSize });
      test.transport.script = ({ batch }) =>
        batch.events.some(({ eventId }) => eventId === "event-0") ? 422 : 202;
      test.record(1);
      await test.path.flush();
      expect(test.path.stats()).toMatchObject({ dead: 0, pending: 1, state: "blocked" });
      expect(test.lines.filter(({ level }) => level === "error")).toHaveLength(1);
      test.record(1);
      await test.path.flush();
      expect(test.path.stats()).toMatchObject({ acked: 1, dead: 1, pending: 0, state: "idle" });
    },
  );

  it("sends a lone refused event again at the next flush", async () => {
    const test = createTestPath();
    test.transport.script = (_request, index) => (index === 0 ? 400 : 202);
    test.record(1);
    await test.path.flush();
    await test.path.flush();
    expect(test.path.stats()).toMatchObject({ acked: 1, dead: 0, pending: 0, state: "idle" });
  });

  it("stays blocked when lone events in a row are refused", async () => {
    const test = createTestPath({ batchSize: 1 });
    test.transport.script = () => 400;
    test.record(3);
    await test.path.flush();
    await test.path.flush();
    expect(test.path.stats()).toMatchObject({ dead: 0, pending: 3, state: "blocked" });
  });

  it.each([301, 307, 401, 402, 403, 404, 405, 410, 501])(
    "keeps everything on %i, with one log line",
    async (status) => {
      const test = createTestPath();
      test.transport.script = () => status;
      test.record(150);
      await test.path.flush();
      expect(test.path.stats()).toMatchObject({
        pending: 150,
        dropped: 0,
        dead: 0,
        state: "blocked",
      });
      expect(test.path.stats().blockedReason).toContain(String(status));
      test.record(150);
      await test.clock.advance(59_000);
      expect(test.transport.requests.length).toBeLessThanOrEqual(2);
      expect(test.lines.filter(({ level }) => level === "error")).toHaveLength(1);
      test.transport.script = () => 202;
      await test.clock.advance(60_000);
      await test.path.flush();
      expect(test.path.stats()).toMatchObject({ acked: 300, state: "idle" });
      expect(test.path.stats().blockedReason).toBeUndefined();
    },
  );

  it("says of a 404 without a problem document that this is no platform", async () => {
    const test = createTestPath();
    test.transport.script = () => ({ status: 404, body: "<html>" });
    test.record(1);
    await test.path.flush();
    expect(test.path.stats().blockedReason).toContain("not an agent-monitor platform");
  });
});

describe("shutdown", () => {
  it("loses nothing when the platform answers", async () => {
    const test = createTestPath();
    const first = test.record(100);
    const flushing = test.path.flush();
    const second = test.record(120);
    await Promise.all([test.path.shutdown(5000), flushing]);
    expect(test.transport.accepted).toEqual([...first, ...second]);
  });

  it("ends at its deadline and counts what is lost", async () => {
    const test = createTestPath();
    test.transport.script = () => "hang";
    test.record(10);
    const done = test.path.shutdown(5000);
    await test.clock.advance(5000);
    await done;
    expect(test.path.stats()).toMatchObject({
      pending: 0,
      dropped: 10,
      droppedByReason: { shutdown: 10 },
      state: "closed",
    });
    expect(test.clock.pending).toBeLessThanOrEqual(1);
  });
});

describe("giving up at the end of the process", () => {
  it("does not ack events that were never sent when an answer comes late", async () => {
    const test = createTestPath();
    test.transport.script = () => "hang";
    test.record(2);
    const first = test.path.flush(1000);
    await test.clock.advance(1000);
    await first;
    // Two visits of the hook: the first flushes, the second gives up.
    process.emit("beforeExit", 0);
    process.emit("beforeExit", 0);
    expect(test.path.stats()).toMatchObject({ pending: 0, droppedByReason: { exit: 2 } });
    const late = test.record(2);
    test.transport.script = () => 202;
    const closing = test.path.shutdown(1000);
    await test.clock.advance(2000);
    await closing;
    expect(isBalanced(test.path)).toBe(true);
    const { acked } = test.path.stats();
    expect(test.transport.accepted.filter((id) => late.includes(id))).toHaveLength(acked);
  });
});

it("does not turn a stream into dead letters when a 202 rejects every event", async () => {
  const test = createTestPath();
  const reject = (events: readonly unknown[]): string =>
    JSON.stringify({ rejected: events.map((_event, index) => ({ index, code: "invalid_event" })) });
  test.transport.script = ({ batch }) => ({ status: 202, body: reject(batch.events) });
  test.record(250);
  await test.path.flush();
  expect(test.path.stats()).toMatchObject({ dead: 0, pending: 250, state: "blocked" });
  test.transport.script = () => 202;
  await test.path.flush();
  expect(test.path.stats()).toMatchObject({ acked: 250, pending: 0, state: "idle" });
});

it("logs no text of the platform as a reason", async () => {
  const test = createTestPath();
  const rejected = [{ index: 0, code: "card 4111\nERROR forged line", detail: "" }];
  test.transport.script = () => ({
    status: 202,
    body: JSON.stringify({ batchId: "b", status: "partial", accepted: 0, duplicates: 0, rejected }),
  });
  test.record(2);
  await test.path.flush();
  expect(test.path.stats()).toMatchObject({ dead: 1 });
  expect(JSON.stringify(test.lines)).not.toContain("forged");
});

it("names the platform where it is away, takes nothing and takes events again", async () => {
  const test = createTestPath({ retryAttempts: 0 });
  test.transport.script = (_request, index) => [503, 404][index] ?? 202;
  test.record(1);
  for (let round = 0; round < 3; round++) await test.path.flush();
  const url = "the platform at https://platform.example";
  expect(test.lines.filter(({ level }) => level !== "debug").map(({ message }) => message)).toEqual(
    [
      `${url} can't be reached (status 503); events are kept while there is room`,
      `${url} takes nothing (status 404: this is not an agent-monitor platform); events are kept while there is room`,
      `${url} takes events again`,
    ],
  );
});

it.each([
  [503, "can't be reached"],
  [401, "takes nothing"],
])(
  "says each quarter of an hour that nothing is sent, and how much waits: %i",
  async (status, what) => {
    const test = createTestPath({ retryAttempts: 0 });
    test.transport.script = () => status;
    test.record(1);
    await test.path.flush();
    test.record(1233);
    const told = (): string[] =>
      test.lines.filter(({ level }) => level !== "debug").map(({ message }) => message);
    expect(told()).toHaveLength(1);
    for (let minute = 0; minute < 62; minute++) await test.clock.advance(60_000);
    expect(told()).toHaveLength(5);
    const last = told().at(-1);
    expect(last).toContain(`https://platform.example ${what} for 6`);
    expect(last).toContain("; 1,234 events wait: events are kept while there is room");
    test.transport.script = () => 202;
    await test.path.flush();
    test.transport.script = () => status;
    test.record(1);
    await test.path.flush();
    expect(told().at(-1)).not.toContain(" min ");
  },
);

it("tells of every send and every batch at debug", async () => {
  const test = createTestPath({ batchSize: 2 });
  test.record(4);
  await test.path.flush();
  const lines = test.lines.filter(({ level }) => level === "debug");
  const ids = test.transport.requests.map(({ batch }) => batch.batchId);
  expect(lines.map(({ message }) => message.replace(/[\d,]+ bytes/, "N bytes"))).toEqual(
    ids.flatMap((id) => [
      `batch ${id}: sends 2 events in N bytes to https://platform.example`,
      `batch ${id}: status 202 after 0 ms`,
      `batch ${id}: taken (rejected: 0, known before: 0)`,
    ]),
  );
});

it("counts every lost event in the summary of a burst", async () => {
  const test = createTestPath({ maxQueueSize: 10, batchSize: 100 });
  test.record(60);
  await test.clock.advance(10_000);
  const sums = test.lines.map(({ message }) =>
    Number(/\d+|an/.exec(message)?.[0].replace("an", "1")),
  );
  expect(sums.reduce((sum, count) => sum + count, 0)).toBe(50);
});

it("keeps the books balanced whatever the platform answers", async () => {
  const answers = fc.constantFrom(
    200,
    202,
    400,
    401,
    408,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
    "failure" as const,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { maxLength: 12 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      async (script, counts) => {
        const test = createTestPath({ batchSize: 20, maxQueueSize: 100, retryAttempts: 1 });
        const scripted: Script = (_request, index) => script[index];
        test.transport.script = scripted;
        for (const count of counts) {
          test.record(count);
          expect(isBalanced(test.path)).toBe(true);
          const flushing = test.path.flush();
          await test.clock.advance(100_000);
          await flushing;
          expect(isBalanced(test.path)).toBe(true);
        }
        const closing = test.path.shutdown(1000);
        await test.clock.advance(100_000);
        await closing;
        expect(isBalanced(test.path)).toBe(true);
        expect(test.path.stats().pending).toBe(0);
        expect(new Set(test.transport.accepted).size).toBe(test.path.stats().acked);
      },
    ),
    { numRuns: 100 },
  );
});
