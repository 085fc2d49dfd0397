import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { LifePlan } from "../fixtures/faults/life.ts";
import { makeDirectory, recover, startLife, type Child } from "./support/child.ts";
import { mountDisk, type MountedDisk } from "./support/mounted-disk.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";
import {
  expectBalanced,
  expectEmptySpool,
  expectIntact,
  expectNothingLost,
} from "./support/verdict.ts";

const COUNT = 500;
const PADDING = 2000;
/** Less than all events together have. */
const FULL_KIBIBYTES = 256;

function toPlan({ url: endpoint }: Receiver, spoolDirectory: string): LifePlan {
  const monitor = {
    endpoint,
    spoolDirectory,
    batchSize: 50,
    flushInterval: 100,
    retryAttempts: 0,
    retryDelay: 20,
    enableLogging: false,
  };
  return { name: "life", monitor, count: COUNT, padding: PADDING, end: "stay" };
}

async function shutDown(child: Child): Promise<void> {
  child.kill("SIGUSR2");
  expect(await child.ended).toMatchObject({ code: 0, stderr: "" });
}

it("goes on in memory when a file may not grow, and loses nothing while the process lives", async () => {
  const receiver = await startReceiver();
  await receiver.stop();
  const directory = makeDirectory();
  const child = startLife(toPlan(receiver, directory), { shell: `ulimit -f ${FULL_KIBIBYTES}` });
  await child.reported("tracked");
  const [tracked] = child.reports("tracked") as Child["stats"][];
  expectBalanced(tracked);
  expect(tracked).toMatchObject({ tracked: COUNT, dropped: 0, spool: { state: "degraded" } });
  expect(tracked?.spool?.faults).toBeGreaterThan(0);
  expect(tracked?.spool?.eventsInMemory).toBeGreaterThan(0);

  await receiver.restart();
  await until("everything is delivered", () => receiver.ids.length === COUNT);
  await shutDown(child);
  await expectNothingLost(receiver, [child], child);
  expectEmptySpool(directory);
});

it("counts what does not fit into memory either, and delivers the rest", async () => {
  const receiver = await startReceiver();
  await receiver.stop();
  const plan = toPlan(receiver, makeDirectory());
  const child = startLife(
    { ...plan, monitor: { ...plan.monitor, maxQueueBytes: 100_000 } },
    { shell: `ulimit -f ${FULL_KIBIBYTES}` },
  );
  await child.reported("tracked");
  const [tracked] = child.reports("tracked") as Child["stats"][];
  expectBalanced(tracked);
  const dropped = tracked?.dropped ?? 0;
  expect(dropped).toBeGreaterThan(0);
  expect(tracked?.droppedByReason).toEqual({ queue_full: dropped });

  await receiver.restart();
  await until("the rest is delivered", () => receiver.ids.length === COUNT - dropped);
  await shutDown(child);
  expectBalanced(child.stats);
  expect(child.stats).toMatchObject({ pending: 0, dead: 0, dropped });
  const reported = receiver.arrivals.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
  expect(reported).toContainEqual({ reason: "queue_full", count: dropped });
});

it("keeps events in memory when the directory can't be used at all, and says so in one line", async () => {
  const receiver = await startReceiver();
  const plan = toPlan(receiver, "/dev/null/spool");
  const monitor = { ...plan.monitor, enableLogging: true, logLevel: "error" } as const;
  const child = startLife({ ...plan, monitor });
  await child.reported("stats");
  child.kill("SIGUSR2");
  const { code, stderr } = await child.ended;
  expect(code).toBe(0);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining("spoolDirectory /dev/null/spool can't be used"),
  ]);
  await expectNothingLost(receiver, [child], child);
  expect(child.stats?.spool).toMatchObject({ state: "unusable" });
});

/** A disk for one test; `undefined` where this is not allowed. */
function mountOwnDisk(kibibytes = FULL_KIBIBYTES): MountedDisk | undefined {
  const disk = mountDisk(join(makeDirectory(), "disk"), `${kibibytes}k`);
  if (disk) onTestFinished(() => disk.unmount());
  return disk;
}

