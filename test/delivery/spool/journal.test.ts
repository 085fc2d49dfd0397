import { createSecretKey, type KeyObject } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyRecord,
  createOutboxState,
  type OutboxState,
} from "../../../src/delivery/outbox-state.ts";
import {
  createFrameCipher,
  encodeFrame,
  FRAME_HEADER_BYTES,
  FRAME_TYPES,
} from "../../../src/delivery/spool/frame.ts";
import { readJournal, SpoolJournal } from "../../../src/delivery/spool/journal.ts";
import {
  createFaultyFileSystem,
  keepSynced,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../../helpers/faulty-file-system.ts";
import { createPlan, recordAll, steps, unsettledOf } from "../../helpers/outbox-model.ts";
import { newId } from "../../helpers/spool.ts";

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));

function createJournal({
  isPowerSafe = false,
  spoolKey,
}: { isPowerSafe?: boolean; spoolKey?: KeyObject } = {}) {
  const directory = makeFastDirectory();
  const fs = createFaultyFileSystem();
  const state = createOutboxState();
  const failures: unknown[] = [];
  const cipherWith = (given: KeyObject | undefined) => (name: string) =>
    given ? createFrameCipher(given, name) : undefined;
  const options = { directory, fs, cipherOf: cipherWith(spoolKey) };
  const open = () =>
    new SpoolJournal({
      ...options,
      state,
      isPowerSafe,
      maxSpoolBytes: 1024 * 1024 * 1024,
      onFailure: (error) => failures.push((error as { code: string }).code),
    });
  const journal = open();
  const write = (...records: Parameters<SpoolJournal["write"]>[0][]): void => {
    for (const record of records) {
      journal.write(record);
      applyRecord(state, record);
    }
  };
  const read = (path = directory, given = spoolKey) =>
    readJournal({ directory: path, fs: createFaultyFileSystem(), cipherOf: cipherWith(given) });
  return { directory, fs, state, failures, journal, open, write, read };
}

const plain = (state: OutboxState): unknown => JSON.parse(JSON.stringify(state));
const settle = (batch: number, first: number, last = first) =>
  ({ type: "settle", batch, first, last, dropped: [] }) as const;

