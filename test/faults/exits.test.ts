import { describe, expect, it } from "vitest";
import type { LifePlan } from "../fixtures/faults/life.ts";
import { makeDirectory, recover, startLife, type Child, type Ending } from "./support/child.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { expectBalanced, expectEmptySpool, expectNothingLost } from "./support/verdict.ts";

/** Ways in which a process ends, and how that looks from outside. */
interface Exit {
  readonly end: LifePlan["end"];
  readonly signal?: NodeJS.Signals;
  readonly hasListeners?: boolean;
  readonly ending: Partial<Ending>;
  /** What the application's own listener has seen. */
  readonly own?: string;
}

const EXITS: Readonly<Record<string, Exit>> = {
  "the natural end": { end: "natural", ending: { code: 0, signal: null } },
  "process.exit()": { end: "exit", ending: { code: 3, signal: null } },
  "an uncaught error": { end: "throw", ending: { code: 1, signal: null } },
  "an unhandled rejection": { end: "reject", ending: { code: 1, signal: null } },
  "an uncaught error that the application handles": {
    end: "throw",
    hasListeners: true,
    ending: { code: 8, signal: null },
    own: "uncaughtException",
  },
  SIGTERM: { end: "stay", signal: "SIGTERM", ending: { code: null, signal: "SIGTERM" } },
  SIGINT: { end: "stay", signal: "SIGINT", ending: { code: null, signal: "SIGINT" } },
  "SIGTERM that the application handles": {
    end: "stay",
    signal: "SIGTERM",
    hasListeners: true,
    ending: { code: 7, signal: null },
    own: "SIGTERM",
  },
};
const MODES = ["memory", "process", "power"] as const;

/** Half of the events are delivered before the end, the others wait for a full batch or the interval. */
const COUNT = 60;
const DELIVERED = 30;

async function live(exit: Exit, monitor: LifePlan["monitor"]): Promise<Child> {
  const { end, hasListeners = false } = exit;
  const plan = { name: "life", monitor, count: COUNT, flushEvery: DELIVERED + 1, end };
  const child = startLife({ ...plan, hasListeners });
  await child.reported("tracked");
  if (exit.signal) child.kill(exit.signal);
  return child;
}

function toMonitor(
  { url: endpoint }: Receiver,
  durability: LifePlan["monitor"]["durability"],
): LifePlan["monitor"] {
  const spoolDirectory = makeDirectory();
  return { endpoint, durability, enableLogging: false, flushInterval: 60_000, spoolDirectory };
}

describe.each(Object.entries(EXITS))("%s", (_name, exit) => {
  it.each(MODES)("keeps its code and the application's listeners in mode %s", async (mode) => {
    const receiver = await startReceiver();
    const monitor = toMonitor(receiver, mode);
    const child = await live(exit, monitor);
    expect(await child.ended).toMatchObject(exit.ending);
    expect(child.reports("own")).toEqual(exit.own === undefined ? [] : [exit.own]);
    const [{ before, after }] = child.reports("listeners") as [
      Record<string, Record<string, number>>,
    ];
    const atExit = (before?.["exit"] ?? 0) + 1;
    expect(after, "none is added but one for the very end").toEqual({ ...before, exit: atExit });

    const isDelivered = exit.end === "natural";
    expect(receiver.ids.length).toBe(isDelivered ? COUNT : DELIVERED + 1);
    // In memory what was not sent is gone, and that is what the documentation says.
    if (mode === "memory" && !isDelivered) return;
    const last = mode === "memory" ? child : await recover(monitor);
    await expectNothingLost(receiver, [child], last);
    expectEmptySpool(monitor.spoolDirectory ?? "");
    expect(receiver.ids).toEqual(child.promised);
  });
});

describe("a function that is frozen after flush({ timeoutMillis }) and never wakes", () => {
  it.each(["process", "power"] as const)("loses nothing in mode %s", async (mode) => {
    const receiver = await startReceiver();
    receiver.script = () => "hang";
    const monitor = toMonitor(receiver, mode);
    const child = startLife({ name: "life", monitor, count: COUNT, end: "freeze" });
    await child.reported("frozen");
    child.kill("SIGKILL");
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    receiver.script = () => undefined;
    await expectNothingLost(receiver, [child], await recover(monitor));
  });

  it("loses in memory what was not acknowledged, and nothing else", async () => {
    const receiver = await startReceiver();
    const monitor = toMonitor(receiver, "memory");
    const plan = { name: "life", monitor, count: COUNT, flushEvery: DELIVERED + 1 };
    receiver.script = ({ batch }) => (batch.metadata?.chain?.sequence === 1 ? undefined : "hang");
    const child = startLife({ ...plan, end: "freeze" });
    await child.reported("frozen");
    child.kill("SIGKILL");
    await child.ended;
    expect(receiver.ids).toEqual(child.promised.slice(0, DELIVERED + 1));
    expectBalanced(child.reports("tracked")[0] as Child["stats"]);
  });
});
