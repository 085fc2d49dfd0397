import { expect } from "vitest";
import type { LifePlan } from "../../fixtures/faults/life.ts";
import { makeDirectory, type Child } from "./child.ts";
import type { Receiver } from "./receiver.ts";
import { until } from "./until.ts";
import { expectEmptySpool, expectNothingLost } from "./verdict.ts";

/** A life that tracks 400 events in one go, with a spool of its own, and stays. */
export function toPlan({ url: endpoint }: Receiver, changes: LifePlan["monitor"] = {}): LifePlan {
  const monitor = {
    endpoint,
    spoolDirectory: makeDirectory(),
    batchSize: 50,
    flushInterval: 100,
    retryAttempts: 1,
    retryDelay: 20,
    shutdownTimeout: 60_000,
    enableLogging: false,
    ...changes,
  };
  return { name: "life", monitor, count: 400, end: "stay" };
}

/** Lets a process that has nothing left to do end by itself. */
export async function end(child: Child): Promise<void> {
  child.kill("SIGUSR2");
  expect(await child.ended).toMatchObject({ code: 0, stderr: "" });
}

/** Waits until everything is delivered, ends the process and compares. */
export async function expectDelivered(
  receiver: Receiver,
  child: Child,
  plan: LifePlan,
): Promise<void> {
  await until("everything is delivered", () => receiver.ids.length === plan.count);
  await end(child);
  await expectNothingLost(receiver, [child], child);
  expectEmptySpool(plan.monitor.spoolDirectory ?? "");
  expect(receiver.ids, "in the order of tracking").toEqual(child.promised);
}
