import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { toSettledSequence, type OutboxState } from "../../src/delivery/outbox-state.ts";
import type { PendingEvent } from "../../src/delivery/pending-event.ts";
import { nodeFileSystem } from "../../src/delivery/spool/file-system.ts";
import { readJournal } from "../../src/delivery/spool/journal.ts";
import { createTestPath, isBalanced, type Script } from "../helpers/exporter.ts";
import {
  createFaultyFileSystem,
  keepSynced,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../helpers/faulty-file-system.ts";
import {
  crash,
  flush,
  leftovers,
  shutdown,
  startLife,
  type Life,
  type LifeOptions,
} from "../helpers/spool-life.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A monitor whose events are in a spool. */
function start(options: Partial<LifeOptions> = {}): Life {
  return startLife({
    spoolDirectory: join(makeFastDirectory(), "spool"),
    batchSize: 10,
    ...options,
  });
}

/** Refuses every request that has one of the events. */
const refusing =
  (isBad: (eventId: string) => boolean, status = 422): Script =>
  ({ batch }) =>
    batch.events.some(({ eventId }) => isBad(eventId)) ? status : 202;

const deadLetters = ({ spoolDirectory }: Life): number => {
  const names = readdirSync(spoolDirectory);
  return names.includes("dead") ? readdirSync(join(spoolDirectory, "dead")).length : 0;
};

/** Texts of the requests by the id of the batch; each must be one. */
function textsOf({ transport }: Life): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { batch, text } of transport.requests)
    texts.set(batch.batchId, (texts.get(batch.batchId) ?? new Set()).add(text));
  return texts;
}

describe("a platform that is away", () => {
  it("costs nothing in an hour, is asked once a minute at most, and gets everything in order", async () => {
    const life = start();
    const { path, transport, clock } = life;
    transport.script = () => "failure";
    const ids = life.record(25);
    await flush(life, 0);
    const asked: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      ids.push(...life.record(10));
      const before = transport.requests.length;
      await clock.advance(MINUTE);
      asked.push(transport.requests.length - before);
    }
    expect(path.stats()).toMatchObject({ state: "open", pending: 625, dropped: 0, dead: 0 });
    expect(Math.max(...asked.slice(5))).toBeLessThanOrEqual(1);
    expect(asked.slice(5).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(40);
    expect(new Set(transport.requests.map(({ text }) => text)).size).toBe(1);
    transport.script = () => 202;
    await clock.advance(2 * MINUTE);
    await flush(life);
    expect(transport.accepted).toEqual(ids);
    expect(path.stats()).toMatchObject({ state: "idle", acked: 625, pending: 0 });
    expect(path.stats()).not.toHaveProperty("blockedReason");
  });

  it("is told of when it goes, each quarter of an hour, and once when it comes back", async () => {
    const life = start();
    const { transport, lines, clock } = life;
    life.transport.script = () => 503;
    life.record(30);
    await flush(life, 0);
    await clock.advance(HOUR);
    transport.script = () => 202;
    await flush(life);
    const told = lines.filter(
      ({ level, message }) => level !== "debug" && message.includes("platform"),
    );
    expect(told.map(({ level }) => level)).toEqual(["error", "error", "error", "error", "info"]);
  });

  it("is not asked before its Retry-After is over, by nobody", async () => {
    const life = start({ retryAttempts: 0 });
    const { path, transport, clock } = life;
    transport.script = () => ({ status: 429, headers: { "retry-after": "300" } });
    life.record(10);
    await flush(life, 1000);
    expect(transport.requests).toHaveLength(1);
    expect(path.stats()).toMatchObject({ state: "open", pending: 10 });
    for (let minute = 0; minute < 4; minute++) {
      life.record(10);
      await path.flush(1000);
      await clock.advance(MINUTE);
    }
    expect(transport.requests).toHaveLength(1);
    transport.script = () => 202;
    await clock.advance(MINUTE);
    expect(transport.requests.length).toBeGreaterThan(1);
    await flush(life);
    expect(path.stats()).toMatchObject({ acked: 50, state: "idle" });
  });

  it("keeps a flush waiting no longer than it takes to see that", async () => {
    const life = start({ retryAttempts: 0 });
    life.transport.script = () => "failure";
    life.record(1);
    // Without a deadline.
    await life.path.flush();
    expect(life.path.stats()).toMatchObject({ state: "open", pending: 1 });
  });
});

