import { createSecretKey } from "node:crypto";
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nodeFileSystem, type FileSystem } from "../../../src/delivery/spool/file-system.ts";
import { toUniqueName } from "../../../src/delivery/spool/frame-file.ts";
import { createFrameCipher } from "../../../src/delivery/spool/frame.ts";
import {
  parseSegmentName,
  SegmentSet,
  type SegmentSetOptions,
} from "../../../src/delivery/spool/segment-set.ts";
import { SpoolBudget } from "../../../src/delivery/spool/spool-context.ts";
import {
  createFaultyFileSystem,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../../helpers/faulty-file-system.ts";
import { eventFrame, eventJson, range, sequencesOf, writeSegment } from "../../helpers/frames.ts";

const ALL = { maxCount: Infinity, maxBytes: Infinity };

interface Loaded {
  readonly segments: SegmentSet;
  readonly budget: SpoolBudget;
  readonly damage: [fileName: string, bytes: number][];
}

function load(directory: string, options: Partial<SegmentSetOptions> = {}): Loaded {
  const budget = new SpoolBudget(Infinity);
  const damage: [string, number][] = [];
  const segments = new SegmentSet({
    directory,
    fs: nodeFileSystem,
    cipherOf: () => undefined,
    budget,
    onDamage: (fileName, bytes) => damage.push([fileName, bytes]),
    ...options,
  });
  segments.load();
  return { segments, budget, damage };
}

it("names files by their first sequence, and never twice alike", () => {
  const name = toUniqueName(42, "seg");
  expect(name).toMatch(/^0000000000000042-[0-9a-f]{32}\.seg$/);
  expect(parseSegmentName(name)).toBe(42);
  expect(toUniqueName(42, "seg")).not.toBe(name);
  for (const other of ["0000000000000001.journal", "42-00000000.seg", `${name}.tmp`, "writer.json"])
    expect(parseSegmentName(other)).toBeUndefined();
});

it("reads everything in order, in pieces of any size", async () => {
  const directory = makeFastDirectory();
  for (const first of [1, 11, 21, 31]) writeSegment(directory, first, range(first, first + 9));
  const size = eventFrame(1).length;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 15 }),
      fc.integer({ min: 1, max: 12 * size }),
      fc.integer({ min: 1, max: 40 }),
      async (maxCount, maxBytes, last) => {
        const { segments } = load(directory);
        const sequences: number[] = [];
        for (let first = 1; first <= last;) {
          const { events, end } = await segments.read({ first, last, maxCount, maxBytes });
          expect(events.length).toBeGreaterThan(0);
          expect(events.length).toBeLessThanOrEqual(maxCount);
          const bytes = events.reduce((sum, event) => sum + event.json.length, 0);
          expect(bytes <= maxBytes || events.length === 1).toBe(true);
          expect(end).toBe(events.at(-1)?.sequence);
          sequences.push(...sequencesOf(events));
          first = end + 1;
        }
        expect(sequences).toEqual(range(1, last));
        segments.close();
      },
    ),
  );
});

it("gives an event with its bytes, its place and its time", async () => {
  const directory = makeFastDirectory();
  writeSegment(directory, 1, [1]);
  const { events } = await load(directory).segments.read({ first: 1, last: 1, ...ALL });
  expect(events).toEqual([
    {
      sequence: 1,
      timestamp: 1_700_000_000_001,
      json: Buffer.from(eventJson(1)),
    },
  ]);
});

it("goes on where the last read has ended, without reading the file again", async () => {
  const directory = makeFastDirectory();
  writeSegment(directory, 1, range(1, 100));
  const fs = createFaultyFileSystem();
  const { segments } = load(directory, { fs });
  for (const first of range(1, 100)) await segments.read({ first, last: first, ...ALL });
  expect(fs.counts.openForRead).toBe(1);
  expect(fs.counts.read).toBe(1);
  // What was passed needs the file from its beginning.
  const { events } = await segments.read({ first: 5, last: 6, ...ALL });
  expect(sequencesOf(events)).toEqual([5, 6]);
  expect(fs.counts.openForRead).toBe(2);
  segments.close();
  expect(fs.openFiles).toBe(0);
});

