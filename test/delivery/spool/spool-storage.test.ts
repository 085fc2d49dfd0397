import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import { isBalanced } from "../../helpers/exporter.ts";
import {
  createFaultyFileSystem,
  diskFull,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../../helpers/faulty-file-system.ts";
import {
  crash,
  flush,
  leftovers,
  shutdown,
  startLife,
  type Life,
  type LifeOptions,
} from "../../helpers/spool-life.ts";

function start(options: Partial<LifeOptions> = {}): Life {
  return startLife({
    spoolDirectory: join(makeFastDirectory(), "spool"),
    batchSize: 10,
    ...options,
  });
}

it("makes what only its owner may enter and read, and leaves nothing behind", async () => {
  const spoolDirectory = join(makeFastDirectory(), "a", "b", "spool");
  const life = start({ spoolDirectory });
  life.record(5);
  const names = readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" });
  expect(names.length).toBeGreaterThan(4);
  for (const name of ["", ...names]) {
    const { mode } = statSync(join(spoolDirectory, name));
    expect(mode & 0o077).toBe(0);
  }
  await flush(life);
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
  expect(life.fs.openFiles).toBe(0);
  expect(life.path.stats()).toMatchObject({ acked: 5, pending: 0, state: "closed" });
});

it("keeps what is not delivered when it ends, and says so to nobody as lost", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start({ spoolDirectory, script: () => 503 });
  life.record(25);
  await shutdown(life);
  expect(life.path.stats()).toMatchObject({ pending: 25, dropped: 0, state: "closed" });
  expect(leftovers(spoolDirectory).filter((name) => name.endsWith(".seg"))).toHaveLength(1);
  expect(leftovers(spoolDirectory).filter((name) => name.includes("owner"))).toEqual([]);
  expect(life.lines.some(({ message }) => message.includes("lost"))).toBe(false);
});

it.each([
  ["makeDirectory", "unusable"],
  ["openForAppend", "degraded"],
] as const)(
  "keeps events all the same when the disk refuses everything from the start (%s)",
  async (operation, state) => {
    const fs = createFaultyFileSystem();
    fs.fault = refuse("EROFS", [operation]);
    const life = start({ fs });
    const ids = life.record(20);
    const { spool } = life.path.stats();
    expect(spool?.state).toBe(state);
    await flush(life);
    expect(life.transport.accepted).toEqual(ids);
    expect(life.lines.filter(({ level }) => level === "error").length).toBeGreaterThan(0);
    expect(isBalanced(life.path)).toBe(true);
    await shutdown(life);
  },
);

it("keeps events in memory when its directory is none", async () => {
  const spoolDirectory = join(makeFastDirectory(), "file");
  writeFileSync(spoolDirectory, "");
  const life = start({ spoolDirectory });
  const ids = life.record(20);
  expect(life.path.stats().spool).toMatchObject({ state: "unusable" });
  await flush(life);
  expect(life.transport.accepted).toEqual(ids);
});

it.each(["process", "power"] as const)(
  "moves into a directory that can be used later, as a disk that is mounted behind the start (%s)",
  async (durability) => {
    const spoolDirectory = join(makeFastDirectory(), "file", "spool");
    writeFileSync(join(spoolDirectory, ".."), "");
    const settings = { durability };
    const life = start({ spoolDirectory, settings, script: () => 503 });
    const ids = life.record(20);
    await flush(life, 0);
    await life.clock.advance(5000);
    expect(life.path.stats().spool).toMatchObject({
      state: "unusable",
      eventsInMemory: 20,
      faults: 1,
    });
    rmSync(join(spoolDirectory, ".."));
    await life.clock.advance(1500);
    expect(life.path.stats().spool).toMatchObject({ state: "ok", eventsInMemory: 0 });
    ids.push(...life.record(5));
    const told = life.lines.filter(({ message }) => message.startsWith("spool"));
    expect(told.map(({ level }) => level)).toEqual(["error", "info"]);
    await flush(life, 0);
    const image = join(makeFastDirectory(), "image");
    await crash(life, image, keepWritten);
    const next = start({ spoolDirectory: image, settings });
    await flush(next);
    expect(next.transport.accepted.toSorted()).toEqual(ids.toSorted());
    expect(next.path.stats()).toMatchObject({ recovered: 25, acked: 25, spool: { state: "ok" } });
  },
);

