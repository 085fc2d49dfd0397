import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SpoolBudget } from "../../../src/delivery/spool/spool-context.ts";
import { SegmentSet } from "../../../src/delivery/spool/segment-set.ts";
import type { DetailedEvent } from "../../../src/events/detailed-event.ts";
import { PendingEvent } from "../../../src/delivery/pending-event.ts";
import { SpoolStore, type SpoolStoreOptions } from "../../../src/delivery/spool/spool-store.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { createPendingEvent } from "../../helpers/exporter.ts";
import {
  createFaultyFileSystem,
  diskFull,
  keepSynced,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  refuse,
  type FaultyFileSystem,
  type Pick,
} from "../../helpers/faulty-file-system.ts";
import { range, sequencesOf } from "../../helpers/frames.ts";

const ALL = { maxCount: Infinity, maxBytes: Infinity };
const noSync = refuse("EIO", ["sync", "syncDirectory"]);

function createStore(options: Partial<SpoolStoreOptions> = {}) {
  const root = makeFastDirectory();
  const directory = join(root, "writer");
  mkdirSync(directory);
  const fs = createFaultyFileSystem();
  const clock = createFakeClock();
  const { maxSpoolBytes = 1024 * 1024 * 1024 } = options;
  const budget = new SpoolBudget(maxSpoolBytes);
  const events: string[] = [];
  const parts = { directory, fs, cipherOf: () => undefined };
  const segments = new SegmentSet({ ...parts, budget, onDamage: () => undefined });
  const store = new SpoolStore({
    ...parts,
    writerId: "018bcfe5-7b88-7156-aea0-70d085219b3b",
    clock,
    segments,
    budget,
    maxSpoolBytes,
    maxSpoolAge: 1e12,
    maxQueueSize: 10,
    maxQueueBytes: 100_000,
    isPowerSafe: false,
    home: { isThere: () => true, parents: [root], remake: () => undefined },
    onDegraded: (error) => events.push((error as { code: string }).code),
    onFinal: () => events.push("final"),
    onRecovered: () => events.push("recovered"),
    ...options,
  });
  let tracked = 0;
  const append = (count: number, padding = "") =>
    range(1, count).map(() => store.append(createPendingEvent(tracked++, padding)));
  return { root, directory, fs, clock, budget, segments, store, events, append };
}

async function readAll(store: SpoolStore, first = 1): Promise<number[]> {
  const { events } = await store.read({ first, last: store.newestSequence, ...ALL });
  return sequencesOf(events);
}

/** The sequences that a new process would find. */
async function survivors(fs: FaultyFileSystem, directory: string, pick: Pick): Promise<number[]> {
  const target = join(makeFastDirectory(), "image");
  fs.imageAfterCrash(directory, target, pick);
  const options = { directory: target, fs: createFaultyFileSystem(), cipherOf: () => undefined };
  const budget = new SpoolBudget(Infinity);
  const segments = new SegmentSet({ ...options, budget, onDamage: () => undefined });
  segments.load();
  const { events } = await segments.read({ first: 1, last: 1_000_000, ...ALL });
  segments.close();
  return sequencesOf(events);
}

it("has every event with the kernel when append returns", async () => {
  const { fs, directory, store, append } = createStore();
  expect(append(3)).toEqual([1, 2, 3]);
  expect(await survivors(fs, directory, keepWritten)).toEqual([1, 2, 3]);
  expect(store).toMatchObject({ newestSequence: 3, eventsInMemory: 0, isDegraded: false });
  store.close();
  expect(fs.openFiles).toBe(0);
});

it("keeps events in memory while the disk refuses writes, and writes them in order when it takes them", async () => {
  const { fs, directory, store, append, clock, events } = createStore();
  append(2);
  fs.fault = diskFull;
  expect(append(3)).toEqual([3, 4, 5]);
  expect(events).toEqual(["ENOSPC"]);
  expect(store).toMatchObject({ isDegraded: true, eventsInMemory: 3, newestSequence: 5 });
  expect(await readAll(store)).toEqual([1, 2, 3, 4, 5]);
  await clock.advance(10_000);
  expect(store.isDegraded).toBe(true);
  fs.fault = nothingFails;
  await clock.advance(1000);
  expect(events).toEqual(["ENOSPC", "recovered"]);
  append(1);
  expect(store).toMatchObject({ isDegraded: false, eventsInMemory: 0, newestSequence: 6 });
  expect(await survivors(fs, directory, keepWritten)).toEqual(range(1, 6));
  expect(await readAll(store)).toEqual(range(1, 6));
  store.close();
});

