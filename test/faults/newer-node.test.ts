import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDirectory, recover, startChild, startLife } from "./support/child.ts";
import { installNewerApplication, type NewerApplication } from "./support/newer-node.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { expectEmptySpool, expectNothingLost } from "./support/verdict.ts";

/** Installing may be tried twice. */
const SETUP_TIMEOUT_MILLIS = 450_000;
const COUNT = 150;

let newer: NewerApplication;
beforeAll(async () => {
  newer = await installNewerApplication();
}, SETUP_TIMEOUT_MILLIS);
afterAll(() => newer?.remove());

function toMonitor({ url: endpoint }: Receiver) {
  return { endpoint, spoolDirectory: makeDirectory(), enableLogging: false } as const;
}

it.each(["process", "power"] as const)(
  "loses nothing to a kill on Node.js 24 in mode %s",
  async (durability) => {
    const receiver = await startReceiver();
    const monitor = { ...toMonitor(receiver), durability };
    const child = startLife({ name: "life", monitor, count: COUNT, end: "stay" }, newer);
    await child.reported("tracked");
    child.kill();
    expect(await child.ended).toMatchObject({ signal: "SIGKILL", stderr: "" });
    await expectNothingLost(receiver, [child], await recover(monitor, newer));
    expectEmptySpool(monitor.spoolDirectory);
  },
);

it("delivers on this Node.js what a process on Node.js 24 has left", async () => {
  const receiver = await startReceiver();
  const monitor = toMonitor(receiver);
  const child = startLife({ name: "life", monitor, count: COUNT, end: "exit" }, newer);
  expect(await child.ended).toMatchObject({ code: 3 });
  await expectNothingLost(receiver, [child], await recover(monitor));
});

it("delivers, and writes telemetry, in an application that uses OpenTelemetry 3.x itself", async () => {
  const receiver = await startReceiver();
  const monitor = toMonitor(receiver);
  const options = { ...newer, program: "newer-otel" };
  const killed = startChild({ name: "killed", monitor, count: COUNT, end: "kill" }, options);
  await killed.reported("tracked");
  killed.kill();
  expect(await killed.ended).toMatchObject({ signal: "SIGKILL", stderr: "" });

  const next = startChild({ name: "next", monitor, count: COUNT, end: "shutdown" }, options);
  expect(await next.ended).toMatchObject({ code: 0, stderr: "" });
  await expectNothingLost(receiver, [killed, next], next);
  expect(next.reports("telemetry")).toMatchObject([
    { records: COUNT, spans: expect.any(Number), node: expect.stringMatching(/^v24/) },
  ]);
});