describe("a platform that takes nothing", () => {
  it.each([401, 403, 404, 307, 501])(
    "on %i keeps everything, under the same ids and texts",
    async (status) => {
      const life = start();
      const { path, transport, clock } = life;
      transport.script = () => status;
      const ids = life.record(35);
      await flush(life);
      expect(path.stats()).toMatchObject({ state: "blocked", pending: 35, dropped: 0, dead: 0 });
      await clock.advance(10 * MINUTE);
      expect(transport.requests.length).toBeLessThanOrEqual(12);
      transport.script = () => "failure";
      await clock.advance(10 * MINUTE);
      expect(path.stats().state).toBe("open");
      transport.script = () => status;
      await clock.advance(10 * MINUTE);
      expect(path.stats().state).toBe("blocked");
      transport.script = () => 202;
      await clock.advance(MINUTE);
      await flush(life);
      expect(transport.accepted).toEqual(ids);
      for (const texts of textsOf(life).values()) expect(texts.size).toBe(1);
      expect(path.stats()).toMatchObject({ state: "idle", acked: 35 });
    },
  );

  it("makes no dead letters of a stream that it refuses whole, however often it is started again", async () => {
    const root = makeFastDirectory();
    let life = start({ spoolDirectory: join(root, "0") });
    const ids = life.record(45);
    for (let restart = 1; restart <= 4; restart++) {
      life.transport.script = () => 422;
      await flush(life);
      await life.clock.advance(20 * MINUTE);
      expect(life.path.stats()).toMatchObject({
        state: "blocked",
        pending: 45,
        dead: 0,
        dropped: 0,
      });
      expect(life.transport.requests.length).toBeLessThan(60);
      const target = join(root, String(restart));
      await crash(life, target, keepWritten);
      life = start({ spoolDirectory: target });
    }
    await flush(life);
    expect(life.transport.accepted.toSorted()).toEqual(ids.toSorted());
    expect(life.path.stats()).toMatchObject({ state: "idle", recovered: 45, acked: 45, dead: 0 });
    expect(deadLetters(life)).toBe(0);
  });

  it("gives an id up for another one while it is said to be taken, and then takes that for a fault", async () => {
    const life = start();
    const conflict = {
      status: 409,
      body: JSON.stringify({ type: "about:blank", title: "", status: 409, code: "batch_conflict" }),
    };
    life.transport.script = () => conflict;
    life.record(3);
    await flush(life);
    expect(life.path.stats()).toMatchObject({ state: "blocked", pending: 3 });
    expect(textsOf(life).size).toBe(4);
    life.transport.script = () => 202;
    await flush(life);
    expect(life.path.stats()).toMatchObject({ state: "idle", acked: 3 });
  });
});