it("bounds what it keeps in memory", () => {
  const byCount = createStore();
  byCount.fs.fault = diskFull;
  expect(byCount.append(12)).toEqual([...range(1, 10), "queue_full", "queue_full"]);
  const byBytes = createStore({ maxQueueBytes: 1000 });
  byBytes.fs.fault = diskFull;
  expect(byBytes.append(10, "x".repeat(200)).filter((one) => one === "queue_full")).toHaveLength(8);
  byCount.store.close();
  byBytes.store.close();
});

it("writes as much as the disk takes, and the rest later", async () => {
  const { fs, store, append, clock } = createStore();
  fs.fault = diskFull;
  append(5);
  let taken = 0;
  fs.fault = (operation) => (operation === "append" && ++taken > 2 ? "ENOSPC" : undefined);
  await clock.advance(1000);
  expect(store).toMatchObject({ eventsInMemory: 3, newestInFiles: 2 });
  expect(await readAll(store)).toEqual(range(1, 5));
  store.forget(4);
  expect(store.eventsInMemory).toBe(1);
  fs.fault = nothingFails;
  store.recover();
  expect(store).toMatchObject({ eventsInMemory: 0, isDegraded: false, newestInFiles: 5 });
  store.close();
});

/** A disk with room for so many bytes of files. */
function holdBytes(fs: FaultyFileSystem, directory: string, capacity: number): void {
  fs.fault = (operation) => {
    const used = readdirSync(directory).reduce(
      (sum, name) => sum + statSync(join(directory, name)).size,
      0,
    );
    return operation === "append" && used > capacity ? "ENOSPC" : undefined;
  };
}

it("gives a disk back that its own events have filled, once they are delivered", async () => {
  const { fs, directory, store, append, clock, events } = createStore({ maxQueueSize: 100 });
  holdBytes(fs, directory, 5000);
  append(30, "x".repeat(300));
  expect(store.isDegraded).toBe(true);
  expect(store.newestInFiles).toBeLessThan(30);
  store.forget(30);
  await clock.advance(1000);
  expect(events).toEqual(["ENOSPC", "recovered"]);
  expect(store).toMatchObject({ isDegraded: false, eventsInMemory: 0 });
  append(5, "x".repeat(300));
  expect(store).toMatchObject({ isDegraded: false, eventsInMemory: 0, newestInFiles: 35 });
  expect(await survivors(fs, directory, keepWritten)).toEqual(range(31, 35));
  store.close();
});

it("does not say that the disk takes events again before it does, though none is left to write", async () => {
  const { fs, directory, store, append, clock, events } = createStore();
  fs.fault = refuse("ENOSPC", ["append"]);
  append(3);
  store.forget(3);
  await clock.advance(10_000);
  expect(store).toMatchObject({ isDegraded: true, eventsInMemory: 0 });
  fs.fault = nothingFails;
  await clock.advance(1000);
  expect(events).toEqual(["ENOSPC", "recovered"]);
  append(2);
  expect(await survivors(fs, directory, keepWritten)).toEqual([4, 5]);
  expect(store.isDegraded).toBe(false);
  store.close();
});

it("does not fill a full disk with empty files", async () => {
  const { fs, directory, store, append, clock } = createStore();
  fs.fault = refuse("ENOSPC", ["append"]);
  append(1);
  await clock.advance(3_600_000);
  expect(readdirSync(directory)).toEqual([]);
  store.close();
});

it("reads from files and memory as if they were one, in pieces of any size", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(5),
      fc.nat(5),
      fc.integer({ min: 1, max: 4 }),
      async (disk, memory, size) => {
        const { fs, store, append } = createStore();
        append(disk);
        fs.fault = refuse("ENOSPC", ["append"]);
        append(memory);
        const found: number[] = [];
        for (let first = 1; first <= store.newestSequence;) {
          const bounds = { last: store.newestSequence, maxCount: size, maxBytes: Infinity };
          const { events, end } = await store.read({ first, ...bounds });
          expect(events.length).toBeLessThanOrEqual(size);
          found.push(...sequencesOf(events));
          first = end + 1;
        }
        expect(found).toEqual(range(1, disk + memory));
        store.close();
      },
    ),
    { numRuns: 50 },
  );
});

