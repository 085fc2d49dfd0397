import { createSecretKey, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  listDeadLetters,
  readDeadLetter,
  removeDeadLetter,
  writeDeadLetter,
  type DeadLetterOptions,
} from "../../../src/delivery/spool/dead-letters.ts";
import { createFrameCipher } from "../../../src/delivery/spool/frame.ts";
import { DEAD_LETTER_DIRECTORY } from "../../../src/delivery/spool/writers.ts";
import {
  createFaultyFileSystem,
  keepSynced,
  makeFastDirectory,
  refuse,
  type FaultyFileSystem,
} from "../../helpers/faulty-file-system.ts";
import { eventFrame, eventJson } from "../../helpers/frames.ts";

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const NOW = 1_700_000_000_000;

function createOptions(spoolKey?: KeyObject): DeadLetterOptions & { fs: FaultyFileSystem } {
  return {
    spoolDirectory: makeFastDirectory(),
    fs: createFaultyFileSystem(),
    cipherOf: (name) => (spoolKey ? createFrameCipher(spoolKey, name) : undefined),
  };
}

function letterOf(deadAt: number) {
  return { organizationId: "bank", writerId: "writer", reason: "status 422", deadAt };
}

function eventOf(sequence: number) {
  const json = eventJson(sequence, "4111 1111");
  return { sequence, timestamp: NOW, json: Buffer.from(json), bytes: json.length };
}

it.each([undefined, key])(
  "keeps each in a file of its own, as it was sent (key %#)",
  async (spoolKey) => {
    const options = createOptions(spoolKey);
    for (const sequence of [1, 2, 3])
      await writeDeadLetter(options, letterOf(NOW + sequence), eventOf(sequence));
    const names = listDeadLetters(options);
    expect(names).toHaveLength(3);
    for (const [index, name] of names.entries()) {
      expect(await readDeadLetter(options, name)).toEqual({
        kind: "letter",
        letter: {
          ...letterOf(NOW + index + 1),
          event: { eventId: `event-${index + 1}`, padding: "4111 1111", sequence: index + 1 },
        },
        isEncrypted: spoolKey !== undefined,
      });
      const path = join(options.spoolDirectory, DEAD_LETTER_DIRECTORY, name);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path).includes("4111")).toBe(spoolKey === undefined);
    }
    expect(statSync(join(options.spoolDirectory, DEAD_LETTER_DIRECTORY)).mode & 0o777).toBe(0o700);
    removeDeadLetter(options, names[1] ?? "");
    expect(listDeadLetters(options)).toEqual([names[0], names[2]]);
    expect(options.fs.openFiles).toBe(0);
  },
);

it("says when a letter is encrypted with another key", async () => {
  const options = createOptions(key);
  await writeDeadLetter(options, letterOf(NOW), eventOf(1));
  const [name = ""] = listDeadLetters(options);
  for (const given of [undefined, otherKey]) {
    const cipherOf = (file: string) => (given ? createFrameCipher(given, file) : undefined);
    expect(await readDeadLetter({ ...options, cipherOf }, name)).toEqual({ kind: "locked" });
  }
});

it("says when a file is damaged, or holds something else", async () => {
  const options = createOptions();
  await writeDeadLetter(options, letterOf(NOW), eventOf(1));
  const [name = ""] = listDeadLetters(options);
  const path = join(options.spoolDirectory, DEAD_LETTER_DIRECTORY, name);
  const whole = readFileSync(path);
  for (const bytes of [
    Buffer.alloc(0),
    whole.subarray(0, -1),
    eventFrame(1),
    Buffer.from("noise"),
  ]) {
    writeFileSync(path, bytes);
    expect(await readDeadLetter(options, name)).toEqual({ kind: "damaged" });
  }
  expect(options.fs.openFiles).toBe(0);
});

it("lists what has the name of a letter only", async () => {
  const options = createOptions();
  expect(() => listDeadLetters(options)).toThrow("ENOENT");
  await writeDeadLetter(options, letterOf(NOW), eventOf(1));
  const directory = join(options.spoolDirectory, DEAD_LETTER_DIRECTORY);
  writeFileSync(join(directory, "notes.txt"), "");
  expect(listDeadLetters(options)).toHaveLength(1);
  expect(readdirSync(directory)).toHaveLength(2);
});

it("is safe from power cuts when it has to be", async () => {
  const options = { ...createOptions(), isPowerSafe: true };
  await writeDeadLetter(options, letterOf(NOW), eventOf(1));
  const target = join(makeFastDirectory(), "image");
  options.fs.imageAfterCrash(options.spoolDirectory, target, keepSynced);
  const image = { ...options, spoolDirectory: target };
  const [name = ""] = listDeadLetters(image);
  expect(await readDeadLetter(image, name)).toMatchObject({ kind: "letter" });
});

it.each([
  ["append", "ENOSPC"],
  ["openForAppend", "EACCES"],
  ["makeDirectory", "EROFS"],
] as const)("throws when it can't be kept (%s)", async (operation, code) => {
  const options = createOptions();
  options.fs.fault = refuse(code, [operation]);
  await expect(writeDeadLetter(options, letterOf(NOW), eventOf(1))).rejects.toMatchObject({ code });
  expect(options.fs.openFiles).toBe(0);
});