describe("bad events", () => {
  it("cost no other event, wherever they stand in a batch", async () => {
    for (let position = 0; position < 10; position++) {
      const life = start();
      life.transport.script = refusing((id) => id === `event-${position}`);
      const ids = life.record(10);
      await flush(life);
      const good = ids.filter((_id, index) => index !== position);
      expect(life.transport.accepted.toSorted()).toEqual(good.toSorted());
      expect(life.path.stats()).toMatchObject({ acked: 9, dead: 1, pending: 0, state: "idle" });
      expect(deadLetters(life)).toBe(1);
      expect(life.transport.requests.length).toBeLessThanOrEqual(10);
    }
  });

  it.each([1, 3, 5, 10, 100])(
    "at the front of all do not stop the good ones for ever (batch size %i)",
    async (batchSize) => {
      const life = start({ batchSize });
      const { path, transport, clock } = life;
      const isBad = (id: string): boolean => Number(id.slice(6)) < 20;
      transport.script = refusing(isBad);
      const ids = life.record(60);
      await flush(life);
      for (let hour = 0; hour < 3; hour++) {
        await clock.advance(HOUR);
        await flush(life);
      }
      expect(path.stats()).toMatchObject({ acked: 40, dead: 20, pending: 0, state: "idle" });
      expect(transport.accepted.toSorted()).toEqual(ids.filter((id) => !isBad(id)).toSorted());
      expect(deadLetters(life)).toBe(20);
    },
  );

  it("that come one by one do not stop the good one behind them", async () => {
    const life = start({ batchSize: 1 });
    life.transport.script = refusing((id) => id !== "event-7");
    for (let event = 0; event < 8; event++) {
      life.record(1);
      await flush(life);
    }
    await life.clock.advance(HOUR);
    await flush(life);
    expect(life.path.stats()).toMatchObject({ acked: 1, dead: 7, pending: 0, state: "idle" });
    expect(deadLetters(life)).toBe(7);
  });

  it("that a 202 rejects are kept as dead letters, each told once", async () => {
    const life = start();
    const rejected = [3, 5, 5, 99].map((index) => ({ index, code: "invalid_event" }));
    life.transport.script = () => ({
      status: 202,
      body: JSON.stringify({ rejected, duplicates: 2 }),
    });
    life.record(10);
    await flush(life);
    expect(life.path.stats()).toMatchObject({ acked: 8, dead: 2, duplicates: 2, pending: 0 });
    expect(deadLetters(life)).toBe(2);
  });

  it("are reported with a batch that arrives, also when the next one does not", async () => {
    const life = start({ batchSize: 1 });
    const isBad = (id: string): boolean => ["event-1", "event-3"].includes(id);
    life.transport.script = refusing(isBad);
    for (let event = 0; event < 6; event++) {
      life.record(1);
      await flush(life);
    }
    expect(life.path.stats()).toMatchObject({ acked: 4, dead: 2, pending: 0 });
    const accepted = life.transport.requests.filter(
      ({ batch }) => !batch.events.some(({ eventId }) => isBad(eventId)),
    );
    const reports = accepted.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
    expect(reports.map(({ reason, firstSequence }) => [reason, firstSequence])).toEqual([
      ["dead", 2],
      ["dead", 4],
    ]);
  });
});

describe("a platform with a bound of size", () => {
  it("is asked for less, and after a while for more", async () => {
    const life = start({ batchSize: 100, maxBatchBytes: 20_000 });
    const { transport, path } = life;
    let bound = 6000;
    transport.script = ({ body }) => (body.length > bound ? 413 : 202);
    for (let round = 0; round < 20; round++) {
      life.record(60, "x".repeat(100));
      await flush(life);
    }
    expect(path.stats()).toMatchObject({ acked: 1200, dead: 0, pending: 0 });
    const refusals = transport.requests.filter(({ body }) => body.length > bound).length;
    expect(refusals).toBeGreaterThan(0);
    expect(refusals).toBeLessThan(transport.requests.length / 4);
    bound = 1e9;
    for (let round = 0; round < 30; round++) {
      life.record(100, "x".repeat(100));
      await flush(life);
    }
    const last = transport.requests.at(-1);
    expect(last?.batch.events.length).toBeGreaterThan(30);
    expect(path.stats()).toMatchObject({ acked: 4200, dead: 0, pending: 0 });
  });
});