it("says how far it has looked when events are missing", async () => {
  const directory = makeFastDirectory();
  writeSegment(directory, 1, [1, 2, 5, 6]);
  writeSegment(directory, 11, [11, 12]);
  const { segments } = load(directory);
  const { events, end } = await segments.read({ first: 1, last: 12, ...ALL });
  expect(sequencesOf(events)).toEqual([1, 2, 5, 6, 11, 12]);
  expect(end).toBe(12);
  expect(await segments.read({ first: 3, last: 4, ...ALL })).toEqual({ events: [], end: 4 });
  expect(await segments.read({ first: 7, last: 10, ...ALL })).toEqual({ events: [], end: 10 });
  expect(await segments.read({ first: 13, last: 20, ...ALL })).toEqual({ events: [], end: 20 });
  segments.close();
});

it("finds every event that any file has, each once, however often it was written", async () => {
  // Files begin anew when a disk refuses writes or syncs: several may begin alike, and hold the same events.
  const file = fc.record({
    first: fc.integer({ min: 1, max: 20 }),
    length: fc.nat(6),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 6 }), fc.nat(4), async (files, step) => {
      const directory = makeFastDirectory();
      const firsts = files.map(({ first }) => first);
      const kept = new Set<number>();
      for (const [index, { first, length }] of files.entries()) {
        // No file reaches into one that begins later: that is how they are written.
        const next = Math.min(...firsts.filter((other) => other > first));
        const sequences = range(first, Math.min(first + length - 1, next - 1));
        for (const sequence of sequences) kept.add(sequence);
        writeSegment(directory, first, sequences, index.toString(16).padStart(8, "0"));
      }
      const { segments } = load(directory);
      const found: number[] = [];
      for (let first = 1; first <= 30;) {
        const bounds = { last: 30, maxCount: step + 1, maxBytes: Infinity };
        const { events, end } = await segments.read({ first, ...bounds });
        found.push(...sequencesOf(events));
        first = end + 1;
      }
      expect(found).toEqual([...kept].toSorted((a, b) => a - b));
      const newest = Math.max(...kept);
      if (kept.size > 0) expect(await segments.findNewest()).toBe(newest);
      segments.close();
      rmSync(directory, { recursive: true });
    }),
    { numRuns: 150 },
  );
});

it("keeps what was written again as long as it is needed, whatever becomes of the old file", async () => {
  const directory = makeFastDirectory();
  writeSegment(directory, 1, range(1, 5));
  writeSegment(directory, 6, range(6, 10), "00000001");
  writeSegment(directory, 6, range(6, 7), "00000002");
  writeSegment(directory, 11, range(11, 12));
  const { segments } = load(directory);
  segments.forget(8);
  expect(readdirSync(directory)).toHaveLength(3);
  const { events } = await segments.read({ first: 9, last: 12, ...ALL });
  expect(sequencesOf(events)).toEqual([9, 10, 11, 12]);
  segments.forget(10);
  expect(readdirSync(directory)).toHaveLength(1);
  segments.close();
});

it("finds the newest event, also behind files that hold none", async () => {
  const directory = makeFastDirectory();
  expect(await load(directory).segments.findNewest()).toBe(0);
  writeSegment(directory, 8, []);
  expect(await load(directory).segments.findNewest()).toBe(7);
  writeSegment(directory, 1, [1, 2, 3]);
  expect(await load(directory).segments.findNewest()).toBe(3);
  writeSegment(directory, 9, [9, 10], "00000001");
  expect(await load(directory).segments.findNewest()).toBe(10);
});

it("removes files of which every event is forgotten, but for the one that is kept", () => {
  const directory = makeFastDirectory();
  for (const first of [1, 11, 21]) writeSegment(directory, first, range(first, first + 9));
  const { segments, budget } = load(directory);
  const whole = budget.own;
  expect(segments.bytes).toBe(whole);
  segments.forget(9);
  expect(segments.segments).toHaveLength(3);
  segments.forget(10);
  expect(segments.segments.map(({ first }) => first)).toEqual([11, 21]);
  expect(budget.own).toBeLessThan(whole);
  segments.forget(20, segments.segments[0]);
  expect(readdirSync(directory)).toHaveLength(2);
  // Nobody knows what the newest file will hold.
  segments.forget(1000);
  expect(readdirSync(directory)).toHaveLength(1);
  segments.clear();
  expect(readdirSync(directory)).toEqual([]);
  expect([segments.bytes, budget.own]).toEqual([0, 0]);
});

