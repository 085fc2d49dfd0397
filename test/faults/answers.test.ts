import { describe, expect, it } from "vitest";
import { recover, startLife } from "./support/child.ts";
import { readDeadIds } from "./support/dead-letters.ts";
import { startReceiver, type Arrival, type Fault } from "./support/receiver.ts";
import { end, expectDelivered, toPlan } from "./support/scenario.ts";
import { pause, until } from "./support/until.ts";
import {
  expectBalanced,
  expectEmptySpool,
  expectIntact,
  expectNothingLost,
  expectPromisesKept,
} from "./support/verdict.ts";

/** Timers may fire a little early by the clock that is read here. */
const CLOCK_SLACK_MILLIS = 20;
const COUNT = 100;

function isPoisoned({ ids }: Arrival, poison: readonly string[]): boolean {
  return ids.some((id) => poison.includes(id));
}

function toGaps(arrivals: readonly Arrival[]): number[] {
  return arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0));
}

describe("429", () => {
  const date = new Date(Date.UTC(2026, 0, 1));
  it.each([
    ["seconds", { "retry-after": "1" }, 1000],
    [
      "a date, measured by the platform's own clock",
      { date: date.toUTCString(), "retry-after": new Date(date.getTime() + 1000).toUTCString() },
      1000,
    ],
    ["nothing", {}, 300],
  ] as const)("waits once when it names %s", async (_name, headers, leastMillis) => {
    const receiver = await startReceiver();
    receiver.script = ({ index }) => (index === 0 ? { status: 429, headers } : undefined);
    const plan = { ...toPlan(receiver, { retryDelay: 300, batchSize: COUNT }), count: COUNT };
    await expectDelivered(receiver, startLife(plan), plan);
    expect(receiver.arrivals.length).toBe(2);
    expect(toGaps(receiver.arrivals)[0]).toBeGreaterThanOrEqual(leastMillis - CLOCK_SLACK_MILLIS);
  });

  it("keeps everything when it names a time that no process waits for", async () => {
    const receiver = await startReceiver();
    receiver.script = () => ({ status: 429, headers: { "retry-after": "86400" } });
    const plan = toPlan(receiver);
    const child = startLife(plan);
    await until("the first answer is there", () => receiver.arrivals.length === 1);
    await pause(500);
    expect(receiver.arrivals.length).toBe(1);
    expectBalanced(child.stats);
    expect(child.stats).toMatchObject({ pending: plan.count, dropped: 0 });
    child.kill();
    await child.ended;
    receiver.script = () => undefined;
    await expectNothingLost(receiver, [child], await recover(plan.monitor));
  });
});

describe("413", () => {
  it("learns how much the platform takes, and loses nothing", async () => {
    const receiver = await startReceiver();
    const limit = 16 * 1024;
    receiver.script = ({ bytes }) => (bytes > limit ? { status: 413 } : undefined);
    const plan = { ...toPlan(receiver, { batchSize: COUNT }), padding: 500 };
    await expectDelivered(receiver, startLife(plan), plan);
    const sizes = receiver.arrivals.map(({ bytes }) => bytes);
    // One batch of 80 kB is cut into 8 parts by 7 refusals; then it is known, and asked again only now and then.
    expect(sizes.filter((bytes) => bytes > limit).length).toBeLessThanOrEqual(12);
  });

  it("makes a dead letter of an event that is too large by itself", async () => {
    const receiver = await startReceiver();
    receiver.script = ({ bytes }) => (bytes > 1500 ? { status: 413 } : undefined);
    const plan = { ...toPlan(receiver, { batchSize: 10 }), count: 10 };
    const large = { ...plan, name: "large", count: 1, padding: 4000, end: "shutdown" } as const;
    const monitor = { ...plan.monitor, endpoint: "http://127.0.0.1:9" };
    expect(await startLife({ ...large, monitor }).ended).toMatchObject({ code: 0 });
    const child = startLife(plan);
    await until("the others are delivered", () => receiver.ids.length === plan.count);
    await until("it is given up", () => child.stats?.dead === 1);
    await end(child);
    expectBalanced(child.stats);
    expect(child.stats).toMatchObject({ recovered: 1, acked: plan.count, pending: 0 });
    expect(await readDeadIds(plan.monitor.spoolDirectory ?? "")).toEqual(["large-0"]);
  });
});

