import { createSecretKey } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { FrameReader } from "../../../src/delivery/spool/frame-file.ts";
import type { KeptTask } from "../../../src/delivery/spool/task-directory.ts";
import { TaskLog, type TaskLogOptions } from "../../../src/delivery/spool/task-log.ts";
import { listWriters } from "../../../src/delivery/spool/writers.ts";
import { createBurstLogger } from "../../../src/util/logger.ts";
import { createFakeClock, type FakeClock } from "../../helpers/clock.ts";
import {
  createFaultyFileSystem,
  diskFull,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  refuse,
  type FaultyFileSystem,
} from "../../helpers/faulty-file-system.ts";

const spoolKey = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));

interface LogSetUp {
  readonly log: TaskLog;
  readonly fs: FaultyFileSystem;
  readonly clock: FakeClock;
  readonly spoolDirectory: string;
  readonly lines: string[];
}

function open(options: Partial<TaskLogOptions> = {}): LogSetUp {
  const clock = createFakeClock();
  const fs = createFaultyFileSystem();
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const spoolDirectory = options.spoolDirectory ?? join(makeFastDirectory(), "spool");
  const log = new TaskLog({
    spoolDirectory,
    maxSpoolBytes: 2 ** 30,
    organizationId: "bank",
    clock,
    log: createBurstLogger({ debug: write, info: write, warn: write, error: write }, clock),
    fs,
    ...options,
  });
  onTestFinished(() => log.close());
  return { log, fs, clock, spoolDirectory, lines };
}

const toTask = (number: number, parts = ["a"], text = "x"): KeptTask => ({
  id: `task-${number}`,
  parts,
  json: JSON.stringify({ number, text }),
});

/** The spool directory as a process that is killed now would leave it. */
function crash({ fs, spoolDirectory }: LogSetUp): string {
  const target = join(makeFastDirectory(), "spool");
  if (existsSync(spoolDirectory)) fs.imageAfterCrash(spoolDirectory, target, keepWritten);
  return target;
}

const listFiles = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, encoding: "utf8" })
        .map((name) => join(directory, name))
        .filter((path) => statSync(path).isFile())
    : [];

const taskFiles = (directory: string): string[] =>
  listFiles(directory).filter((path) => path.endsWith(".tasks.seg"));

describe.each([undefined, spoolKey])("TaskLog (key %#)", (key) => {
  const settings = key ? { spoolKey: key } : {};

  it("gives what a process that was killed has left, with the parts that were open", async () => {
    const before = open(settings);
    for (let number = 0; number < 3; number++) before.log.add(toTask(number, ["a", "b"]));
    before.log.finish("task-0", "a");
    before.log.finish("task-1", "a");
    before.log.finish("task-1", "b");
    const { log, spoolDirectory } = open({ ...settings, spoolDirectory: crash(before) });
    expect(await log.recover(100)).toEqual([toTask(0, ["b"]), toTask(2, ["a", "b"])]);
    expect(await log.recover(100)).toEqual([]);
    for (const [id, part] of [
      ["task-0", "b"],
      ["task-2", "a"],
      ["task-2", "b"],
    ] as const)
      log.finish(id, part);
    log.close();
    expect(listFiles(spoolDirectory)).toEqual([]);
  });

  it("knows after a second crash what was done after the first", async () => {
    const before = open(settings);
    for (let number = 0; number < 3; number++) before.log.add(toTask(number));
    const middle = open({ ...settings, spoolDirectory: crash(before) });
    await middle.log.recover(100);
    middle.log.finish("task-1", "a");
    middle.log.add(toTask(7));
    const { log } = open({ ...settings, spoolDirectory: crash(middle) });
    const left = await log.recover(100);
    expect(left.map(({ id }) => id).toSorted()).toEqual(["task-0", "task-2", "task-7"]);
  });

  it("passes over what was being written", async () => {
    const before = open(settings);
    for (let number = 0; number < 3; number++) before.log.add(toTask(number));
    const spoolDirectory = crash(before);
    const [file = ""] = taskFiles(spoolDirectory);
    truncateSync(file, statSync(file).size - 7);
    const { log } = open({ ...settings, spoolDirectory });
    expect(await log.recover(100)).toEqual([toTask(0), toTask(1)]);
  });

  it("loses no more than what is damaged", async () => {
    const before = open(settings);
    before.log.add(toTask(0));
    const spoolDirectory = crash(before);
    const [file = ""] = taskFiles(spoolDirectory);
    appendFileSync(file, "AMSF and no frame at all, whatever it looks like");
    appendFileSync(file, readFileSync(file).subarray(0, 40));
    const { log } = open({ ...settings, spoolDirectory });
    expect(await log.recover(100)).toEqual([toTask(0)]);
  });

  it("has no text on the disk in the clear when there is a key", () => {
    const { log, spoolDirectory } = open(settings);
    log.add(toTask(1, ["a"], "a customer's words"));
    const [file = ""] = taskFiles(spoolDirectory);
    expect(readFileSync(file).includes("a customer's words")).toBe(key === undefined);
  });

  it("removes what is done while it goes on", () => {
    const { log, spoolDirectory } = open(settings);
    const text = "x".repeat(100_000);
    const size = (): number =>
      taskFiles(spoolDirectory).reduce((sum, one) => sum + statSync(one).size, 0);
    for (let number = 0; number < 200; number++) {
      log.add(toTask(number, ["a"], text));
      if (number >= 10) log.finish(`task-${number - 10}`, "a");
      expect(size()).toBeLessThan(10 * 2 ** 20);
    }
    for (let number = 190; number < 200; number++) log.finish(`task-${number}`, "a");
    expect(taskFiles(spoolDirectory)).toEqual([]);
  });
});