it("gives back its bytes when it is closed: the files are somebody else's", () => {
  const directory = makeFastDirectory();
  writeSegment(directory, 1, [1, 2]);
  const { segments, budget } = load(directory);
  expect(budget.own).toBeGreaterThan(0);
  segments.close();
  expect(budget.own).toBe(0);
});

it("goes on when a file can't be removed", () => {
  const directory = makeFastDirectory();
  for (const first of [1, 11]) writeSegment(directory, first, [first]);
  const fs = createFaultyFileSystem();
  const { segments } = load(directory, { fs });
  fs.fault = refuse("EACCES", ["remove"]);
  segments.forget(10);
  expect(segments.segments.map(({ first }) => first)).toEqual([11]);
});

it("tells of damage once", async () => {
  const directory = makeFastDirectory();
  const name = writeSegment(directory, 1, [1, 2]);
  appendFileSync(join(directory, name), Buffer.from("noise"));
  appendFileSync(join(directory, name), eventFrame(3));
  const { segments, damage } = load(directory);
  for (const first of [1, 2, 3]) await segments.read({ first, last: 3, maxCount: 1, maxBytes: 1 });
  expect(damage).toEqual([[name, 5]]);
  segments.close();
});

it("takes what can't be opened for lost", async () => {
  const directory = makeFastDirectory();
  const name = toUniqueName(1, "seg");
  const [key, otherKey] = [1, 2].map((byte) => createSecretKey(Buffer.alloc(32, byte)));
  const cipher = createFrameCipher(key!, name);
  const sealed = range(1, 3).map((sequence) => eventFrame(sequence, "", cipher));
  writeFileSync(join(directory, name), Buffer.concat(sealed));
  const readWith = async (spoolKey: typeof key): Promise<number[]> => {
    const cipherOf = (file: string) => (spoolKey ? createFrameCipher(spoolKey, file) : undefined);
    const { segments } = load(directory, { cipherOf });
    const { events } = await segments.read({ first: 1, last: 3, ...ALL });
    segments.close();
    return sequencesOf(events);
  };
  expect(await readWith(key)).toEqual([1, 2, 3]);
  expect(await readWith(otherKey)).toEqual([]);
  expect(await readWith(undefined)).toEqual([]);
});

it("takes a file that is gone for lost, and any other fault for one that may pass", async () => {
  const directory = makeFastDirectory();
  const gone = writeSegment(directory, 1, [1, 2]);
  writeSegment(directory, 11, [11, 12]);
  const fs = createFaultyFileSystem();
  const { segments } = load(directory, { fs });
  fs.fault = refuse("EMFILE", ["openForRead"]);
  await expect(segments.read({ first: 1, last: 12, ...ALL })).rejects.toMatchObject({
    code: "EMFILE",
  });
  fs.fault = refuse("EIO", ["read"]);
  await expect(segments.read({ first: 1, last: 12, ...ALL })).rejects.toMatchObject({
    code: "EIO",
  });
  fs.fault = nothingFails;
  rmSync(join(directory, gone));
  segments.close();
  const { events } = await segments.read({ first: 1, last: 12, ...ALL });
  expect(sequencesOf(events)).toEqual([11, 12]);
  segments.close();
});

it("lets reads that come at one time take turns", async () => {
  const directory = makeFastDirectory();
  for (const first of [1, 101]) writeSegment(directory, first, range(first, first + 99));
  // Reads and opens files as the disk does, one turn of the loop or more later.
  const fs: FileSystem = {
    ...nodeFileSystem,
    read: async (fd, into, position) => {
      await new Promise((resolve) => setImmediate(resolve));
      return nodeFileSystem.read(fd, into, position);
    },
  };
  const { segments } = load(directory, { fs });
  const reads = [1, 150, 30, 199, 101].map((first) => segments.read({ first, last: 200, ...ALL }));
  for (const [index, { events }] of (await Promise.all(reads)).entries())
    expect(sequencesOf(events)).toEqual(range([1, 150, 30, 199, 101][index]!, 200));
  expect(await segments.findNewest()).toBe(200);
  segments.close();
});