it("sees that its directory can be used, also where nothing is tracked", async () => {
  const spoolDirectory = join(makeFastDirectory(), "file");
  writeFileSync(spoolDirectory, "");
  const life = start({ spoolDirectory });
  await life.clock.advance(90_000);
  expect(life.path.stats().spool).toMatchObject({ state: "unusable", faults: 1 });
  rmSync(spoolDirectory);
  await life.clock.advance(1500);
  expect(life.path.stats().spool).toMatchObject({ state: "ok" });
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("counts as lost what no disk had and no platform took when it ends", async () => {
  const spoolDirectory = join(makeFastDirectory(), "file");
  writeFileSync(spoolDirectory, "");
  const life = start({ spoolDirectory, script: () => 503 });
  life.record(7);
  await shutdown(life);
  expect(life.path.stats()).toMatchObject({ pending: 0, droppedByReason: { shutdown: 7 } });
  expect(isBalanced(life.path)).toBe(true);
  expect(statSync(spoolDirectory).isFile()).toBe(true);
});

it("tells of a disk that refuses writes, and that it takes them again", async () => {
  const life = start({ script: () => 503 });
  life.record(5);
  life.fs.fault = diskFull;
  life.record(5);
  expect(life.path.stats().spool).toMatchObject({ state: "degraded", eventsInMemory: 5 });
  await life.clock.advance(30_000);
  expect(life.path.stats().spool?.faults).toBeGreaterThan(0);
  life.fs.fault = nothingFails;
  await life.clock.advance(2000);
  expect(life.path.stats().spool).toMatchObject({ state: "ok", eventsInMemory: 0 });
  const told = life.lines.filter(({ message }) => message.startsWith("spool: the disk"));
  expect(told.map(({ level }) => level)).toEqual(["error", "info"]);
});

it("delivers also what no disk ever had", async () => {
  const life = start();
  life.fs.fault = diskFull;
  const ids = life.record(45);
  await flush(life);
  expect(life.transport.accepted).toEqual(ids);
  expect(life.path.stats()).toMatchObject({ acked: 45, pending: 0, dropped: 0 });
  expect(life.path.stats().spool).toMatchObject({ eventsInMemory: 0 });
  await shutdown(life);
  expect(isBalanced(life.path)).toBe(true);
});

it("counts and tells what is lost when it ends while the disk is full", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start({ spoolDirectory, script: () => 503 });
  life.record(5);
  // In a batch of their own, which is known to the next process.
  await flush(life, 0);
  life.fs.fault = diskFull;
  life.record(7);
  await shutdown(life);
  expect(life.path.stats()).toMatchObject({
    tracked: 12,
    pending: 5,
    dropped: 7,
    droppedByReason: { shutdown: 7 },
  });
  expect(life.lines.some(({ message }) => message.includes("7 events are lost"))).toBe(true);
  const next = start({ spoolDirectory });
  await flush(next);
  expect(next.path.stats()).toMatchObject({ recovered: 5, acked: 5 });
});

it.each([
  [
    "only what needs room for events",
    /\.seg$/,
    [{ reason: "shutdown", count: 3, firstSequence: 3, lastSequence: 5 }],
  ],
  ["everything", /./, []],
] as const)(
  "counts what is lost at the end of a batch of which the rest is on disk; the disk refuses %s",
  async (_what, files, reports) => {
    const spoolDirectory = join(makeFastDirectory(), "spool");
    const life = start({ spoolDirectory, script: () => 503 });
    const ids = life.record(2);
    life.fs.fault = refuse("ENOSPC", ["append", "openForAppend"], files);
    ids.push(...life.record(3));
    await shutdown(life);
    expect(life.transport.requests[0]?.batch.eventCount).toBe(5);
    expect(life.path.stats()).toMatchObject({ pending: 2, droppedByReason: { shutdown: 3 } });
    expect(isBalanced(life.path)).toBe(true);
    const told = life.lines.filter(({ message }) => message.includes("lost"));
    expect(told.map(({ message }) => message)).toEqual([
      "3 events are lost: 3 shutdown (not delivered when shutdown() ended)",
    ]);

    const next = start({ spoolDirectory });
    await flush(next);
    expect(next.transport.accepted).toEqual(ids.slice(0, 2));
    expect(next.path.stats()).toMatchObject({ recovered: 2, acked: 2, dropped: 0 });
    const batches = next.transport.requests.map(({ batch }) => batch);
    expect(batches.flatMap(({ metadata }) => metadata?.dropped ?? [])).toEqual(reports);
    const { status, writers } = await verifyBatches(batches.map((batch) => ({ batch })));
    expect([status, writers.flatMap(({ doubts }) => doubts)]).toEqual(["verified", []]);
  },
);

it("loses nothing that it could write at the end", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start({ spoolDirectory, script: () => 503 });
  life.fs.fault = diskFull;
  const ids = life.record(7);
  const closing = shutdown(life);
  life.fs.fault = nothingFails;
  await closing;
  expect(life.path.stats()).toMatchObject({ pending: 7, dropped: 0 });
  const next = start({ spoolDirectory });
  await flush(next);
  expect(next.transport.accepted).toEqual(ids);
});

it("goes on when a dead letter can't be kept", async () => {
  const life = start({
    script: ({ batch }) => (batch.events.some(({ eventId }) => eventId === "event-3") ? 422 : 202),
  });
  life.fs.fault = refuse("ENOSPC", ["append"], /dead/);
  life.record(10);
  await flush(life);
  expect(life.path.stats()).toMatchObject({ acked: 9, dead: 1, pending: 0 });
  expect(life.lines.some(({ message }) => message.includes("dead letter"))).toBe(true);
});

