import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { AgentMonitor } from "../../src/index.ts";
import type { LifePlan } from "../fixtures/faults/life.ts";
import { makeDirectory, startLife, toProgramPath, type Child } from "./support/child.ts";
import { readDeadIds } from "./support/dead-letters.ts";
import { createRandom, type Random } from "./support/random.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";
import { expectBalanced, expectIntact } from "./support/verdict.ts";

const CUTS = 25;
const CUTS_PER_WRECK = 5;
const COUNT = 200;

/** What a process that was killed leaves, and what of it would survive a power cut. */
interface Wreck {
  readonly directory: string;
  readonly child: Child;
  /** Ids of the events that `flush()` has made safe. */
  readonly safe: readonly string[];
  /** Bytes of each file that are safe, by path. */
  readonly syncedBytes: ReadonlyMap<string, number>;
  /** Names that are safe, by directory. */
  readonly syncedNames: ReadonlyMap<string, ReadonlySet<string>>;
}

function toSyncedBytes(child: Child): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const report of child.reports("synced")) {
    const { path, length } = report as { path: string; length: number };
    bytes.set(path, Math.max(length, bytes.get(path) ?? 0));
  }
  for (const report of child.reports("renamed")) {
    const { from, to } = report as { from: string; to: string };
    bytes.set(to, bytes.get(from) ?? 0);
  }
  return bytes;
}

function toSyncedNames(child: Child): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const report of child.reports("named")) {
    const { path, names: seen } = report as { path: string; names: string[] };
    names.set(path, new Set([...(names.get(path) ?? []), ...seen]));
  }
  return names;
}

/** Each has ids of its own, so that none hides what another has lost. */
let wrecks = 0;

/** How many events the last flush has made safe. */
function toFlushed(child: Child): number {
  return Math.max(0, ...(child.reports("flushed") as number[]));
}

/**
 * Kills a process somewhere behind a few flushes.
 *
 * @param freezeAt - Where it stands still, if it does.
 */
async function makeWreck(
  receiver: Receiver,
  random: Random,
  durability: "process" | "power",
  freezeAt?: number,
): Promise<Wreck> {
  const directory = join(makeDirectory(), "spool");
  const monitor: LifePlan["monitor"] = {
    endpoint: receiver.url,
    spoolDirectory: directory,
    durability,
    enableLogging: false,
    maxSpoolBytes: 256 * 1024,
    batchSize: 10,
    retryAttempts: 0,
  };
  const child = startLife(
    {
      name: `life${++wrecks}`,
      monitor,
      count: COUNT,
      padding: 300,
      flushEvery: 20 + random.below(30),
      // What is synced later must not hide what was not at the flush.
      ...(freezeAt !== undefined && { freezeAt }),
      groupSize: 5,
      pauseMillis: 1,
      end: "stay",
    },
    { nodeOptions: ["--import", pathToFileURL(toProgramPath("sync-log")).href] },
  );
  if (freezeAt === undefined) await child.reported("tracked");
  else await until("it stands still", () => toFlushed(child) >= freezeAt);
  child.kill();
  await child.ended;
  return {
    directory,
    child,
    safe: child.promised.slice(0, toFlushed(child)),
    syncedBytes: toSyncedBytes(child),
    syncedNames: toSyncedNames(child),
  };
}

/** Copies what is left and takes away, by the choice of `keep`, what was not safe. */
function cutPower(wreck: Wreck, keep: (unsafeBytes: number) => number): string {
  const copy = join(makeDirectory(), "spool");
  const filter = (path: string): boolean => !lstatSync(path).isSocket();
  cpSync(wreck.directory, copy, { recursive: true, filter });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const synced = wreck.syncedBytes.get(path.replace(copy, wreck.directory)) ?? 0;
    const { size } = statSync(path);
    truncateSync(path, synced + keep(size - synced));
  }
  return copy;
}

