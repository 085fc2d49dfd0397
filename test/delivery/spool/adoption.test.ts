import { createSecretKey } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import { FRAME_HEADER_BYTES } from "../../../src/delivery/spool/frame.ts";
import { isBalanced } from "../../helpers/exporter.ts";
import {
  createFaultyFileSystem,
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
import { writeSegment } from "../../helpers/frames.ts";
import { makeWriter, newId } from "../../helpers/spool.ts";

const spoolKey = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));

function start(options: Partial<LifeOptions> = {}): Life {
  return startLife({
    spoolDirectory: join(makeFastDirectory(), "spool"),
    batchSize: 10,
    ...options,
  });
}

/** Leaves the spool of a process that was killed while the platform was away. */
async function leave(
  count: number,
  options: Partial<LifeOptions> = {},
): Promise<{ spoolDirectory: string; ids: string[]; life: Life }> {
  const root = makeFastDirectory();
  const life = start({ spoolDirectory: join(root, "0"), script: () => 503, ...options });
  const ids = life.record(count);
  await flush(life, 0);
  const spoolDirectory = join(root, "1");
  await crash(life, spoolDirectory, keepWritten);
  return { spoolDirectory, ids, life };
}

it.each([undefined, spoolKey])(
  "delivers what a process that was killed has left, as the same batches (key %#)",
  async (key) => {
    const settings = key ? { spoolKey: key } : {};
    const before = await leave(35, { settings });
    const life = start({ spoolDirectory: before.spoolDirectory, settings });
    await flush(life);
    expect(life.transport.accepted).toEqual(before.ids);
    expect(life.path.stats()).toMatchObject({
      recovered: 35,
      acked: 35,
      pending: 0,
      state: "idle",
    });
    const [first] = life.transport.requests;
    const [sentBefore] = before.life.transport.requests;
    expect(first?.text).toBe(sentBefore?.text);
    const chains = life.transport.requests.map(({ batch }) => batch.metadata?.chain);
    expect(chains.map((chain) => chain?.sequence)).toEqual([1, 2, 3, 4]);
    await shutdown(life);
    expect(leftovers(before.spoolDirectory)).toEqual([]);
    expect(life.fs.openFiles).toBe(0);
  },
);