it("counts what all writers of the directory have", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const settings = { maxSpoolBytes: 64 * 1024 };
  const first = start({ spoolDirectory, settings, script: () => 503 });
  first.record(100, "x".repeat(300));
  await flush(first, 0);
  const second = start({ spoolDirectory, settings, script: () => 503 });
  await flush(second, 0);
  // Nobody waits for the measuring.
  await vi.waitFor(() => expect(second.path.stats().spool?.bytes).toBeGreaterThan(30_000));
  second.record(100, "x".repeat(300));
  const { spool, droppedByReason } = second.path.stats();
  expect(spool?.bytes).toBeGreaterThan(60_000);
  expect(droppedByReason.spool_full).toBeGreaterThan(20);
});

it("does without what it may not look at", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  mkdirSync(join(spoolDirectory, "strange"), { recursive: true });
  chmodSync(join(spoolDirectory, "strange"), 0);
  const life = start({ spoolDirectory });
  life.record(3);
  await flush(life);
  expect(life.path.stats()).toMatchObject({ acked: 3, state: "idle" });
  await shutdown(life);
});

describe("a spool directory that is removed while it is in use", () => {
  const errorsOf = ({ lines }: Life): string[] =>
    lines.filter(({ level }) => level === "error").map(({ message }) => message);

  it.each(["process", "power"] as const)(
    "is made again with the file that was written to, and nothing is lost (%s)",
    async (durability) => {
      const life = start({ script: () => 503, retryAttempts: 0, settings: { durability } });
      const ids = life.record(30);
      await flush(life, 0);
      rmSync(life.spoolDirectory, { recursive: true });
      ids.push(...life.record(10));
      await life.clock.advance(2000);
      expect(errorsOf(life).filter((line) => line.includes("was removed"))).toHaveLength(1);
      ids.push(...life.record(5));
      await flush(life, 0);
      expect(life.path.stats()).toMatchObject({ pending: 45, dropped: 0, spool: { state: "ok" } });
      // What a process finds that comes behind a kill at this moment.
      const target = join(makeFastDirectory(), "after");
      await crash(life, target, keepWritten);
      const next = start({ spoolDirectory: target });
      await flush(next);
      expect(next.transport.accepted).toEqual(ids);
      expect(next.path.stats()).toMatchObject({ recovered: 45, acked: 45, dropped: 0 });
    },
  );

  it("costs no event while the platform takes them, at whatever moment", async () => {
    const life = start();
    const ids: string[] = [];
    for (let round = 0; round < 20; round++) {
      ids.push(...life.record(7));
      rmSync(life.spoolDirectory, { recursive: true, force: true });
      ids.push(...life.record(5));
      await flush(life);
    }
    expect(life.transport.accepted).toEqual(ids);
    expect(life.path.stats()).toMatchObject({ acked: 240, dropped: 0, pending: 0 });
    await shutdown(life);
    expect(life.fs.openFiles).toBe(0);
  });

  it("costs what was in files that were full, counted once under its reason, and nothing behind that", async () => {
    const life = start({ script: () => 503, settings: { maxSpoolBytes: 64 * 1024 } });
    life.record(80, "x".repeat(300));
    await flush(life, 0);
    rmSync(life.spoolDirectory, { recursive: true });
    await life.clock.advance(2000);
    const later = life.record(20);
    life.transport.script = () => 202;
    await life.clock.advance(120_000);
    await flush(life);
    const { acked, dropped, droppedByReason, pending } = life.path.stats();
    expect(dropped).toBeGreaterThan(20);
    expect(droppedByReason).toEqual({ spool_removed: dropped });
    expect([acked + dropped, pending]).toEqual([100, 0]);
    expect(life.transport.accepted).toEqual(expect.arrayContaining(later));
    expect(isBalanced(life.path)).toBe(true);
    const reports = life.transport.requests.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
    expect(new Set(reports.map(({ reason }) => reason))).toEqual(new Set(["spool_removed"]));
    expect(errorsOf(life).filter((line) => line.includes("was removed"))).toHaveLength(1);
    expect(
      errorsOf(life).filter((line) => line.includes("files of the spool were removed")),
    ).toHaveLength(1);
  });

  it("that can't be made again is told as degraded, and is made as soon as it can be", async () => {
    const life = start({ script: () => 503, retryAttempts: 0 });
    const ids = life.record(10);
    await flush(life, 0);
    rmSync(life.spoolDirectory, { recursive: true });
    life.fs.fault = refuse("EACCES", ["makeDirectory", "openForAppend"]);
    ids.push(...life.record(5));
    await life.clock.advance(5000);
    expect(life.path.stats().spool).toMatchObject({ state: "degraded" });
    life.fs.fault = nothingFails;
    await life.clock.advance(2000);
    expect(life.path.stats().spool).toMatchObject({ state: "ok", eventsInMemory: 0 });
    life.transport.script = () => 202;
    await life.clock.advance(120_000);
    await flush(life);
    expect(life.transport.accepted).toEqual(ids);
  });
});