describe("400", () => {
  it.each([[["life-41"]], [["life-3", "life-77"]]])(
    "finds %s among a hundred, and delivers the others",
    async (poison) => {
      const receiver = await startReceiver();
      receiver.script = (arrival) => (isPoisoned(arrival, poison) ? { status: 400 } : undefined);
      const plan = { ...toPlan(receiver, { batchSize: COUNT }), count: 2 * COUNT };
      const child = startLife(plan);
      const delivered = plan.count - poison.length;
      await until("the others are delivered", () => receiver.ids.length === delivered);
      await until("the bad are given up", () => child.stats?.dead === poison.length);
      await end(child);
      expectBalanced(child.stats);
      expect(child.stats).toMatchObject({ acked: delivered, pending: 0, dropped: 0 });
      const dead = await readDeadIds(plan.monitor.spoolDirectory ?? "");
      expect(new Set(dead)).toEqual(new Set(poison));
      expectPromisesKept(receiver, child.promised, dead);
      await expectIntact(receiver);
      const posts = 2 * poison.length * Math.ceil(Math.log2(COUNT)) + 1;
      // The second batch is one more.
      expect(receiver.arrivals.length).toBeLessThanOrEqual(posts + 1);
    },
  );

  it("leaves a chain that can be verified when the last events of a process are given up", async () => {
    const receiver = await startReceiver();
    receiver.script = (arrival) => (isPoisoned(arrival, ["life-41"]) ? { status: 400 } : undefined);
    const plan = { ...toPlan(receiver, { batchSize: COUNT }), count: COUNT };
    const child = startLife({ ...plan, end: "shutdown" });
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(child.stats).toMatchObject({ acked: COUNT - 1, dead: 1, pending: 0 });
    await expectIntact(receiver);
  });

  it("gives up nothing while the platform refuses everything", async () => {
    const receiver = await startReceiver();
    receiver.script = () => ({ status: 400 });
    const plan = toPlan(receiver);
    const child = startLife(plan);
    await until("it stops asking", () => child.stats?.state === "blocked");
    expect(child.stats).toMatchObject({ pending: plan.count, dead: 0, dropped: 0 });
    expect(receiver.arrivals.length).toBeLessThanOrEqual(40);
    receiver.script = () => undefined;
    await end(child);
    await expectNothingLost(receiver, [child], await recover(plan.monitor));
  });
});

it("acknowledges the others when the platform takes a part of a batch", async () => {
  const receiver = await startReceiver();
  receiver.script = ({ index }) => (index === 0 ? { rejected: [3, 5] } : undefined);
  const plan = { ...toPlan(receiver, { batchSize: COUNT }), count: COUNT };
  const child = startLife({ ...plan, end: "shutdown" });
  expect(await child.ended).toMatchObject({ code: 0 });
  expectBalanced(child.stats);
  expect(child.stats).toMatchObject({ acked: COUNT - 2, dead: 2, pending: 0, dropped: 0 });
  const dead = await readDeadIds(plan.monitor.spoolDirectory ?? "");
  expect(new Set(dead)).toEqual(new Set(["life-3", "life-5"]));
  expectPromisesKept(receiver, child.promised, dead);
  await expectIntact(receiver);
  expect(receiver.arrivals.length).toBe(1);
});

describe("an answer that asks for a change", () => {
  it.each([401, 403, 404, 307] as const)("keeps everything at %i, and goes on", async (status) => {
    const receiver = await startReceiver();
    const elsewhere = await startReceiver();
    let seenElsewhere = 0;
    elsewhere.cut = () => ++seenElsewhere > 0;
    const headers: Record<string, string> =
      status === 307 ? { location: `${elsewhere.url}/v1/batches` } : {};
    receiver.script = (): Fault => ({ status, headers });
    const plan = toPlan(receiver);
    const child = startLife(plan);
    await until("it stops asking", () => child.stats?.state === "blocked");
    await pause(300);
    expect(receiver.arrivals.length).toBe(1);
    expect(seenElsewhere, "the credential went nowhere else").toBe(0);
    expectBalanced(child.stats);
    expect(child.stats).toMatchObject({ pending: plan.count, dead: 0, dropped: 0 });
    expect(child.stats?.blockedReason).toContain(`status ${status}`);
    receiver.script = () => undefined;
    await end(child);
    await expectNothingLost(receiver, [child], child);
    expectEmptySpool(plan.monitor.spoolDirectory ?? "");
  });
});
