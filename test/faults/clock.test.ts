import { expect, it } from "vitest";
import { startLife, type Child } from "./support/child.ts";
import { startReceiver } from "./support/receiver.ts";
import { end, expectDelivered, toPlan } from "./support/scenario.ts";
import { until } from "./support/until.ts";
import { expectEmptySpool, expectNothingLost } from "./support/verdict.ts";

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;
const RETRY_AFTER_MILLIS = 1000;
/** Timers may fire a little early by the clock that is read here. */
const CLOCK_SLACK_MILLIS = 20;
/** The shortest that can be configured: each jump ahead goes far beyond it. */
const MAX_SPOOL_AGE_MILLIS = 60_000;

const JUMPS: Readonly<Record<string, readonly number[]>> = {
  "an hour ahead": [HOUR_MILLIS],
  "an hour back": [-HOUR_MILLIS],
  "a day ahead": [DAY_MILLIS],
  "a day back": [-DAY_MILLIS],
  "to and fro": [0, DAY_MILLIS, -HOUR_MILLIS, HOUR_MILLIS, -DAY_MILLIS],
};

function expectNothingExpired({ stats }: Child): void {
  expect(stats?.droppedByReason).toEqual({});
}

it.each(Object.entries(JUMPS))(
  "drops nothing and waits as long as it should when the clock jumps %s",
  async (_name, clockJumps) => {
    const receiver = await startReceiver();
    const headers = { "retry-after": String(RETRY_AFTER_MILLIS / 1000) };
    receiver.script = ({ index }) => (index === 0 ? { status: 429, headers } : undefined);
    const plan = {
      ...toPlan(receiver, { maxSpoolAge: MAX_SPOOL_AGE_MILLIS }),
      groupSize: 20,
      pauseMillis: 20,
      clockJumps,
    };
    const child = startLife(plan);
    await expectDelivered(receiver, child, plan);
    expectNothingExpired(child);
    const [first, second] = receiver.arrivals;
    const wait = (second?.at ?? 0) - (first?.at ?? 0);
    expect(wait).toBeGreaterThanOrEqual(RETRY_AFTER_MILLIS - CLOCK_SLACK_MILLIS);
  },
);

it("takes over what another process has left a day ago by a clock that is wrong, and drops nothing", async () => {
  const receiver = await startReceiver();
  const plan = toPlan(receiver, { maxSpoolAge: MAX_SPOOL_AGE_MILLIS });
  const before = startLife({
    ...plan,
    monitor: { ...plan.monitor, endpoint: "http://127.0.0.1:9" },
  });
  await before.reported("tracked");
  before.kill();
  await before.ended;

  const clockJumps = [DAY_MILLIS];
  const heir = startLife({ ...plan, name: "heir", count: 20, groupSize: 1, clockJumps });
  await until("all is delivered", () => receiver.ids.length === plan.count + 20);
  await end(heir);
  expectNothingExpired(heir);
  await expectNothingLost(receiver, [before, heir], heir);
  expectEmptySpool(plan.monitor.spoolDirectory ?? "");
});
