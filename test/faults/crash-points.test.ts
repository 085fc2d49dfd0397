import { cpSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { AgentMonitor } from "../../src/index.ts";
import type { LifePlan } from "../fixtures/faults/life.ts";
import { makeDirectory, startLife, toProgramPath, type Child } from "./support/child.ts";
import { inParallel } from "./support/pool.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { readDeadIds } from "./support/dead-letters.ts";
import {
  expectBalanced,
  expectEmptySpool,
  expectIntact,
  expectPromisesKept,
} from "./support/verdict.ts";

const SIDES = ["before", "after"] as const;
/** Children at one time. */
const WIDTH = 3;
/** The first so many steps are all crash points: there the spool comes into being. */
const FIRST = 60;
/** The platform takes neither of these. */
const POISON = new Set(["left-7", "life-13"]);

type Mode = "process" | "power";
interface Point {
  readonly step: number;
  readonly side: (typeof SIDES)[number];
}

/** Small enough for several files of each kind. */
function toMonitor(spoolDirectory: string, endpoint: string, durability: Mode) {
  return {
    apiKey: "key",
    organizationId: "bank",
    endpoint,
    spoolDirectory,
    durability,
    enableLogging: false,
    enableComplianceChecks: false,
    maxSpoolBytes: 256 * 1024,
    batchSize: 20,
    retryAttempts: 2,
    retryDelay: 1,
  } as const;
}

async function startPoisonedReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  receiver.script = ({ ids, index }) => {
    if (index === 1) return { status: 503 };
    if (ids.some((id) => POISON.has(id))) return { status: 400 };
    return index === 4 ? "reset_after_commit" : undefined;
  };
  return receiver;
}

/** What a process leaves that was killed before it could send anything. */
async function leaveEvents(mode: Mode): Promise<{ directory: string; promised: string[] }> {
  const directory = makeDirectory();
  const monitor = toMonitor(directory, "http://127.0.0.1:9", mode);
  const plan = { name: "left", count: 12, padding: 900, end: "stay" } as const;
  const child = startLife({ ...plan, monitor: { ...monitor, flushInterval: 60_000 } });
  await child.reported("tracked");
  child.kill();
  await child.ended;
  return { directory, promised: [...child.promised] };
}

function copyOf(directory: string): string {
  const copy = join(makeDirectory(), "spool");
  // A socket can't be copied, and nobody listens on this one any more.
  cpSync(directory, copy, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
  return copy;
}

function startCrashing(monitor: LifePlan["monitor"], { step, side }: Point): Child {
  const plan = { name: "life", count: 40, padding: 900, flushEvery: 15, end: "shutdown" } as const;
  return startLife(
    { ...plan, monitor },
    {
      nodeOptions: ["--import", pathToFileURL(toProgramPath("crash-at")).href],
      env: {
        FAULT_CRASH_AT: String(step),
        FAULT_CRASH_SIDE: side,
        FAULT_DIRECTORY: monitor.spoolDirectory ?? "",
      },
    },
  );
}

/** Lets a process crash at a point and a healthy one deliver the rest. */
async function crashAndRecover(
  left: { directory: string; promised: string[] },
  mode: Mode,
  point: Point,
): Promise<Child> {
  const receiver = await startPoisonedReceiver();
  const directory = copyOf(left.directory);
  const monitor = toMonitor(directory, receiver.url, mode);
  const child = startCrashing(monitor, point);
  const { signal, stderr } = await child.ended;
  expect(stderr).toBe("");
  expect(signal).toBe(child.reports("crash").length > 0 ? "SIGKILL" : null);

  const next = new AgentMonitor({ ...monitor, batchSize: 5 });
  // Refused twice in a row, a sender asks again at the next flush: two halves that were left may both be poisoned.
  for (let flushes = 0; flushes < 3; flushes++) await next.flush();
  await next.shutdown();
  const { pending, dropped } = next.stats();
  expectBalanced(next.stats());
  expect({ pending, dropped }).toEqual({ pending: 0, dropped: 0 });

  const promised = [...left.promised, ...child.promised];
  const dead = await readDeadIds(directory);
  expect(dead.filter((id) => !POISON.has(id))).toEqual([]);
  expectPromisesKept(receiver, promised, dead);
  // That its last events are dead letters is told by the next batch, whoever sends it.
  const last = new AgentMonitor({ ...monitor, batchSize: 5 });
  last.trackUserMessage("agent", "session", "last-0");
  await last.shutdown();
  await expectIntact(receiver);
  expectEmptySpool(directory);
  await receiver.stop();
  return child;
}

/** The first steps, and of the others as many as there may be, evenly. */
function choosePoints(steps: number, limit: number): number[] {
  const numbers = Array.from({ length: steps }, (_, index) => index + 1);
  const rest = numbers.slice(FIRST);
  const stride = Math.max(1, rest.length / (limit - FIRST));
  return numbers.filter(
    (number) =>
      number <= FIRST ||
      Math.floor((number - FIRST) / stride) > Math.floor((number - FIRST - 1) / stride),
  );
}

it.each([
  ["power", "before", 120],
  ["power", "after", 120],
  ["process", "before", 80],
  ["process", "after", 80],
] as const)("loses nothing in mode %s to a kill just %s any step", async (mode, side, limit) => {
  const left = await leaveEvents(mode);
  // Without a crash: this counts the steps.
  const whole = await crashAndRecover(left, mode, { step: 0, side });
  const names = whole.reports("step");
  expect(names.length).toBeGreaterThan(FIRST);
  await inParallel(choosePoints(names.length, limit), WIDTH, async (step) => {
    try {
      await crashAndRecover(left, mode, { step, side });
    } catch (error) {
      throw new Error(
        `killed ${side} step ${step} of ${names.length} (${String(names[step - 1])})`,
        {
          cause: error,
        },
      );
    }
  });
});
