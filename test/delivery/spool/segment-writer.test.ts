import { createSecretKey } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { StoredEvent } from "../../../src/delivery/event-store.ts";
import { SpoolBudget } from "../../../src/delivery/spool/spool-context.ts";
import { createFrameCipher } from "../../../src/delivery/spool/frame.ts";
import { SegmentSet } from "../../../src/delivery/spool/segment-set.ts";
import { SegmentWriter } from "../../../src/delivery/spool/segment-writer.ts";
import { createPendingEvent } from "../../helpers/exporter.ts";
import {
  createFaultyFileSystem,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../../helpers/faulty-file-system.ts";
import { range, sequencesOf } from "../../helpers/frames.ts";

const WRITER = "018bcfe5-7b88-7156-aea0-70d085219b3b";
const ALL = { maxCount: Infinity, maxBytes: Infinity };

function createWriter({ maxSegmentBytes = 1024, isPowerSafe = false, isEncrypted = false } = {}) {
  const directory = makeFastDirectory();
  const fs = createFaultyFileSystem();
  const key = createSecretKey(Buffer.alloc(32, 1));
  const parts = {
    directory,
    fs,
    cipherOf: (name: string) => (isEncrypted ? createFrameCipher(key, name) : undefined),
  };
  const budget = new SpoolBudget(Infinity);
  const segments = new SegmentSet({ ...parts, budget, onDamage: () => undefined });
  const options = { ...parts, writerId: WRITER, segments, maxSegmentBytes, isPowerSafe };
  return { directory, fs, budget, segments, writer: new SegmentWriter(options) };
}

const files = (directory: string): string[] => readdirSync(directory).toSorted();

it.each([false, true])(
  "writes what is read again, of any size (encrypted: %s)",
  async (isEncrypted) => {
    const paddings = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("x".repeat(70_000), "é".repeat(50_000)),
      ),
      { minLength: 1, maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(paddings, async (list) => {
        const { writer, segments } = createWriter({ isEncrypted });
        const events = list.map((padding, index) => createPendingEvent(index, padding));
        for (const [index, event] of events.entries()) writer.append(event, index + 1);
        const read = await segments.read({ first: 1, last: events.length, ...ALL });
        expect(read.events.map(({ json }) => json.toString())).toEqual(
          events.map(
            ({ json }, index) =>
              `${json.slice(0, -1)},"writerId":"${WRITER}","sequence":${index + 1}}`,
          ),
        );
        expect(read.events.map(({ timestamp }) => timestamp)).toEqual(
          events.map(({ timestamp }) => timestamp),
        );
        writer.close();
        segments.close();
      }),
      { numRuns: 10 },
    );
  },
);

it("writes nothing that is readable when there is a key", () => {
  const { writer, directory } = createWriter({ isEncrypted: true });
  writer.append(createPendingEvent(1, "4111 1111 1111 1111"), 1);
  const [name = ""] = files(directory);
  expect(readFileSync(join(directory, name)).includes("4111")).toBe(false);
  writer.close();
});

it("needs no more room than it says, and hardly less", () => {
  const { writer, budget } = createWriter();
  for (const sequence of [1, 12, 12_345_678]) {
    const event = createPendingEvent(sequence, "x");
    const before = budget.own;
    writer.append(event, sequence);
    const taken = budget.own - before;
    const announced = writer.toFrameBytes(event);
    expect(taken).toBeLessThanOrEqual(announced);
    expect(taken).toBeGreaterThan(announced - 20);
  }
  writer.close();
});

it("makes one system call for an event, and another file when one is long enough", () => {
  const { writer, fs, directory, segments } = createWriter({ maxSegmentBytes: 1024 });
  for (const sequence of range(1, 20)) writer.append(createPendingEvent(sequence), sequence);
  expect(fs.counts.append).toBe(20);
  expect(files(directory).length).toBeGreaterThan(3);
  expect(files(directory)).toEqual(segments.segments.map(({ name }) => name));
  for (const { path, bytes, first } of segments.segments) {
    expect(statSync(path).size).toBe(bytes);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first).toBeGreaterThan(0);
  }
  expect(writer.activeSegment).toBe(segments.segments.at(-1));
  writer.close();
  expect(fs.openFiles).toBe(0);
});