describe("what others have left", () => {
  /** Leaves a spool of a process that was killed. */
  async function leave(
    root: string,
    count: number,
  ): Promise<{ spoolDirectory: string; ids: string[] }> {
    const life = start({ spoolDirectory: join(root, "before") });
    life.transport.script = () => 503;
    const ids = life.record(count);
    const spoolDirectory = join(root, "after");
    await crash(life, spoolDirectory, keepWritten);
    return { spoolDirectory, ids };
  }

  it("takes turns with what is new", async () => {
    const { spoolDirectory } = await leave(makeFastDirectory(), 100);
    const life = start({ spoolDirectory });
    life.transport.script = () => "failure";
    await vi.waitFor(async () => {
      await life.clock.advance(0);
      expect(life.path.stats().recovered).toBe(100);
    });
    life.record(100);
    life.transport.script = () => 202;
    await flush(life);
    await life.clock.advance(2 * MINUTE);
    await flush(life);
    const writers = life.transport.requests
      .filter(({ batch }) => batch.batchId)
      .map(({ batch }) => batch.metadata?.chain?.writerId);
    const changes = writers.filter((writer, index) => index > 0 && writer !== writers[index - 1]);
    expect(new Set(writers).size).toBe(2);
    expect(changes.length).toBeGreaterThan(10);
    expect(life.path.stats()).toMatchObject({
      tracked: 100,
      recovered: 100,
      acked: 200,
      pending: 0,
    });
  });

  it("does not wait for a writer whose files can't be read", async () => {
    const { spoolDirectory, ids } = await leave(makeFastDirectory(), 30);
    const life = start({ spoolDirectory });
    life.transport.script = () => "failure";
    await vi.waitFor(async () => {
      await life.clock.advance(0);
      expect(life.path.stats().recovered).toBe(30);
    });
    life.fs.fault = refuse("EIO", ["read", "openForRead"], /\.by-/);
    life.transport.script = () => 202;
    const own = life.record(20);
    await life.clock.advance(2 * MINUTE);
    await flush(life);
    expect(life.transport.accepted).toEqual(expect.arrayContaining(own));
    expect(life.path.stats().dropped).toBe(0);
    life.fs.fault = nothingFails;
    await life.clock.advance(5 * MINUTE);
    await flush(life);
    expect(life.transport.accepted).toEqual(expect.arrayContaining(ids));
    expect(life.path.stats()).toMatchObject({ pending: 0, acked: 50 });
    await shutdown(life);
    expect(leftovers(spoolDirectory)).toEqual([]);
  });
});