it.each([undefined, key])("reads the state that its records lead to (key %#)", async (spoolKey) => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { write, read, state, journal, directory } = createJournal(
        spoolKey ? { spoolKey } : {},
      );
      write(...recordAll(list).records);
      expect(await read()).toEqual({ kind: "state", state: plain(state) });
      journal.close();
      rmSync(directory, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

it("says when it is encrypted with another key, or was begun by nobody", async () => {
  const { read, write, journal, directory } = createJournal({ spoolKey: key });
  write({ type: "plan", plan: createPlan(1, 1, 2) });
  expect(await read(directory, otherKey)).toEqual({ kind: "locked" });
  expect(
    await readJournal({ directory, fs: createFaultyFileSystem(), cipherOf: () => undefined }),
  ).toEqual({
    kind: "locked",
  });
  const [name = ""] = readdirSync(directory);
  expect(readFileSync(join(directory, name)).includes("batch-1")).toBe(false);
  journal.close();
  const empty = makeFastDirectory();
  expect(await read(empty)).toEqual({ kind: "none" });
  writeFileSync(join(empty, "0000000000000001.journal"), "");
  writeFileSync(join(empty, "notes.journal"), "");
  expect(await read(empty)).toEqual({ kind: "none" });
});

describe("a new file", () => {
  it("begins with the state, before the old one is removed", async () => {
    const { write, read, state, journal, directory } = createJournal();
    for (let batch = 1; batch <= 3000; batch++)
      write({ type: "plan", plan: createPlan(batch, batch, batch) }, settle(batch, batch));
    expect(readdirSync(directory)).toHaveLength(1);
    expect(readdirSync(directory)).not.toContain("0000000000000001.journal");
    expect(journal.bytes).toBeLessThan(300 * 1024);
    expect(await read()).toEqual({ kind: "state", state: plain(state) });
    journal.close();
  });

  it("is made by whoever takes over", async () => {
    const { write, read, state, journal, open, directory } = createJournal();
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    journal.close();
    const second = open();
    expect(readdirSync(directory)).toEqual(["0000000000000002.journal"]);
    second.write(settle(1, 1, 5));
    applyRecord(state, settle(1, 1, 5));
    expect(await read()).toEqual({ kind: "state", state: plain(state) });
    second.close();
  });

  it("stays behind an older one until it is safe, where power may be cut", async () => {
    const { write, read, state, journal, open, directory, fs } = createJournal({
      isPowerSafe: true,
    });
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    await journal.sync();
    journal.close();
    const second = open();
    expect(readdirSync(directory)).toHaveLength(2);
    const target = join(makeFastDirectory(), "image");
    fs.imageAfterCrash(directory, target, keepSynced);
    expect(await read(target)).toEqual({ kind: "state", state: plain(state) });
    await second.sync();
    expect(readdirSync(directory)).toEqual(["0000000000000002.journal"]);
    second.close();
  });
});

describe("sync", () => {
  it("makes safe what was written, once", async () => {
    const { write, read, state, journal, directory, fs } = createJournal({ isPowerSafe: true });
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    await journal.sync();
    const syncs = fs.counts.sync;
    await journal.sync();
    expect(fs.counts.sync).toBe(syncs);
    const target = join(makeFastDirectory(), "image");
    fs.imageAfterCrash(directory, target, keepSynced);
    expect(await read(target)).toEqual({ kind: "state", state: plain(state) });
    journal.close();
  });

  it("does nothing where power is not feared", async () => {
    const { write, journal, fs } = createJournal();
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    await journal.sync();
    expect(fs.counts.sync).toBeUndefined();
    journal.close();
  });

  it("begins another file after it has failed, and removes the old one when that is safe", async () => {
    const { write, read, state, journal, directory, fs, failures } = createJournal({
      isPowerSafe: true,
    });
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    fs.fault = refuse("EIO", ["sync"]);
    await journal.sync();
    expect(failures).toEqual(["EIO"]);
    fs.fault = nothingFails;
    write(settle(1, 1, 5));
    expect(readdirSync(directory)).toHaveLength(2);
    await journal.sync();
    expect(readdirSync(directory)).toHaveLength(1);
    const target = join(makeFastDirectory(), "image");
    fs.imageAfterCrash(directory, target, keepSynced);
    expect(await read(target)).toEqual({ kind: "state", state: plain(state) });
    journal.close();
  });
});

describe("a disk that refuses writes", () => {
  it.each(["ENOSPC", "short"])(
    "costs no state that is known before or after (%s)",
    async (code) => {
      const { write, read, state, journal, directory, fs, failures } = createJournal();
      write({ type: "plan", plan: createPlan(1, 1, 5) });
      const before = plain(state);
      fs.fault = refuse(code, ["append"]);
      for (let batch = 2; batch <= 20; batch++)
        write({ type: "plan", plan: createPlan(batch, 5 * batch - 4, 5 * batch) });
      expect(failures).toHaveLength(19);
      expect(readdirSync(directory)).toHaveLength(1);
      expect(await read()).toEqual({ kind: "state", state: before });
      fs.fault = nothingFails;
      write(settle(1, 1, 5));
      expect(await read()).toEqual({ kind: "state", state: plain(state) });
      expect(readdirSync(directory)).toHaveLength(1);
      journal.close();
      expect(fs.openFiles).toBe(0);
    },
  );

  it("does not take the old file away while there is no new one", async () => {
    const { write, read, state, journal, fs } = createJournal({ isPowerSafe: true });
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    await journal.sync();
    const before = plain(state);
    fs.fault = refuse("ENOSPC", ["append", "openForAppend"]);
    write({ type: "plan", plan: createPlan(2, 6, 10) });
    await journal.sync();
    expect(await read()).toEqual({ kind: "state", state: before });
    journal.close();
  });

  it("keeps nobody from beginning", async () => {
    const { fs, open, failures, read, state } = createJournal();
    fs.fault = refuse("ENOSPC", ["openForAppend"]);
    const journal = open();
    expect(failures).toEqual(["ENOSPC"]);
    fs.fault = nothingFails;
    const record = { type: "plan", plan: createPlan(1, 1, 5) } as const;
    journal.write(record);
    applyRecord(state, record);
    expect(await read()).toEqual({ kind: "state", state: plain(state) });
    journal.close();
  });

  it("is not in the way when an old file can't be removed", async () => {
    const { fs, open, read, state, directory } = createJournal();
    fs.fault = refuse("EACCES", ["remove"]);
    const journal = open();
    expect(readdirSync(directory)).toHaveLength(2);
    expect(await read()).toEqual({ kind: "state", state: plain(state) });
    journal.close();
  });
});

describe("damage", () => {
  /** Where the frames of a file begin. */
  function offsetsOf(bytes: Buffer): number[] {
    const offsets: number[] = [];
    for (let at = 0; at < bytes.length; at += FRAME_HEADER_BYTES + bytes.readUInt32LE(at + 12))
      offsets.push(at);
    return offsets;
  }

  it("of any one record loses no event: all that is not settled is in a batch, a hole or not planned", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (list, choice) => {
        const { records, state: whole } = recordAll(list);
        const { write, read, journal, directory } = createJournal();
        write(...records);
        journal.close();
        const [name = ""] = readdirSync(directory);
        const path = join(directory, name);
        const bytes = readFileSync(path);
        const offsets = offsetsOf(bytes);
        const hit = choice % offsets.length;
        const at = offsets[hit]! + FRAME_HEADER_BYTES;
        bytes[at] = (bytes[at] ?? 0) ^ 0xff;
        writeFileSync(path, bytes);
        const found = await read();
        // The first record is the state from which the others go on.
        if (hit === 0) {
          expect(found).toEqual({ kind: "none" });
          return;
        }
        if (found.kind !== "state") throw new Error("expected a state");
        const kept = new Set(unsettledOf(found.state));
        const isKept = (sequence: number): boolean =>
          kept.has(sequence) || sequence >= found.state.next;
        expect(unsettledOf(whole).filter((sequence) => !isKept(sequence))).toEqual([]);
        rmSync(directory, { recursive: true });
      }),
      { numRuns: 200 },
    );
  });

  it("of the newest file's beginning leads back to the one before", async () => {
    const { write, read, state, journal, directory } = createJournal();
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    journal.close();
    for (const garbage of ["", "AMSF", "x".repeat(100)]) {
      writeFileSync(join(directory, "0000000000000007.journal"), garbage);
      expect(await read()).toEqual({ kind: "state", state: plain(state) });
    }
  });

  it("at the end is passed over, and so is what is no record of a journal", async () => {
    const { write, read, state, journal, directory } = createJournal();
    write({ type: "plan", plan: createPlan(1, 1, 5) });
    journal.close();
    const [name = ""] = readdirSync(directory);
    const head = { type: FRAME_TYPES.event, sequence: 9, timestamp: 0, isEncrypted: false };
    appendFileSync(join(directory, name), encodeFrame(Buffer.from("{}"), head));
    appendFileSync(join(directory, name), "AMSF torn");
    expect(await read()).toEqual({ kind: "state", state: plain(state) });
  });
});

