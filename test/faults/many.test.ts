import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { TwoMonitorsPlan } from "../fixtures/faults/two-monitors.ts";
import type { WorkersPlan } from "../fixtures/faults/workers.ts";
import { makeDirectory, recover, startChild, startLife, type Child } from "./support/child.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { pause, until } from "./support/until.ts";
import {
  expectBalanced,
  expectEmptySpool,
  expectIntact,
  expectNothingLost,
} from "./support/verdict.ts";

function toMonitor({ url: endpoint }: Receiver, spoolDirectory: string) {
  return {
    endpoint,
    spoolDirectory,
    flushInterval: 100,
    shutdownTimeout: 60_000,
    enableLogging: false,
  } as const;
}

/** Ids of a name, as they were stored. */
function storedOf({ ids }: Receiver, name: string): string[] {
  return ids.filter((id) => id.startsWith(`${name}-`));
}

describe("many on one spool directory", () => {
  it.each([
    ["threads", "terminate() ends one of them while it tracks"],
    ["cluster", "a worker is killed"],
    ["fork", "one of them is killed"],
  ] as const)("loses nothing in %s, when %s", async (kind, _how) => {
    const receiver = await startReceiver();
    const monitor = toMonitor(receiver, makeDirectory());
    const plan: WorkersPlan = { name: "many", monitor, kind, workers: 4, count: 100 };
    const child = startChild(plan, { program: "workers" });
    expect(await child.ended).toMatchObject({ code: 0, stderr: "" });
    expect(child.reports("done").length).toBe(1);
    const books = child.reports("stats") as Child["stats"][];
    expect(books.length, "all but the one that was ended").toBe(plan.workers);
    for (const stats of books) expectBalanced(stats);

    await expectNothingLost(receiver, [child], await recover(monitor));
    expectEmptySpool(monitor.spoolDirectory);
    for (const name of ["many.lead", "many.1", "many.2", "many.3"]) {
      expect(storedOf(receiver, name)).toEqual(
        Array.from({ length: plan.count }, (_, index) => `${name}-${index}`),
      );
    }
    expect(storedOf(receiver, "many.0").length).toBeGreaterThan(plan.count / 2);
  });

  it("lets processes start, track and end at one time, each for itself", async () => {
    const receiver = await startReceiver();
    const monitor = toMonitor(receiver, makeDirectory());
    const lives = ["a", "b", "c"].map((name) =>
      startLife({ name, monitor, count: 200, groupSize: 20, pauseMillis: 2, end: "shutdown" }),
    );
    for (const life of lives) expect(await life.ended).toMatchObject({ code: 0, stderr: "" });
    for (const { stats } of lives) expectBalanced(stats);
    await expectNothingLost(receiver, lives, await recover(monitor));
    // Each owns what it has made: nothing was taken from anybody who lives.
    for (const { stats } of lives) expect(stats).toMatchObject({ recovered: 0, acked: 200 });
    expectEmptySpool(monitor.spoolDirectory);
  });

  it("hands what one has left to exactly one of several that start at one time", async () => {
    const receiver = await startReceiver();
    const monitor = toMonitor(receiver, makeDirectory());
    const plan = { name: "dead", monitor: { ...monitor, endpoint: "http://127.0.0.1:9" } };
    const dead = startLife({ ...plan, count: 150, end: "stay" });
    await dead.reported("tracked");
    dead.kill();
    await dead.ended;
    const heirs = await Promise.all([recover(monitor), recover(monitor), recover(monitor)]);
    for (const heir of heirs) await expectNothingLost(receiver, [dead], heir);
    const recovered = heirs.map(({ stats }) => stats?.recovered ?? 0);
    expect(recovered.toSorted((a, b) => a - b)).toEqual([0, 0, 150]);
    expect(receiver.arrivals.length, "nothing was sent twice").toBe(receiver.batches.length);
    expectEmptySpool(monitor.spoolDirectory);
  });
});

describe("two monitors in one thread", () => {
  const toPlan = (
    receiver: Receiver,
    second: TwoMonitorsPlan["second"],
    end: TwoMonitorsPlan["end"],
  ): TwoMonitorsPlan => {
    const monitor = toMonitor(receiver, makeDirectory());
    return { name: "two", monitor, second, count: 50, end };
  };

  it("each keep and deliver their own", async () => {
    const receiver = await startReceiver();
    const plan = toPlan(receiver, {}, "shutdown");
    const child = startChild(plan, { program: "two-monitors" });
    expect(await child.ended).toMatchObject({ code: 0, stderr: "" });
    for (const stats of child.reports("stats") as Child["stats"][]) {
      expectBalanced(stats);
      expect(stats).toMatchObject({ tracked: 50, acked: 50, pending: 0 });
    }
    await expectNothingLost(receiver, [child], child);
    expectEmptySpool(plan.monitor.spoolDirectory ?? "");
  });

  it("keep organizations apart, also when another process delivers what they left", async () => {
    const receiver = await startReceiver();
    receiver.script = () => "hang";
    const plan = toPlan(receiver, { organizationId: "other" }, "kill");
    const child = startChild(plan, { program: "two-monitors" });
    await child.reported("tracked");
    child.kill();
    await child.ended;
    receiver.script = () => undefined;

    const ofBank = await recover(plan.monitor);
    expect(ofBank.stats).toMatchObject({ recovered: 50, acked: 50, pending: 0 });
    expect(storedOf(receiver, "two.second")).toEqual([]);
    const ofOther = await recover({ ...plan.monitor, organizationId: "other" });
    expect(ofOther.stats).toMatchObject({ recovered: 50, acked: 50, pending: 0 });
    await expectNothingLost(receiver, [child], ofOther);
    for (const { batch, headers } of receiver.arrivals) {
      expect(headers["x-organization-id"]).toBe(batch.organizationId);
      const isOther = JSON.stringify(batch.events).includes("two.second-");
      expect(batch.organizationId).toBe(isOther ? "other" : "bank");
    }
    expectEmptySpool(plan.monitor.spoolDirectory ?? "");
  });
});

it("leaves an owner alone that stands still but lives", async () => {
  const receiver = await startReceiver();
  const monitor = { ...toMonitor(receiver, makeDirectory()), requestTimeout: 300 };
  receiver.script = () => "hang";
  const child = startLife({ name: "life", monitor, count: 50, end: "stay" });
  await child.reported("tracked");
  await until("it has tried to send", () => receiver.arrivals.length > 0);
  child.kill("SIGSTOP");
  receiver.script = () => undefined;
  const before = readdirSync(monitor.spoolDirectory);

  const other = await recover(monitor);
  expect(other.stats).toMatchObject({ recovered: 0, acked: 0 });
  await pause(50);
  expect(receiver.ids).toEqual([]);
  expect(readdirSync(monitor.spoolDirectory)).toEqual(before);

  child.kill("SIGCONT");
  child.kill("SIGUSR2");
  await child.reported("stats");
  expect(await child.ended).toMatchObject({ code: 0 });
  if (child.stats?.pending !== 0) await recover(monitor);
  await expectIntact(receiver);
  expect(receiver.ids).toEqual(child.promised);
});