it.each(["ENOSPC", "short"])(
  "throws when the disk refuses a write (%s), and goes on with a new file",
  async (code) => {
    const { writer, fs, segments, directory } = createWriter({ maxSegmentBytes: 1024 * 1024 });
    writer.append(createPendingEvent(1), 1);
    fs.fault = refuse(code, ["append"]);
    expect(() => writer.append(createPendingEvent(2), 2)).toThrow(
      expect.objectContaining({ code: "ENOSPC" }) as Error,
    );
    writer.rotate();
    fs.fault = nothingFails;
    writer.append(createPendingEvent(2), 2);
    expect(files(directory)).toHaveLength(2);
    const { events } = await segments.read({ first: 1, last: 2, ...ALL });
    expect(sequencesOf(events)).toEqual([1, 2]);
    writer.close();
    segments.close();
  },
);

it("leaves no empty files behind, however often the disk refuses", () => {
  const { writer, fs, directory, segments } = createWriter();
  fs.fault = refuse("ENOSPC", ["append"]);
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(() => writer.append(createPendingEvent(1), 1)).toThrow("ENOSPC");
    writer.rotate();
  }
  expect(files(directory)).toEqual([]);
  expect(segments.segments).toEqual([]);
  expect(fs.openFiles).toBe(0);
});

it("gives the files to sync, and closes them when that is done and nobody writes to them", () => {
  const { writer, fs } = createWriter({ maxSegmentBytes: 1024, isPowerSafe: true });
  for (const sequence of range(1, 10)) writer.append(createPendingEvent(sequence), sequence);
  const unsynced = writer.takeUnsynced();
  expect(unsynced.length).toBeGreaterThan(1);
  expect(writer.takeUnsynced()).toEqual([]);
  expect(fs.openFiles).toBe(unsynced.length);
  for (const file of unsynced) writer.release(file);
  expect(fs.openFiles).toBe(1);
  writer.append(createPendingEvent(11), 11);
  writer.rotate();
  expect(fs.openFiles).toBe(1);
  for (const file of writer.takeUnsynced()) writer.release(file);
  expect(fs.openFiles).toBe(0);
});

async function* toIterable(events: readonly StoredEvent[]): AsyncGenerator<StoredEvent> {
  await Promise.resolve();
  yield* events;
}

it("writes events again into a file of their own, whole and synced", async () => {
  const { writer, segments, fs, directory } = createWriter({ isPowerSafe: true });
  for (const sequence of range(1, 5)) writer.append(createPendingEvent(sequence), sequence);
  writer.rotate();
  const before = segments.segments.length;
  const { events } = await segments.read({ first: 3, last: 5, ...ALL });
  await writer.writeApart(3, toIterable(events));
  expect(segments.segments).toHaveLength(before + 1);
  const target = join(makeFastDirectory(), "image");
  fs.imageAfterCrash(directory, target, (synced) => synced);
  // Of the others, their names are safe, and nothing else.
  const left = files(target).filter((name) => statSync(join(target, name)).size > 0);
  expect(left).toHaveLength(1);
  const all = await segments.read({ first: 1, last: 5, ...ALL });
  expect(sequencesOf(all.events)).toEqual(range(1, 5));
  writer.close();
  segments.close();
});

it.each([
  ["append", "ENOSPC"],
  ["sync", "EIO"],
] as const)("writes all of them again or none (%s fails)", async (operation, code) => {
  const { writer, segments, fs, directory } = createWriter({ isPowerSafe: true });
  for (const sequence of range(1, 5)) writer.append(createPendingEvent(sequence), sequence);
  writer.rotate();
  const before = files(directory);
  const { events } = await segments.read({ first: 3, last: 5, ...ALL });
  let appends = 0;
  fs.fault = (tried) => (tried === operation && ++appends >= 1 ? code : undefined);
  if (operation === "append")
    fs.fault = (tried) => (tried === "append" && ++appends > 2 ? code : undefined);
  await expect(writer.writeApart(3, toIterable(events))).rejects.toMatchObject({ code });
  fs.fault = nothingFails;
  expect(files(directory)).toEqual(before);
  const all = await segments.read({ first: 4, last: 5, ...ALL });
  expect(sequencesOf(all.events)).toEqual([4, 5]);
  writer.close();
  segments.close();
});

it("closes no file whose sync is under way: its number may be another file's by then", () => {
  const { writer, fs } = createWriter({ isPowerSafe: true });
  writer.append(createPendingEvent(1), 1);
  const syncing = writer.takeUnsynced();
  writer.rotate();
  expect(fs.openFiles).toBe(1);
  writer.close();
  expect(fs.openFiles).toBe(1);
  for (const file of syncing) writer.release(file);
  expect(fs.openFiles).toBe(0);
});