it("refuses the newest event when the budget is used up, and takes new ones when others are delivered", () => {
  const { store, append, budget } = createStore({ maxSpoolBytes: 16 * 1024 });
  const results = append(40, "x".repeat(500));
  const kept = results.filter((one) => typeof one === "number");
  expect(results.slice(kept.length)).toEqual(results.slice(kept.length).map(() => "spool_full"));
  expect(kept.length).toBeGreaterThan(15);
  expect(budget.used).toBeLessThanOrEqual(16 * 1024);
  store.forget(kept.length);
  expect(append(1)).toEqual([kept.length + 1]);
  store.close();
});

it("takes large events one after the other, although two have no room", () => {
  const { store, append } = createStore({ maxSpoolBytes: 64 * 1024 });
  for (const sequence of range(1, 10)) {
    expect(append(1, "x".repeat(40_000))).toEqual([sequence]);
    expect(append(1, "x".repeat(40_000))).toEqual(["spool_full"]);
    store.forget(sequence);
  }
  store.close();
});

it("removes files as their events are delivered", () => {
  const { directory, store, append, budget } = createStore({ maxSpoolBytes: 64 * 1024 });
  append(50, "x".repeat(900));
  const before = readdirSync(directory).length;
  store.forget(40);
  expect(readdirSync(directory).length).toBeLessThan(before / 2);
  store.forget(50);
  expect(readdirSync(directory).length).toBeLessThanOrEqual(1);
  expect(store.bytes).toBe(budget.own);
  store.close();
});

it("expires what is in files only", async () => {
  const { fs, clock, store, append } = createStore({ maxSpoolAge: 60_000 });
  append(3);
  fs.fault = refuse("ENOSPC", ["append"]);
  append(2);
  fs.modifiedAt = () => clock.now() - 100_000;
  expect(store.findExpired()).toBe(0);
  await clock.advance(3_600_000);
  expect(store.findExpired()).toBe(3);
  store.close();
});

it("syncs nothing that need not survive a power cut", async () => {
  const { fs, clock, store, append } = createStore();
  append(3);
  await store.sync();
  await clock.advance(1000);
  expect(fs.counts.sync).toBeUndefined();
  store.close();
});

it("makes everything safe that was appended before, soon or when it is asked to", async () => {
  const { fs, directory, clock, store, append } = createStore({ isPowerSafe: true });
  append(3);
  expect(await survivors(fs, directory, keepSynced)).toEqual([]);
  await store.sync();
  expect(await survivors(fs, directory, keepSynced)).toEqual([1, 2, 3]);
  append(2);
  await clock.advance(5);
  expect(await survivors(fs, directory, keepSynced)).toEqual(range(1, 5));
  store.close();
});

it.each([1, 4, 400])(
  "writes events again after a sync that failed, since the next success proves nothing (%i in a file)",
  async (eventsPerFile) => {
    const maxSpoolBytes = eventsPerFile * 8 * 300;
    const settings = { isPowerSafe: true, maxSpoolBytes: Math.max(maxSpoolBytes, 64 * 1024) };
    const { fs, directory, store, append, events } = createStore(settings);
    const padding = eventsPerFile === 400 ? "" : "x".repeat(8000 / eventsPerFile);
    append(3, padding);
    await store.sync();
    append(4, padding);
    fs.fault = refuse("EIO", ["sync"]);
    await store.sync();
    expect(events).toEqual(["EIO", "EIO"]);
    expect(await survivors(fs, directory, keepSynced)).toEqual([1, 2, 3]);
    fs.fault = nothingFails;
    await store.sync();
    expect(await survivors(fs, directory, keepSynced)).toEqual(range(1, 7));
    // What the old files lose must not hide what the new ones have, whatever is delivered meanwhile.
    for (const delivered of [3, 4, 5, 6]) {
      store.forget(delivered);
      const left = await survivors(fs, directory, keepSynced);
      expect(left).toEqual(expect.arrayContaining(range(delivered + 1, 7)));
      expect(await readAll(store, delivered + 1)).toEqual(range(delivered + 1, 7));
    }
    append(1);
    await store.sync();
    expect(await readAll(store, 8)).toEqual([8]);
    store.close();
    expect(fs.openFiles).toBe(0);
  },
);