it("throws when a file can't be read: another look may help", async () => {
  const { write, journal, directory } = createJournal();
  write({ type: "plan", plan: createPlan(1, 1, 5) });
  journal.close();
  const fs = createFaultyFileSystem();
  fs.fault = refuse("EIO", ["read"]);
  const options = { directory, fs, cipherOf: () => undefined };
  await expect(readJournal(options)).rejects.toMatchObject({ code: "EIO" });
  expect(fs.openFiles).toBe(0);
});

it("encrypts equal records of two writers differently, and reads them wherever they are moved to", async () => {
  const root = makeFastDirectory();
  const cipherOf = (name: string) => createFrameCipher(key, name);
  const fs = createFaultyFileSystem();
  const [one, other] = [newId(), newId()].map((writerId) => {
    const directory = join(root, writerId);
    mkdirSync(directory);
    const options = { directory, fs, cipherOf, isPowerSafe: false, maxSpoolBytes: 1e9 };
    const onFailure = () => undefined;
    const journal = new SpoolJournal({ ...options, state: createOutboxState(), onFailure });
    journal.write({ type: "plan", plan: createPlan(1, 1, 5) });
    journal.close();
    const [name = ""] = readdirSync(directory);
    return { directory, bytes: readFileSync(join(directory, name)) };
  });
  const payloadOf = ({ bytes }: { bytes: Buffer }) =>
    bytes.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + 32).toString("hex");
  expect(payloadOf(one!)).not.toBe(payloadOf(other!));
  // As when it is adopted.
  const moved = `${one!.directory}.by-${newId()}`;
  renameSync(one!.directory, moved);
  expect(await readJournal({ directory: moved, fs, cipherOf })).toMatchObject({ kind: "state" });
});

it("does not write a long state again at every record", () => {
  const { write, journal, open, directory } = createJournal();
  for (let batch = 1; batch <= 2000; batch++)
    write({ type: "plan", plan: createPlan(batch, batch, batch) });
  journal.close();
  const second = open();
  expect(second.bytes).toBeGreaterThan(256 * 1024);
  const [before] = readdirSync(directory);
  for (let count = 0; count < 50; count++) second.write({ type: "report", reports: [] });
  expect(readdirSync(directory)).toEqual([before]);
  second.close();
});

it("keeps the last file that is safe when another one is begun during a sync", async () => {
  const { write, read, journal, directory, fs } = createJournal({ isPowerSafe: true });
  write({ type: "plan", plan: createPlan(1, 1, 5) });
  await journal.sync();
  write({ type: "plan", plan: createPlan(2, 6, 10) });
  const sync = fs.sync.bind(fs);
  fs.sync = async (fd) => {
    await sync(fd);
    fs.fault = refuse("ENOSPC", ["append"]);
    write({ type: "plan", plan: createPlan(3, 11, 15) });
    fs.fault = nothingFails;
    write({ type: "plan", plan: createPlan(4, 16, 20) });
  };
  await journal.sync();
  fs.sync = sync;
  const target = join(makeFastDirectory(), "image");
  fs.imageAfterCrash(directory, target, keepSynced);
  const found = await read(target);
  if (found.kind !== "state") throw new Error("expected a state");
  expect(found.state.open.map(({ batchId }) => batchId)).toEqual(["batch-1", "batch-2"]);
  await journal.sync();
  expect(readdirSync(directory)).toEqual(["0000000000000002.journal"]);
  journal.close();
});