it("goes on where a process was killed that had taken over itself", async () => {
  let { spoolDirectory } = await leave(30);
  const root = makeFastDirectory();
  for (let life = 0; life < 3; life++) {
    const next = start({ spoolDirectory, script: (_request, index) => (index === 0 ? 202 : 503) });
    next.record(5);
    await flush(next, 20_000);
    expect(next.path.stats().recovered).toBeGreaterThan(0);
    spoolDirectory = join(root, String(life));
    await crash(next, spoolDirectory, keepWritten);
  }
  const last = start({ spoolDirectory });
  await flush(last);
  expect(last.path.stats()).toMatchObject({ pending: 0, dropped: 0, state: "idle" });
  await shutdown(last);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("leaves another organization's events, and those of another key, to whom they belong", async () => {
  const { spoolDirectory } = await leave(5, { settings: { spoolKey } });
  for (const options of [
    { organizationId: "other" },
    { settings: { spoolKey: otherKey } },
    { settings: {} },
  ]) {
    const life = start({ spoolDirectory, ...options });
    await flush(life);
    await life.clock.advance(120_000);
    expect(life.path.stats()).toMatchObject({ recovered: 0, acked: 0 });
    expect(life.lines.filter(({ message }) => message.includes("left alone"))).toHaveLength(1);
    await shutdown(life);
  }
  const owner = start({ spoolDirectory, settings: { spoolKey } });
  await flush(owner);
  expect(owner.path.stats()).toMatchObject({ recovered: 5, acked: 5 });
});

it("takes nothing from a monitor that lives, in the same process or not", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const first = start({ spoolDirectory, script: () => 503 });
  first.record(10);
  await flush(first, 0);
  const second = start({ spoolDirectory });
  second.record(3);
  await flush(second);
  await second.clock.advance(120_000);
  expect(second.path.stats()).toMatchObject({ recovered: 0, acked: 3 });
  await shutdown(second);
  first.transport.script = () => 202;
  await first.clock.advance(120_000);
  await flush(first);
  expect(first.path.stats()).toMatchObject({ acked: 10, pending: 0 });
  await shutdown(first);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("takes over, from time to time, what others leave while it lives", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const first = start({ spoolDirectory });
  await flush(first);
  const second = start({ spoolDirectory, script: () => 503 });
  second.record(10);
  await shutdown(second);
  await vi.waitFor(async () => {
    await first.clock.advance(30_000);
    expect(first.path.stats()).toMatchObject({ recovered: 10, acked: 10 });
  });
  await shutdown(first);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it.each(["read", "openForRead", "list"] as const)(
  "tries again what can't be read now (%s)",
  async (operation) => {
    const { spoolDirectory, ids } = await leave(10);
    const life = start({ spoolDirectory });
    life.fs.fault = refuse("EIO", [operation], /[0-9a-f]{12}(\.by-|\/|$)/);
    const own = life.record(5);
    await flush(life);
    await life.clock.advance(60_000);
    expect(life.transport.accepted).toEqual(
      expect.arrayContaining(operation === "list" ? own : []),
    );
    life.fs.fault = nothingFails;
    await vi.waitFor(async () => {
      await life.clock.advance(60_000);
      expect(life.path.stats()).toMatchObject({ recovered: 10, acked: 15, pending: 0, dropped: 0 });
    });
    expect(life.transport.accepted).toEqual(expect.arrayContaining(ids));
    await shutdown(life);
    expect(leftovers(spoolDirectory)).toEqual([]);
  },
);

it("removes what a process has left that never came to write", async () => {
  const { spoolDirectory } = await leave(0);
  const life = start({ spoolDirectory });
  await flush(life);
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("touches nothing that is not its own, and tells of it once", async () => {
  const { spoolDirectory } = await leave(3);
  writeFileSync(join(spoolDirectory, "notes.txt"), "hello");
  mkdirSync(join(spoolDirectory, "backup"));
  const [writer = ""] = readdirSync(spoolDirectory).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  writeFileSync(join(spoolDirectory, writer, "mine.txt"), "hello");
  const life = start({ spoolDirectory });
  await flush(life);
  await life.clock.advance(120_000);
  expect(life.path.stats()).toMatchObject({ acked: 3 });
  await shutdown(life);
  const left = readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.endsWith(".txt"))).toHaveLength(2);
  expect(left).toContain("backup");
  expect(life.lines.filter(({ message }) => message.includes("not ours"))).toHaveLength(1);
});

it("sends everything again when all journals are lost, and loses nothing", async () => {
  const { spoolDirectory, ids } = await leave(25);
  const fs = createFaultyFileSystem();
  const [writer = ""] = readdirSync(spoolDirectory).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  for (const name of readdirSync(join(spoolDirectory, writer)))
    if (name.endsWith(".journal")) writeFileSync(join(spoolDirectory, writer, name), "damaged");
  const life = start({ spoolDirectory, fs });
  await flush(life);
  expect(life.transport.accepted).toEqual(ids);
  expect(isBalanced(life.path)).toBe(true);
});

it("looks no more after it was closed", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start({ spoolDirectory });
  await shutdown(life);
  mkdirSync(join(spoolDirectory, newId()));
  await life.clock.advance(300_000);
  expect(readdirSync(spoolDirectory)).toHaveLength(1);
});

it("counts what is lost with a file that somebody removed, and reports it with what comes behind", async () => {
  const root = makeFastDirectory();
  const life = start({
    spoolDirectory: join(root, "0"),
    script: () => 503,
    settings: { maxSpoolBytes: 64 * 1024 },
  });
  life.record(60, "x".repeat(300));
  const spoolDirectory = join(root, "1");
  await crash(life, spoolDirectory, keepWritten);
  const names = readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" });
  const segments = names.filter((name) => name.endsWith(".seg")).toSorted();
  expect(segments.length).toBeGreaterThan(2);
  rmSync(join(spoolDirectory, segments[1] ?? ""));
  const next = start({ spoolDirectory });
  await flush(next);
  const { acked, dropped, pending } = next.path.stats();
  expect(acked + dropped).toBe(60);
  expect([dropped > 5, pending]).toEqual([true, 0]);
  const reports = next.transport.requests.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
  expect(reports).toMatchObject([{ reason: "corrupt", count: dropped }]);
  const { writers } = await verifyBatches(next.transport.requests.map(({ batch }) => ({ batch })));
  expect(writers.map(({ status, breakCount }) => [status, breakCount])).toEqual([["verified", 0]]);
});

it("sends planned batches as they were when the beginning of their only journal is damaged", async () => {
  const { spoolDirectory, ids, life: before } = await leave(25);
  const names = readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" });
  const path = join(spoolDirectory, names.find((name) => name.endsWith(".journal")) ?? "");
  const bytes = readFileSync(path);
  bytes[FRAME_HEADER_BYTES] = (bytes[FRAME_HEADER_BYTES] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
  const life = start({ spoolDirectory });
  await flush(life);
  expect(life.transport.requests[0]?.text).toBe(before.transport.requests[0]?.text);
  expect(life.transport.accepted).toEqual(ids);
});

it("adopts the others when the journal of one can't be read", async () => {
  const { spoolDirectory } = await leave(10);
  const other = await leave(5);
  // The older one is looked at first.
  const [older = ""] = readdirSync(spoolDirectory).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  cpSync(other.spoolDirectory, spoolDirectory, { recursive: true });
  const life = start({ spoolDirectory });
  life.fs.fault = refuse("EIO", ["openForRead"], new RegExp(`${older}.*journal$`));
  await flush(life);
  expect(life.path.stats()).toMatchObject({ recovered: 5, acked: 5 });
  life.fs.fault = nothingFails;
  await vi.waitFor(async () => {
    await life.clock.advance(30_000);
    expect(life.path.stats()).toMatchObject({ recovered: 15, acked: 15, dropped: 0 });
  });
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("adopts nothing once it is shut down, even in the middle of a look", async () => {
  const { spoolDirectory, ids } = await leave(10);
  const life = start({ spoolDirectory });
  const read = life.fs.read.bind(life.fs);
  let closing: Promise<void> | undefined;
  life.fs.read = async (...args) => {
    // Only who has claimed it reads a directory by this name.
    const isClaimed = readdirSync(spoolDirectory).some((name) => name.includes(".by-"));
    if (isClaimed) await (closing ??= life.path.shutdown(0));
    return read(...args);
  };
  await vi.waitFor(async () => {
    await life.clock.advance(0);
    expect(closing).toBeDefined();
  });
  await closing;
  // The bytes are measured in the background.
  const { spool: _bytes, ...stats } = life.path.stats();
  expect(stats).toMatchObject({ recovered: 0, pending: 0, state: "closed" });
  await life.clock.advance(300_000);
  expect(life.path.stats()).toMatchObject(stats);
  await vi.waitFor(() => expect(life.fs.openFiles).toBe(0));
  const next = start({ spoolDirectory });
  await flush(next);
  expect(next.transport.accepted).toEqual(ids);
});

it("removes a directory whose last events are taken when the time of a shutdown is over", async () => {
  const { spoolDirectory, ids } = await leave(5);
  const life = start({ spoolDirectory });
  const send = life.transport.send.bind(life.transport);
  life.transport.send = async (request, signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return send(request, new AbortController().signal);
  };
  await shutdown(life);
  expect(life.transport.accepted).toEqual(ids);
  expect(life.path.stats()).toMatchObject({ recovered: 5, acked: 5, pending: 0 });
  expect(leftovers(spoolDirectory)).toEqual([]);
});

/** What so many processes have left that were killed, an event each. */
function leaveWriters(count: number): string {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  mkdirSync(spoolDirectory, { mode: 0o700 });
  for (let writer = 0; writer < count; writer++)
    writeSegment(makeWriter(spoolDirectory).path, 1, [1]);
  return spoolDirectory;
}

it("covers every dead writer with one flush, however many there are, with a bounded number of files open", async () => {
  const spoolDirectory = leaveWriters(150);
  let openFiles = 0;
  const life = start({ spoolDirectory });
  life.transport.script = () => {
    openFiles = Math.max(openFiles, life.fs.openFiles);
    return 202;
  };
  await flush(life);
  expect(life.path.stats()).toMatchObject({ recovered: 150, acked: 150, pending: 0 });
  expect(openFiles).toBeLessThan(2 * 64 + 4);
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("counts the events of every dead writer as pending while the platform is away", async () => {
  const life = start({ spoolDirectory: leaveWriters(150), script: () => 503 });
  life.record(3);
  await flush(life);
  expect(life.path.stats()).toMatchObject({ recovered: 150, pending: 153, state: "open" });
  expect(isBalanced(life.path)).toBe(true);
});

it.each([
  ["shuts down", shutdown],
  ["flushes and shuts down", async (life: Life) => (await flush(life), shutdown(life))],
])(
  "tells with the only batch of a process that %s what others had not told",
  async (_name, end) => {
    const spoolDirectory = join(makeFastDirectory(), "spool");
    const rejected = [{ index: 0, code: "invalid_event" }];
    const ack = { batchId: "batch", status: "partial", accepted: 0, duplicates: 0, rejected };
    const script: LifeOptions["script"] = ({ batch }) =>
      batch.events.length === 1 ? { status: 400 } : { status: 202, body: JSON.stringify(ack) };
    const before = start({ spoolDirectory, script });
    before.record(2);
    await shutdown(before);
    expect(before.path.stats()).toMatchObject({ acked: 1, dead: 1, pending: 0 });
    const [writerId] = before.transport.requests.map(
      ({ batch }) => batch.metadata?.chain?.writerId,
    );

    const life = start({ spoolDirectory });
    life.record(1);
    await end(life);
    const reports = life.transport.requests.map(({ batch }) => batch.metadata?.dropped);
    expect(reports).toMatchObject([[{ writerId, reason: "dead", count: 1 }]]);
    expect(leftovers(spoolDirectory)).toEqual([]);
  },
);

it("covers with a flush what was left since it last looked", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const first = start({ spoolDirectory });
  await flush(first);
  const second = start({ spoolDirectory, script: () => 503 });
  second.record(10);
  await shutdown(second);
  await flush(first);
  expect(first.path.stats()).toMatchObject({ recovered: 10, acked: 10, pending: 0 });
});

it("has a bounded number of directories open, and delivers all of them in the end", async () => {
  const spoolDirectory = leaveWriters(70);
  const life = start({ spoolDirectory, script: () => 503 });
  await flush(life, 0);
  for (let look = 0; look < 3; look++) {
    await vi.waitFor(() => expect(life.path.stats().recovered).toBe(70), { timeout: 10_000 });
    expect(life.fs.openFiles).toBeLessThan(2 * 64 + 4);
    await life.clock.advance(30_000);
  }
  life.transport.script = () => 202;
  await vi.waitFor(
    async () => {
      await life.clock.advance(60_000);
      expect(life.path.stats()).toMatchObject({ recovered: 70, acked: 70, pending: 0 });
    },
    { timeout: 10_000 },
  );
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
  expect(life.fs.openFiles).toBe(0);
});
