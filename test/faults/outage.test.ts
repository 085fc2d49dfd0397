import { expect, it } from "vitest";
import { recover, startLife } from "./support/child.ts";
import { startReceiver } from "./support/receiver.ts";
import { end, expectDelivered, toPlan } from "./support/scenario.ts";
import { pause, until } from "./support/until.ts";
import { expectNothingLost } from "./support/verdict.ts";

const OUTAGE_MILLIS = 1500;

it("delivers everything, in order, when the platform is back after an outage", async () => {
  const receiver = await startReceiver();
  const plan = { ...toPlan(receiver), groupSize: 20, pauseMillis: 50 };
  const child = startLife(plan);
  await until("some are delivered", () => receiver.ids.length > 0);
  await receiver.stop();
  await pause(OUTAGE_MILLIS);
  await receiver.restart();
  await expectDelivered(receiver, child, plan);
});

it("loses nothing in memory in an outage longer than its retries, and ends in order", async () => {
  const receiver = await startReceiver();
  await receiver.stop();
  const plan = toPlan(receiver, {
    spoolDirectory: undefined,
    retryAttempts: 1,
    retryDelay: 10,
    shutdownTimeout: 10_000,
  });
  const child = startLife({ ...plan, groupSize: 20, pauseMillis: 10 });
  await until("the platform is said to be away", () => child.stats?.state === "open");
  await pause(OUTAGE_MILLIS);
  expect(child.stats).toMatchObject({
    pending: plan.count,
    dropped: 0,
    blockedReason: "ECONNREFUSED",
  });
  await receiver.restart();
  await until("everything is delivered", () => child.stats?.acked === plan.count);
  await end(child);
  expect(child.stats).toMatchObject({ pending: 0, dropped: 0 });
  expect(receiver.ids).toEqual(child.promised);
});

it("delivers everything after an outage that outlasts the process, and the platform's own restart", async () => {
  const receiver = await startReceiver();
  await receiver.stop();
  const plan = toPlan(receiver);
  const child = startLife({ ...plan, end: "shutdown" });
  expect(await child.ended).toMatchObject({ code: 0 });
  expect(child.stats).toMatchObject({ pending: plan.count });
  await receiver.restart();
  await expectNothingLost(receiver, [child], await recover(plan.monitor));
});

it("sends nothing again that was acknowledged before the process was killed", async () => {
  const receiver = await startReceiver();
  const plan = toPlan(receiver);
  const child = startLife(plan);
  await until("everything is acknowledged", () => child.stats?.acked === plan.count);
  child.kill();
  await child.ended;
  const { length } = receiver.arrivals;
  const last = await recover(plan.monitor);
  await expectNothingLost(receiver, [child], last);
  expect(last.stats).toMatchObject({ recovered: 0 });
  expect(receiver.arrivals.length).toBe(length);
});

it("delivers more events than maxQueueSize that are tracked in one go", async () => {
  const receiver = await startReceiver();
  const plan = toPlan(receiver, { maxQueueSize: 100 });
  await expectDelivered(receiver, startLife(plan), plan);
});

it("takes what the platform says slowly for an answer", async () => {
  const receiver = await startReceiver();
  receiver.script = () => "drip";
  const plan = toPlan(receiver, { batchSize: 200 });
  await expectDelivered(receiver, startLife(plan), plan);
  expect(receiver.arrivals.length).toBe(2);
});

it("tries again when the platform hangs, before and after it has stored a batch", async () => {
  const receiver = await startReceiver();
  const faults = [
    "hang",
    "hang_after_commit",
    "reset",
    "cut_answer",
    "reset_after_commit",
  ] as const;
  receiver.script = ({ index }) => faults[index];
  receiver.cut = (index) => index === faults.length || (index === faults.length + 1 && "body");
  const plan = toPlan(receiver, { requestTimeout: 200 });
  await expectDelivered(receiver, startLife(plan), plan);
});

it("tracks on while the platform hangs", async () => {
  const receiver = await startReceiver();
  receiver.script = () => "hang";
  const plan = toPlan(receiver);
  const child = startLife({ ...plan, groupSize: 10, pauseMillis: 1 });
  await child.reported("tracked");
  expect(receiver.arrivals.length).toBe(1);
  expect(child.reports("tracked")).toMatchObject([{ pending: plan.count, dropped: 0 }]);
  child.kill();
  await child.ended;
  receiver.script = () => undefined;
  await expectNothingLost(receiver, [child], await recover(plan.monitor));
});