describe("bounds of the spool", () => {
  it("drops and counts what is too old", async () => {
    const life = start({ settings: { maxSpoolAge: HOUR } });
    const { path, transport, clock, fs } = life;
    transport.script = () => 503;
    life.record(30);
    await flush(life, 0);
    const modifiedAt = fs.modifiedAt.bind(fs);
    // The files are written now, and the clock of the test stands long before.
    const written = clock.now();
    fs.modifiedAt = (file) => (modifiedAt(file) > 0 ? written : 0);
    await clock.advance(3 * HOUR);
    expect(path.stats()).toMatchObject({
      pending: 0,
      dropped: 30,
      droppedByReason: { expired: 30 },
    });
    expect(isBalanced(path)).toBe(true);
    expect(life.lines.some(({ message }) => message.includes("maxSpoolAge"))).toBe(true);
    transport.script = () => 202;
    fs.modifiedAt = () => clock.now();
    life.record(1);
    await clock.advance(2 * MINUTE);
    await flush(life);
    const reports = transport.requests.at(-1)?.batch.metadata?.dropped;
    expect(reports?.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(path.stats()).toMatchObject({ acked: 1, pending: 0, state: "idle" });
  });

  it("sends what comes after all was too old, though nobody flushes", async () => {
    const life = start({ batchSize: 1, retryAttempts: 0, settings: { maxSpoolAge: HOUR } });
    const { path, transport, clock, fs } = life;
    transport.script = () => 503;
    const written = clock.now();
    fs.modifiedAt = () => written;
    life.record(3);
    await clock.advance(3 * HOUR);
    expect(path.stats()).toMatchObject({ pending: 0, dropped: 3 });
    transport.script = () => 202;
    fs.modifiedAt = () => clock.now();
    await clock.advance(2 * MINUTE);
    expect(path.stats().state).toBe("idle");
    life.record(1);
    await clock.advance(0);
    expect(path.stats()).toMatchObject({ acked: 1, pending: 0 });
  });

  it("never refuses everything for what it has noted itself", async () => {
    const life = start({ batchSize: 1, settings: { maxSpoolBytes: 64 * 1024 } });
    for (let round = 0; round < 10; round++) {
      life.record(20);
      await flush(life);
      await life.clock.advance(MINUTE);
    }
    expect(life.path.stats()).toMatchObject({ acked: 200, dropped: 0 });
    expect(life.path.stats().spool?.bytes).toBeLessThan(32 * 1024);
  });

  it("refuses and counts what has no room, and takes events again when others are delivered", async () => {
    const life = start({ settings: { maxSpoolBytes: 64 * 1024 } });
    const { path, transport } = life;
    transport.script = () => 503;
    life.record(300, "x".repeat(300));
    await flush(life, 0);
    const { droppedByReason, pending, spool } = path.stats();
    expect(droppedByReason.spool_full).toBeGreaterThan(50);
    expect(pending + (droppedByReason.spool_full ?? 0)).toBe(300);
    expect(spool).toMatchObject({ state: "ok", eventsInMemory: 0 });
    // Files of its own making, beside those of events, are counted when it looks what others have.
    expect(spool?.bytes).toBeLessThan(80 * 1024);
    expect(life.lines.filter(({ message }) => message.includes("spool is full"))).toHaveLength(1);
    transport.script = () => 202;
    await life.clock.advance(2 * MINUTE);
    await flush(life);
    life.record(10, "x".repeat(300));
    await flush(life);
    expect(path.stats()).toMatchObject({ pending: 0, acked: pending + 10 });
    const reported = transport.requests.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
    expect(reported).toContainEqual({ reason: "spool_full", count: droppedByReason.spool_full });
  });
});

it("counts what damage has taken, and sends the rest", async () => {
  const root = makeFastDirectory();
  const before = start({ spoolDirectory: join(root, "0") });
  before.transport.script = () => 503;
  before.record(30);
  await flush(before, 0);
  const spoolDirectory = join(root, "1");
  await crash(before, spoolDirectory, keepWritten);
  const fs = createFaultyFileSystem();
  const read = fs.read.bind(fs);
  // One byte in the tenth event or so, of the file of events only.
  let isSegment = false;
  fs.fault = (operation, path) => {
    if (operation === "read") isSegment = path.endsWith(".seg");
    return undefined;
  };
  fs.read = async (fd, into, position) => {
    const bytes = await read(fd, into, position);
    if (isSegment && position <= 4000 && position + bytes > 4000) into[4000 - position]! ^= 0xff;
    return bytes;
  };
  const life = start({ spoolDirectory, fs });
  await flush(life);
  expect(life.path.stats()).toMatchObject({
    recovered: 30,
    acked: 29,
    dropped: 1,
    droppedByReason: { corrupt: 1 },
    pending: 0,
  });
  const messages = life.lines.map(({ message }) => message).join("\n");
  expect(messages).toContain("the spool is damaged");
  const reports = life.transport.requests.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
  expect(reports).toMatchObject([{ reason: "corrupt", count: 1 }]);
});

it("tells how long the oldest event waits", async () => {
  const life = start({ retryAttempts: 0 });
  const { path, transport, clock } = life;
  const age = (): number => path.stats().oldestPendingAge;
  expect(age()).toBe(0);
  transport.script = () => 503;
  // Events of the tests happen at the beginning of time.
  life.record(3);
  expect(age()).toBe(clock.now());
  await flush(life, 0);
  expect(age()).toBe(clock.now());
  await clock.advance(HOUR);
  expect(age()).toBe(clock.now());
  transport.script = () => 202;
  await flush(life);
  await clock.advance(MINUTE);
  expect(age()).toBe(0);
});

it("names the chain of its writer", async () => {
  const life = start();
  const { writerId } = life.path.stats().chain;
  expect(life.path.stats().chain).toEqual({ writerId, sequence: 0, hash: null });
  life.record(20);
  await flush(life);
  const last = life.transport.requests.at(-1)?.batch.metadata?.chain;
  expect(life.path.stats().chain).toEqual({ writerId, sequence: 2, hash: last?.hash });
});

describe("an event of which no bytes can be made", () => {
  /** What no event should be. */
  const broken = (): PendingEvent =>
    ({
      eventId: "broken",
      timestamp: 0,
      approximateBytes: 200,
      get json(): string {
        throw new TypeError("no bytes");
      },
      get bytes(): number {
        throw new TypeError("no bytes");
      },
    }) as unknown as PendingEvent;

  it("costs its batch in memory, and is counted", async () => {
    const test = createTestPath({ batchSize: 5 });
    test.path.record("test", broken());
    test.record(20);
    for (let round = 0; round < 3; round++) {
      const flushing = test.path.flush();
      await test.clock.advance(MINUTE);
      await flushing;
    }
    expect(test.path.stats()).toMatchObject({
      pending: 0,
      acked: 16,
      droppedByReason: { internal_error: 5 },
    });
    expect(isBalanced(test.path)).toBe(true);
  });
});

describe("a power cut at any time", () => {
  const settings = { durability: "power", maxSpoolBytes: 64 * 1024 } as const;

  /** Takes an image of what a power cut would leave; tells where the writer's directory is in it. */
  const cutPower = (life: Life): string => {
    const target = join(makeFastDirectory(), "image");
    life.fs.imageAfterCrash(life.spoolDirectory, target, keepSynced);
    const [writer = ""] = readdirSync(target).filter((name) => /^[0-9a-f-]{36}$/.test(name));
    return join(target, writer);
  };
  const readSafe = async (directory: string): Promise<OutboxState> => {
    const read = await readJournal({ directory, fs: nodeFileSystem, cipherOf: () => undefined });
    if (read.kind !== "state") throw new Error("expected a state");
    return read.state;
  };

  it("finds every batch that has left, while all are refused as well", async () => {
    const life = start({ settings });
    const left: { batchId: string; image: string }[] = [];
    life.transport.script = ({ batch: { batchId } }) => {
      left.push({ batchId, image: cutPower(life) });
      return 422;
    };
    life.record(10);
    await flush(life, 0);
    await life.clock.advance(30 * MINUTE);
    expect(life.path.stats()).toMatchObject({ state: "blocked", pending: 10 });
    expect(left.length).toBeGreaterThan(10);
    for (const { batchId, image } of left) {
      const { open } = await readSafe(image);
      expect(open.map((plan) => plan.batchId)).toContain(batchId);
    }
  });

  it("finds no batch whose events are removed: first it is safe that they are settled", async () => {
    const life = start({ settings });
    const remove = life.fs.remove.bind(life.fs);
    const removed: { last: number; image: string }[] = [];
    life.fs.remove = (path) => {
      if (path.endsWith(".seg")) {
        const names = readdirSync(dirname(path)).filter((name) => name.endsWith(".seg"));
        const firsts = names.map((name) => Number(name.slice(0, 16))).toSorted((a, b) => a - b);
        // Another file begins where the oldest ends.
        removed.push({ last: (firsts[1] ?? 81) - 1, image: cutPower(life) });
      }
      remove(path);
    };
    life.record(80, "x".repeat(300));
    await flush(life);
    life.fs.remove = remove;
    expect(life.path.stats()).toMatchObject({ acked: 80, pending: 0 });
    expect(removed.length).toBeGreaterThan(2);
    for (const { last, image } of removed)
      expect(toSettledSequence(await readSafe(image))).toBeGreaterThanOrEqual(last);
  });
});
