import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nodeFileSystem, type FileSystem } from "../../../src/delivery/spool/file-system.ts";
import { FrameReader } from "../../../src/delivery/spool/frame-file.ts";
import {
  createFaultyFileSystem,
  makeFastDirectory,
  refuse,
} from "../../helpers/faulty-file-system.ts";
import { eventFrame, forge, range } from "../../helpers/frames.ts";

interface Read {
  readonly sequences: number[];
  readonly damagedBytes: number;
  readonly newerFrames: number;
}

async function readFile(
  path: string,
  bytes: Buffer,
  fs: FileSystem = nodeFileSystem,
): Promise<Read> {
  writeFileSync(path, bytes);
  const reader = new FrameReader(fs, path);
  const sequences: number[] = [];
  try {
    await reader.read(bytes.length, ({ sequence }) => {
      sequences.push(sequence);
      return true;
    });
    const { damagedBytes, newerFrames } = reader;
    return { sequences, damagedBytes, newerFrames };
  } finally {
    reader.close();
  }
}

/** Damage of any kind: noise, zeros as a power cut leaves them, the beginning of a frame. */
const damage = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1, max: 5000 }).map((length) => Buffer.alloc(length)),
  fc.integer({ min: 1, max: 60 }).map((length) => eventFrame(9).subarray(0, length)),
  fc.constantFrom(Buffer.from("AMSF"), Buffer.from("AMSFAMSF"), Buffer.from("AMS")),
);
const frame = fc.constantFrom("", "x".repeat(300), "AMSF", "x".repeat(300_000));

it("hands out every undamaged frame in order, whatever stands between them", async () => {
  const path = join(makeFastDirectory(), "file");
  const parts = fc.array(
    fc.oneof({ arbitrary: frame, weight: 3 }, { arbitrary: damage, weight: 1 }),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(parts, async (list) => {
      let sequence = 0;
      const pieces = list.map((part) =>
        typeof part === "string" ? eventFrame(++sequence, part) : part,
      );
      const read = await readFile(path, Buffer.concat(pieces));
      expect(read.sequences).toEqual(range(1, sequence));
      const lost = list.reduce(
        (sum, part, index) => (typeof part === "string" ? sum : sum + pieces[index]!.length),
        0,
      );
      expect(read.damagedBytes).toBe(lost);
    }),
    { numRuns: 150 },
  );
});

it("loses the frame that is hit and no other one, for every byte", async () => {
  const path = join(makeFastDirectory(), "file");
  const frames = [1, 2, 3].map((sequence) => eventFrame(sequence));
  const whole = Buffer.concat(frames);
  let offset = 0;
  for (const [hit, { length }] of frames.entries()) {
    for (let index = 0; index < length; index++, offset++) {
      const damaged = Buffer.from(whole);
      damaged[offset] = (damaged[offset] ?? 0) ^ 0xff;
      const { sequences, damagedBytes } = await readFile(path, damaged);
      expect(sequences).toEqual([1, 2, 3].filter((sequence) => sequence !== hit + 1));
      expect(damagedBytes).toBe(length);
    }
  }
});

it("gives the frames that are whole, wherever the file is cut", async () => {
  const path = join(makeFastDirectory(), "file");
  const frames = [1, 2, 3].map((sequence) => eventFrame(sequence));
  const whole = Buffer.concat(frames);
  for (let length = 0; length <= whole.length; length++) {
    const { sequences } = await readFile(path, whole.subarray(0, length));
    let end = 0;
    const expected = frames.flatMap((one, index) =>
      (end += one.length) <= length ? index + 1 : [],
    );
    expect(sequences).toEqual(expected);
  }
});

it("passes over frames of a newer format, and counts them", async () => {
  const path = join(makeFastDirectory(), "file");
  const bytes = Buffer.concat([eventFrame(1), forge(eventFrame(2), 8, 2), eventFrame(3)]);
  expect(await readFile(path, bytes)).toEqual({
    sequences: [1, 3],
    damagedBytes: 0,
    newerFrames: 1,
  });
});

it("makes no room for a length that the file does not have", async () => {
  const path = join(makeFastDirectory(), "file");
  for (const length of [0xffffffff, 64 * 1024 * 1024]) {
    const liar = eventFrame(1);
    liar.writeUInt32LE(length, 12);
    let largest = 0;
    const fs: FileSystem = {
      ...nodeFileSystem,
      read: (fd, into, position) => {
        largest = Math.max(largest, into.length);
        return nodeFileSystem.read(fd, into, position);
      },
    };
    const { sequences } = await readFile(path, Buffer.concat([liar, eventFrame(2)]), fs);
    expect(sequences).toEqual([2]);
    expect(largest).toBeLessThan(1024 * 1024);
  }
});

it("goes on with the frame that was not taken", async () => {
  const path = join(makeFastDirectory(), "file");
  const bytes = Buffer.concat(range(1, 9).map((sequence) => eventFrame(sequence)));
  writeFileSync(path, bytes);
  const reader = new FrameReader(nodeFileSystem, path);
  const taken: number[] = [];
  for (let most = 1; most <= 9; most++) {
    await reader.read(bytes.length, ({ sequence }) => {
      if (sequence > most) return false;
      taken.push(sequence);
      return true;
    });
  }
  reader.close();
  expect(taken).toEqual(range(1, 9));
});

it("does not look behind what it is told is the end", async () => {
  const path = join(makeFastDirectory(), "file");
  const one = eventFrame(1);
  writeFileSync(path, Buffer.concat([one, eventFrame(2)]));
  const reader = new FrameReader(nodeFileSystem, path);
  const taken: number[] = [];
  const take = ({ sequence }: { sequence: number }): boolean => taken.push(sequence) > 0;
  await reader.read(one.length, take);
  expect(taken).toEqual([1]);
  await reader.read(one.length + eventFrame(2).length, take);
  expect(taken).toEqual([1, 2]);
  expect(reader.damagedBytes).toBe(0);
  reader.close();
});

it("reads on when the disk gives less than was asked for", async () => {
  const path = join(makeFastDirectory(), "file");
  const fs = createFaultyFileSystem();
  fs.fault = refuse("short", ["read"]);
  const bytes = Buffer.concat(
    range(1, 20).map((sequence) => eventFrame(sequence, "x".repeat(500))),
  );
  const { sequences, damagedBytes } = await readFile(path, bytes, fs);
  expect(sequences).toEqual(range(1, 20));
  expect(damagedBytes).toBe(0);
});

it("takes nothing for damage when a read fails", async () => {
  const path = join(makeFastDirectory(), "file");
  const fs = createFaultyFileSystem();
  const bytes = Buffer.concat([eventFrame(1), eventFrame(2)]);
  writeFileSync(path, bytes);
  const reader = new FrameReader(fs, path);
  const taken: number[] = [];
  const take = ({ sequence }: { sequence: number }): boolean => taken.push(sequence) > 0;
  fs.fault = refuse("EIO", ["read"]);
  await expect(reader.read(bytes.length, take)).rejects.toMatchObject({ code: "EIO" });
  fs.fault = () => undefined;
  await reader.read(bytes.length, take);
  expect(taken).toEqual([1, 2]);
  expect(reader.damagedBytes).toBe(0);
  reader.close();
});