it("tries a failed sync again and again, and bounds what that leaves on the disk", async () => {
  const { fs, directory, clock, store, append, events } = createStore({ isPowerSafe: true });
  append(5);
  fs.fault = noSync;
  await clock.advance(60_000);
  expect(events.length).toBeGreaterThan(10);
  expect(readdirSync(directory).length).toBeLessThan(3);
  fs.fault = nothingFails;
  await clock.advance(2000);
  expect(await survivors(fs, directory, keepSynced)).toEqual(range(1, 5));
  store.close();
});

it("writes a lot again, piece by piece", async () => {
  const { fs, directory, store, append } = createStore({ isPowerSafe: true });
  append(40, "x".repeat(100_000));
  fs.fault = noSync;
  await store.sync();
  fs.fault = nothingFails;
  await store.sync();
  expect(await survivors(fs, directory, keepSynced)).toEqual(range(1, 40));
  expect(await readAll(store)).toEqual(range(1, 40));
  store.close();
});

it("loses nothing in the process when neither sync nor write works", async () => {
  const { fs, directory, store, append } = createStore({ isPowerSafe: true });
  append(5);
  fs.fault = refuse("EIO", ["sync", "append"]);
  await store.sync();
  for (const delivered of range(0, 4)) {
    store.forget(delivered);
    expect(await readAll(store, delivered + 1)).toEqual(range(delivered + 1, 5));
  }
  expect(await survivors(fs, directory, keepWritten)).toEqual(expect.arrayContaining([5]));
  store.close();
});

it("makes the names of its directories safe, as far as it may open them", async () => {
  const { root, fs, store, append } = createStore({
    isPowerSafe: true,
    home: { isThere: () => true, parents: ["/own", "/above"], remake: () => undefined },
  });
  const opened: string[] = [];
  const syncDirectory = fs.syncDirectory.bind(fs);
  fs.syncDirectory = async (path) => {
    opened.push(path);
    if (path === "/above") throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    if (path !== "/own") await syncDirectory(path);
  };
  append(1);
  await store.sync();
  append(1);
  await store.sync();
  expect(opened.filter((path) => !path.startsWith(root))).toEqual(["/own", "/above"]);
  store.close();
});

it("keeps what is appended while a sync fails: what is written again before it must not hide it", async () => {
  const { fs, directory, store, append, events } = createStore({ isPowerSafe: true });
  append(3);
  await store.sync();
  append(7);
  let syncs = 0;
  fs.fault = (operation) => {
    if (operation !== "sync" || ++syncs > 1) return undefined;
    append(2);
    return "EIO";
  };
  await store.sync();
  expect(events).toEqual(["EIO"]);
  append(1);
  expect(await readAll(store, 11)).toEqual([11, 12, 13]);
  store.forget(10);
  expect(await readAll(store, 11)).toEqual([11, 12, 13]);
  await store.sync();
  expect(await survivors(fs, directory, keepSynced)).toEqual(expect.arrayContaining([11, 12, 13]));
  store.close();
  expect(fs.openFiles).toBe(0);
});

it("does not fill a disk with copies when it can't make one file safe", async () => {
  const settings = { isPowerSafe: true, maxSpoolBytes: 64 * 1024 };
  const { fs, directory, clock, segments, store, append, events } = createStore(settings);
  append(8, "x".repeat(3000));
  const last = segments.segments.at(-1)?.name.slice(0, 16) ?? "";
  expect(segments.segments.length).toBeGreaterThan(2);
  const { bytes } = store;
  fs.fault = refuse("EIO", ["sync"], new RegExp(`/${last}-`));
  await clock.advance(60_000);
  expect(events.length).toBeGreaterThan(10);
  expect(store.bytes).toBeLessThan(3 * bytes);
  expect(readdirSync(directory).length).toBeLessThan(12);
  fs.fault = nothingFails;
  await clock.advance(2000);
  expect(await survivors(fs, directory, keepSynced)).toEqual(range(1, 8));
  store.close();
});

/** An event whose last form is to come, and that form. */
function createForms(index: number): { provisional: PendingEvent; final: PendingEvent } {
  const event = createPendingEvent(index);
  const json = JSON.parse(event.json) as DetailedEvent;
  const bytes = event.approximateBytes;
  return {
    provisional: new PendingEvent({ ...json, userId: "provisional" }, bytes, 10_000, true),
    final: new PendingEvent({ ...json, userId: "final" }, bytes, 10_000),
  };
}