it("remembers of what it has taken over what is done, however much that is", async () => {
  const before = open();
  for (let number = 0; number < 1500; number++) before.log.add(toTask(number, ["a", "b", "c"]));
  const middle = open({ spoolDirectory: crash(before) });
  await middle.log.recover(2000);
  for (let number = 0; number < 1499; number++)
    for (const part of ["a", "b", "c"]) middle.log.finish(`task-${number}`, part);
  const { log } = open({ spoolDirectory: crash(middle) });
  expect(await log.recover(2000)).toEqual([toTask(1499, ["a", "b", "c"])]);
});

it("seals nothing twice under one number, also when the disk has refused some of it", async () => {
  const { log, fs, spoolDirectory } = open({ spoolKey });
  for (let number = 0; number < 9; number++) {
    fs.fault = number % 3 === 1 ? refuse("short", ["append"]) : nothingFails;
    log.add(toTask(number));
    log.finish(`task-${number}`, "a");
  }
  const [path = ""] = taskFiles(spoolDirectory);
  const sequences: number[] = [];
  const reader = new FrameReader(fs, path);
  await reader.read(statSync(path).size, ({ sequence }) => sequences.push(sequence) > 0);
  reader.close();
  expect(sequences).toHaveLength(12);
  expect(new Set(sequences).size).toBe(12);
});

it("takes nothing from a process that lives, and everything once from one that has ended, whoever asks", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const living = open({ spoolDirectory });
  const ended = open({ spoolDirectory });
  living.log.add(toTask(0));
  for (let number = 1; number <= 500; number++) ended.log.add(toTask(number));
  const others = Array.from({ length: 4 }, () => open({ spoolDirectory }).log);
  expect((await Promise.all(others.map((log) => log.recover(1000)))).flat()).toEqual([]);
  ended.log.close();
  const found = (await Promise.all(others.map((log) => log.recover(1000)))).flat();
  const ids = found.map(({ id }) => id);
  expect(ids).toHaveLength(500);
  expect(new Set(ids).size).toBe(500);
  expect(ids).not.toContain("task-0");
});

it("takes over as many directories as are wanted", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  for (let number = 0; number < 3; number++) {
    const { log } = open({ spoolDirectory });
    log.add(toTask(number));
    log.close();
  }
  const { log } = open({ spoolDirectory });
  expect(await log.recover(2)).toHaveLength(2);
  expect(await log.recover(2)).toHaveLength(1);
});

it("leaves alone what is of another organization or has another key", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const ended = open({ spoolDirectory, spoolKey });
  ended.log.add(toTask(1));
  ended.log.close();
  expect(await open({ spoolDirectory, organizationId: "other", spoolKey }).log.recover(9)).toEqual(
    [],
  );
  const locked = open({ spoolDirectory, spoolKey: otherKey });
  expect(await locked.log.recover(9)).toEqual([]);
  expect(locked.lines).toEqual([expect.stringContaining("encrypted with another key")]);
  expect(await open({ spoolDirectory, spoolKey }).log.recover(9)).toEqual([toTask(1)]);
});