it("writes to the disk again once there is room, so that a kill loses nothing any more", async (context) => {
  const disk = mountOwnDisk();
  // Only root may mount; the other tests of this file need no right.
  if (!disk) return context.skip("no right to mount");
  const receiver = await startReceiver();
  await receiver.stop();
  const spoolDirectory = join(disk.path, "spool");
  const plan = toPlan(receiver, spoolDirectory);
  const child = startLife(plan);
  await child.reported("tracked");
  const [tracked] = child.reports("tracked") as Child["stats"][];
  expect(tracked).toMatchObject({ tracked: COUNT, dropped: 0, spool: { state: "degraded" } });

  disk.resize("16m");
  await until("the disk takes events again", () => child.stats?.spool?.state === "ok");
  expect(child.stats).toMatchObject({ pending: COUNT, spool: { eventsInMemory: 0 } });
  child.kill();
  await child.ended;
  await receiver.restart();
  await expectNothingLost(receiver, [child], await recover(plan.monitor));
  expectEmptySpool(spoolDirectory);
});

it("keeps events on a disk that it had filled itself, so that a kill loses nothing behind that either", async (context) => {
  const disk = mountOwnDisk(2048);
  if (!disk) return context.skip("no right to mount");
  const receiver = await startReceiver();
  await receiver.stop();
  const spoolDirectory = join(disk.path, "spool");
  const { monitor } = toPlan(receiver, spoolDirectory);
  // More than the disk holds, a pause in which all of it is delivered, and some more behind that.
  const filling = 1200;
  const child = startLife({
    ...toPlan(receiver, spoolDirectory),
    count: filling + 100,
    groupSize: filling,
    pauseMillis: 8000,
  });
  await until("the disk is full", () => child.promised.length === filling);
  await receiver.restart();
  await until("all of it is delivered", () => receiver.ids.length === filling);
  await receiver.stop();
  await child.reported("tracked");
  await until("the books are told", () => child.stats !== undefined);
  await until("the disk takes events again", () => child.stats?.spool?.state === "ok");
  expect(child.stats?.spool?.faults).toBeGreaterThan(0);
  expect(child.stats).toMatchObject({ pending: 100, dropped: 0, spool: { eventsInMemory: 0 } });
  child.kill();
  await child.ended;
  await receiver.restart();
  await expectNothingLost(receiver, [child], await recover(monitor));
  expectEmptySpool(spoolDirectory);
});

it.each([
  ["no batch", 50],
  ["one batch", COUNT],
])(
  "counts and tells at the natural end what was in memory only, and leaves the rest to the next process, also where %s has both",
  async (_which, batchSize) => {
    const receiver = await startReceiver();
    await receiver.stop();
    const plan = toPlan(receiver, makeDirectory());
    const monitor = {
      ...plan.monitor,
      batchSize,
      shutdownTimeout: 500,
      enableLogging: true,
      logLevel: "error",
    } as const;
    const shell = `ulimit -f ${FULL_KIBIBYTES}`;
    const child = startLife({ ...plan, monitor, end: "natural" }, { shell });
    const { code, stderr } = await child.ended;
    expect(code).toBe(0);
    expectBalanced(child.stats);
    const { dropped = 0, pending = 0 } = child.stats ?? {};
    expect(dropped).toBeGreaterThan(0);
    expect(pending + dropped).toBe(COUNT);
    expect(child.stats?.droppedByReason).toEqual({ exit: dropped });
    expect(stderr).toContain(`${dropped.toLocaleString("en-US")} events are lost`);

    await receiver.restart();
    const last = await recover(plan.monitor);
    expect(last.stats).toMatchObject({ recovered: pending, acked: pending, dropped: 0 });
    expect(receiver.ids).toEqual(child.promised.slice(0, pending));
    const reported = receiver.arrivals.flatMap(({ batch }) => batch.metadata?.dropped ?? []);
    expect(reported).toEqual([
      { reason: "exit", count: dropped, firstSequence: pending + 1, lastSequence: COUNT },
    ]);
    await expectIntact(receiver);
  },
);