/** Who an event is about, by its sequence: here its form. */
async function formsOf(store: SpoolStore, last = store.newestSequence): Promise<string[]> {
  const { events } = await store.read({ first: 1, last, ...ALL });
  return events.map(({ sequence, json }) => {
    const { userId, sequence: told } = JSON.parse(json.toString()) as Record<string, unknown>;
    expect(told).toBe(sequence);
    return `${sequence} ${String(userId)}`;
  });
}

it("gives an event its last form in its place, in the files, and has no batch made of it before", async () => {
  const { directory, store, append, events } = createStore();
  append(1);
  const { provisional, final } = createForms(7);
  store.append(provisional);
  append(2);
  expect(store).toMatchObject({ newestSequence: 4, finalSequence: 1 });
  expect((await formsOf(store))[1]).toBe("2 provisional");
  store.replace(provisional, final);
  append(1);
  expect(store.finalSequence).toBe(1);
  await store.settled();
  expect(store).toMatchObject({ newestSequence: 5, finalSequence: 5 });
  expect(events).toEqual(["final"]);
  expect((await formsOf(store))[1]).toBe("2 final");
  expect(await readAll(store)).toEqual(range(1, 5));
  append(1);
  // The one with the last form, and the one that is written to since.
  expect(readdirSync(directory)).toHaveLength(2);
  store.close();
});

it("writes last forms when all are known, and once more what becomes final meanwhile", async () => {
  const { store, events } = createStore();
  const [one, two, three] = [createForms(1), createForms(2), createForms(3)];
  store.append(one.provisional);
  store.append(two.provisional);
  store.replace(two.provisional, two.final);
  await store.settled();
  expect(store.finalSequence).toBe(0);
  store.replace(one.provisional, one.final);
  store.append(three.provisional);
  store.replace(three.provisional, three.final);
  await store.settled();
  expect(await formsOf(store)).toEqual(["1 final", "2 final", "3 final"]);
  expect(store.finalSequence).toBe(3);
  expect(events).toEqual(["final"]);
  store.close();
});

it("keeps one form of each event, whatever a crash leaves of the files", async () => {
  const { fs, directory, store, append } = createStore();
  append(2);
  const { provisional, final } = createForms(7);
  store.append(provisional);
  append(2);
  let appended = 0;
  fs.fault = (operation) => (operation === "append" && ++appended > 3 ? "EIO" : undefined);
  store.replace(provisional, final);
  await store.settled();
  expect(await survivors(fs, directory, keepWritten)).toEqual(range(1, 5));
  store.close();
});

it("tries again when the disk refuses last forms, and sends nothing of them meanwhile", async () => {
  const { fs, store, clock, events } = createStore();
  const { provisional, final } = createForms(1);
  store.append(provisional);
  fs.fault = diskFull;
  store.replace(provisional, final);
  await store.settled();
  expect(store.finalSequence).toBe(0);
  fs.fault = nothingFails;
  await clock.advance(1000);
  await store.settled();
  expect(await formsOf(store)).toEqual(["1 final"]);
  expect(store.finalSequence).toBe(1);
  expect(events).toEqual(["ENOSPC", "final", "final"]);
  store.close();
});

it("gives events that the disk did not take their last form as well, before and behind their way to the disk", async () => {
  const { fs, store, clock } = createStore();
  fs.fault = diskFull;
  const [one, two] = [createForms(1), createForms(2)];
  store.append(one.provisional);
  store.append(two.provisional);
  store.replace(one.provisional, one.final);
  expect(store.finalSequence).toBe(1);
  fs.fault = nothingFails;
  await clock.advance(1000);
  expect(store).toMatchObject({ eventsInMemory: 0, finalSequence: 1 });
  store.replace(two.provisional, two.final);
  await store.settled();
  expect(await formsOf(store)).toEqual(["1 final", "2 final"]);
  store.close();
});

it("forgets an event that is given up before it has its last form", async () => {
  const { store, append } = createStore();
  const { provisional, final } = createForms(1);
  store.append(provisional);
  append(1);
  store.forget(1);
  expect(store.finalSequence).toBe(2);
  store.replace(provisional, final);
  await store.settled();
  expect(await readAll(store, 2)).toEqual([2]);
  store.close();
});