/** Delivers what is left to a platform of its own. */
async function deliver(directory: string): Promise<Receiver> {
  const receiver = await startReceiver();
  const next = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: receiver.url,
    spoolDirectory: directory,
    shutdownTimeout: 60_000,
    enableLogging: false,
  });
  await next.shutdown();
  expectBalanced(next.stats());
  expect(next.stats().pending).toBe(0);
  await receiver.stop();
  return receiver;
}

const PLATFORMS: Readonly<Record<string, Receiver["script"]>> = {
  "takes everything": () => undefined,
  "is down": () => "reset",
  "is down now and then": ({ index }) => (index % 3 === 0 ? { status: 503 } : undefined),
};

it.each(Object.entries(PLATFORMS))(
  "loses nothing that flush() made safe in mode power, while the platform %s",
  async (_name, script) => {
    const random = createRandom();
    const before = await startReceiver();
    before.script = script;
    let wreck = await makeWreck(before, random, "power");
    for (let cut = 0; cut < CUTS; cut++) {
      if (cut % CUTS_PER_WRECK === 1)
        wreck = await makeWreck(before, random, "power", 1 + random.below(COUNT / 2));
      expect(wreck.safe.length).toBeGreaterThan(0);
      const isWorst = cut % CUTS_PER_WRECK < 2;
      const directory = cutPower(wreck, (unsafe) => (isWorst ? 0 : random.below(unsafe + 1)));
      const after = await deliver(directory);
      const stored = new Set([...before.ids, ...after.ids]);
      const lost = wreck.safe.filter((id) => !stored.has(id));
      expect(lost, `cut ${cut} with FAULT_SEED=${random.seed}`).toEqual([]);
      await expectIntact({
        violations: [...before.violations, ...after.violations],
        batches: [...before.batches, ...after.batches],
      });
    }
  },
);

it("gives a part of what was promised, in order, whatever a power cut leaves in mode process", async () => {
  const random = createRandom();
  const before = await startReceiver();
  before.script = () => "reset";
  const wreck = await makeWreck(before, random, "process");
  for (let cut = 0; cut < CUTS; cut++) {
    // Records are synced in every mode: without them nobody could say whose the rest is.
    const directory = cutPower(wreck, (unsafe) => (cut === 0 ? 0 : random.below(unsafe + 1)));
    const { ids } = await deliver(directory);
    const positions = ids.map((id) => wreck.child.promised.indexOf(id));
    expect(positions, `FAULT_SEED=${random.seed}`).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions).not.toContain(-1);
  }
});

it("makes the names of its files and directories safe as well in mode power", async () => {
  const before = await startReceiver();
  before.script = () => "reset";
  const wreck = await makeWreck(before, createRandom(), "power");
  const copy = cutPower(wreck, () => 0);
  const forget = (path: string): void => {
    const original = path.replace(copy, wreck.directory);
    const names = wreck.syncedNames.get(dirname(original));
    if (!names?.has(basename(original))) rmSync(path, { recursive: true, force: true });
  };
  for (const name of readdirSync(copy, { recursive: true, encoding: "utf8" }))
    forget(join(copy, name));
  // The directory's own name is in the directory above.
  forget(copy);
  const ids = existsSync(copy) ? (await deliver(copy)).ids : [];
  expect(wreck.safe.filter((id) => !ids.includes(id))).toEqual([]);
});

it("makes dead letters safe before their events are forgotten in mode power", async () => {
  const before = await startReceiver();
  const isPoison = (id: string): boolean => id.endsWith("-3");
  before.script = ({ ids }) => (ids.some(isPoison) ? { status: 400 } : undefined);
  const wreck = await makeWreck(before, createRandom(), "power");
  const [dead] = await readDeadIds(wreck.directory);
  expect(dead).toMatch(/-3$/);
  const copy = cutPower(wreck, () => 0);
  const kept = [...(await readDeadIds(copy)), ...(await deliver(copy)).ids];
  expect(kept).toContain(dead);
});
