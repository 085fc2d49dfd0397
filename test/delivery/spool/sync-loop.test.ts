import { expect, it } from "vitest";
import { SyncLoop } from "../../../src/delivery/spool/sync-loop.ts";
import { createFakeClock } from "../../helpers/clock.ts";

/** A disk that syncs when it is told to. */
function createDisk(): {
  sync: () => Promise<void>;
  finish: () => void;
  started: number;
  running: number;
} {
  const waiting: (() => void)[] = [];
  const disk = {
    started: 0,
    running: 0,
    sync: async () => {
      disk.started++;
      disk.running++;
      await new Promise<void>((resolve) => waiting.push(resolve));
      disk.running--;
    },
    finish: () => waiting.shift()?.(),
  };
  return disk;
}

it("syncs soon after a write, once for many", async () => {
  const clock = createFakeClock();
  const disk = createDisk();
  const loop = new SyncLoop(clock, disk.sync);
  for (let write = 0; write < 10; write++) loop.noteWrite();
  expect(disk.started).toBe(0);
  await clock.advance(5);
  expect(disk.started).toBe(1);
  disk.finish();
  await clock.advance(100);
  expect(disk.started).toBe(1);
});

it("runs one at a time, and another one for what was written meanwhile", async () => {
  const clock = createFakeClock();
  const disk = createDisk();
  const loop = new SyncLoop(clock, disk.sync);
  loop.noteWrite();
  await clock.advance(5);
  loop.noteWrite();
  await clock.advance(100);
  expect([disk.started, disk.running]).toEqual([1, 1]);
  disk.finish();
  await clock.advance(5);
  expect(disk.started).toBe(2);
});

it("gives a barrier that began after it was asked for", async () => {
  const clock = createFakeClock();
  const disk = createDisk();
  const loop = new SyncLoop(clock, disk.sync);
  loop.noteWrite();
  await clock.advance(5);
  loop.noteWrite();
  let isSafe = false;
  const barrier = loop.barrier().then(() => (isSafe = true));
  disk.finish();
  await clock.advance(0);
  expect([disk.started, isSafe]).toEqual([2, false]);
  disk.finish();
  await barrier;
  expect(disk.started).toBe(2);
});

it("does nothing when nothing was written, and nothing after it was closed", async () => {
  const clock = createFakeClock();
  const disk = createDisk();
  const loop = new SyncLoop(clock, disk.sync);
  await loop.barrier();
  expect(disk.started).toBe(0);
  loop.noteWrite();
  loop.close();
  await clock.advance(1000);
  expect(disk.started).toBe(0);
});

it("schedules nothing more for what was written before it was closed, while a sync was under way", async () => {
  const clock = createFakeClock();
  const disk = createDisk();
  const loop = new SyncLoop(clock, disk.sync);
  loop.noteWrite();
  await clock.advance(5);
  loop.noteWrite();
  loop.close();
  disk.finish();
  await clock.advance(1000);
  expect([disk.started, clock.pending]).toEqual([1, 0]);
});