it("gives up what nobody can read when it has been too old for an hour", async () => {
  const day = 24 * 3_600_000;
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const ended = open({ spoolDirectory, spoolKey });
  ended.log.add(toTask(1));
  ended.log.close();
  const { log, clock, lines } = open({ spoolDirectory, spoolKey: otherKey, maxSpoolAge: day });
  clock.jump(Date.now() - clock.now() + day / 2);
  await log.recover(9);
  await clock.advance(day / 24);
  await log.recover(9);
  clock.jump(day);
  await log.recover(9);
  expect(taskFiles(spoolDirectory)).toHaveLength(1);
  await clock.advance(day / 24);
  expect(await log.recover(9)).toEqual([]);
  expect(taskFiles(spoolDirectory)).toEqual([]);
  expect(lines.at(-1)).toMatch(/nobody can read are older than maxSpoolAge/);
});

it("keeps no more than it may", async () => {
  const { log, lines, spoolDirectory } = open({ maxSpoolBytes: 80_000 });
  const kept = Array.from({ length: 20 }, (_, number) =>
    log.add(toTask(number, ["a"], "x".repeat(1000))),
  );
  expect(kept.filter(Boolean)).toHaveLength(9);
  expect(kept.at(-1)).toBe(false);
  // Small ones say nothing of the content.
  expect(lines).toEqual([expect.stringMatching(/^spool: tasks can't be kept/)]);
  expect(taskFiles(spoolDirectory).reduce((sum, one) => sum + statSync(one).size, 0)).toBeLessThan(
    10_000,
  );
});

it("costs nothing but the keeping when the disk refuses", async () => {
  const { log, fs, clock, lines } = open();
  fs.fault = diskFull;
  expect(log.add(toTask(1))).toBe(false);
  fs.fault = nothingFails;
  await clock.advance(1000);
  expect(log.add(toTask(2))).toBe(true);
  fs.fault = refuse("EIO", ["append", "openForAppend", "close", "list", "remove", "truncate"]);
  expect(log.add(toTask(3))).toBe(false);
  log.finish("task-2", "a");
  expect(await log.recover(10)).toEqual([]);
  log.close();
  expect(log.add(toTask(4))).toBe(false);
  expect(lines.filter((line) => !line.includes("more of this kind"))).toHaveLength(1);
});

it("goes on in a new directory when somebody has removed its own", async () => {
  const { log, spoolDirectory } = open();
  log.add(toTask(1));
  rmSync(spoolDirectory, { recursive: true });
  expect(await log.recover(10)).toEqual([]);
  expect(log.add(toTask(2))).toBe(true);
  log.finish("task-1", "a");
  log.close();
  expect(await open({ spoolDirectory }).log.recover(10)).toEqual([toTask(2)]);
});

it("leaves nothing of a process that had nothing left to do, and makes nothing before it has", async () => {
  const { log, spoolDirectory } = open();
  expect(await log.recover(10)).toEqual([]);
  expect(existsSync(spoolDirectory)).toBe(false);
  log.add(toTask(1));
  expect(listFiles(spoolDirectory)).not.toEqual([]);
  log.finish("task-1", "a");
  log.close();
  expect(listFiles(spoolDirectory)).toEqual([]);
  expect(listWriters(spoolDirectory)).toMatchObject({ foreignCount: 0 });
});

it("has at any moment on the disk what is open, whatever was done and however often it was killed", async () => {
  const command = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("add" as const),
        parts: fc.integer({ min: 1, max: 3 }),
        length: fc.constantFrom(10, 200_000),
      }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("finish" as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("kill" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const) }) },
  );
  const life = fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
    let now = open();
    let number = 0;
    const model = new Set<string>();
    for (const one of commands) {
      if (one.kind === "add") {
        const task = toTask(number++, ["a", "b", "c"].slice(0, one.parts), "x".repeat(one.length));
        expect(now.log.add(task)).toBe(true);
        for (const part of task.parts) model.add(`${task.id} ${part}`);
      } else if (one.kind === "finish") {
        const [id = "", part = ""] = ([...model][one.pick % Math.max(1, model.size)] ?? "").split(
          " ",
        );
        now.log.finish(id, part);
        model.delete(`${id} ${part}`);
      } else {
        if (one.kind === "close") now.log.close();
        const { spoolDirectory } = now;
        now = open({ spoolDirectory: one.kind === "kill" ? crash(now) : spoolDirectory });
        const left = await now.log.recover(1000);
        const open_ = left.flatMap(({ id, parts }) => parts.map((part) => `${id} ${part}`));
        expect(open_.toSorted()).toEqual([...model].toSorted());
      }
    }
  });
  await fc.assert(life, { numRuns: 40 });
}, 60_000);
