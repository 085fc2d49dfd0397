import { createSecretKey } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PendingEvent, type CompleteEvent } from "../../../src/delivery/pending-event.ts";
import type { DetailedEvent } from "../../../src/events/detailed-event.ts";
import { createPendingEvent, isBalanced } from "../../helpers/exporter.ts";
import {
  createFaultyFileSystem,
  diskFull,
  keepSynced,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  type Fault,
} from "../../helpers/faulty-file-system.ts";
import {
  crash,
  flush,
  leftovers,
  shutdown,
  startLife,
  type Life,
  type LifeOptions,
} from "../../helpers/spool-life.ts";

const spoolKey = createSecretKey(Buffer.alloc(32, 1));
const SECRET = "what the customer asked";

function toEvent(index: number, userId: string): DetailedEvent {
  const event = createPendingEvent(index);
  return { ...(JSON.parse(event.json) as DetailedEvent), userId };
}

/** Keeps an event in its first form, with what its last one is made of. */
function recordProvisional({ path }: Life, index: number, exchange?: string): string {
  const event = toEvent(index, "provisional");
  const toExchange = (): string => exchange ?? JSON.stringify({ of: event.eventId, SECRET });
  path.record("test", new PendingEvent(event, 200, 10_000, true, toExchange));
  return event.eventId;
}

type Kept = DetailedEvent & { readonly writerId?: string; readonly sequence?: number };

/** Makes the last form of what it is given. */
const complete: CompleteEvent = (json, exchange) => {
  const { writerId: _writer, sequence: _sequence, ...event } = JSON.parse(json.toString()) as Kept;
  const { of } = JSON.parse(exchange.toString()) as { of: string };
  if (of !== event.eventId || event.userId !== "provisional") return Promise.resolve("unchanged");
  return Promise.resolve(new PendingEvent({ ...event, userId: "final" }, 200, 10_000));
};

/** Leaves four events, of which the second and the third have no last form. */
async function leave(
  options: Partial<LifeOptions> = {},
): Promise<{ spoolDirectory: string; life: Life }> {
  const root = makeFastDirectory();
  const life = startLife({ spoolDirectory: join(root, "0"), batchSize: 10, ...options });
  life.record(1);
  recordProvisional(life, 101);
  recordProvisional(life, 102);
  life.record(1);
  const spoolDirectory = join(root, "1");
  await crash(life, spoolDirectory, keepWritten);
  return { spoolDirectory, life };
}

function start(spoolDirectory: string, options: Partial<LifeOptions> = {}): Life {
  return startLife({ spoolDirectory, batchSize: 10, completeEvent: complete, ...options });
}

/** The forms of what was sent, by event. */
function formsOf(...lives: readonly Life[]): string[] {
  const batches = lives.flatMap(({ transport }) => transport.requests.map(({ batch }) => batch));
  return batches.flatMap(({ events }) =>
    events.map(({ eventId, userId = "" }) => `${eventId} ${userId}`.trim()),
  );
}

const COMPLETE = ["event-0", "event-101 final", "event-102 final", "event-1"];

it.each([undefined, spoolKey])(
  "gives the events of a process that was killed their last form before they are sent (key %#)",
  async (key) => {
    const settings = key ? { spoolKey: key } : {};
    const { spoolDirectory } = await leave({ settings });
    const life = start(spoolDirectory, { settings });
    await flush(life);
    expect(formsOf(life)).toEqual(COMPLETE);
    expect(life.path.stats()).toMatchObject({ recovered: 4, acked: 4, pending: 0 });
    expect(isBalanced(life.path)).toBe(true);
    await shutdown(life);
    expect(leftovers(spoolDirectory)).toEqual([]);
  },
);

it("keeps what they are made of encrypted where events are, and for its owner only", async () => {
  const texts = async (settings: NonNullable<LifeOptions["settings"]>): Promise<string> => {
    const { spoolDirectory } = await leave({ settings });
    const names = leftovers(spoolDirectory).filter((name) => name.endsWith(".exchanges.seg"));
    expect(names).toHaveLength(1);
    const paths = names.map((name) => join(spoolDirectory, name));
    for (const path of paths) expect(statSync(path).mode & 0o077).toBe(0);
    return paths.map((path) => readFileSync(path, "latin1")).join("");
  };
  expect(await texts({})).toContain(SECRET);
  expect(await texts({ spoolKey })).not.toContain(SECRET);
});

it("forgets it once the last forms are there, and sends none of it", async () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start(spoolDirectory, { script: () => 503 });
  const events = [201, 202].map((index) => toEvent(index, "provisional"));
  const pending = events.map(
    (event) => new PendingEvent(event, 200, 10_000, true, () => JSON.stringify({ SECRET })),
  );
  const kept = (): string[] => leftovers(spoolDirectory).filter((name) => name.includes("exch"));
  for (const event of pending) life.path.record("test", event);
  expect(kept()).toHaveLength(1);
  for (const [index, event] of events.entries()) {
    const final = new PendingEvent({ ...event, userId: "final" }, 200, 10_000);
    life.path.replace(pending[index] ?? final, final);
  }
  await flush(life, 0);
  expect(kept()).toEqual([]);
  life.transport.script = () => undefined;
  await flush(life);
  expect(life.transport.requests.map(({ text }) => text).join("")).not.toContain(SECRET);
});

it("completes each event once, at whatever operation of the disk the one who does it is killed", async () => {
  let point = 0;
  for (let isKilled = true; isKilled; point++) {
    const { spoolDirectory } = await leave();
    const target = join(makeFastDirectory(), "spool");
    const fs = createFaultyFileSystem();
    let operations = 0;
    isKilled = false;
    const die: Fault = (operation) => {
      if (isKilled) return operation === "close" ? undefined : "EIO";
      if (operations++ < point) return undefined;
      isKilled = true;
      fs.imageAfterCrash(spoolDirectory, target, point % 2 === 0 ? keepWritten : keepSynced);
      return operation === "close" ? undefined : "EIO";
    };
    fs.fault = die;
    let first: Life;
    try {
      first = start(spoolDirectory, { fs, script: () => (isKilled ? "hang" : undefined) });
    } catch {
      // Not even its own directory could be made.
      continue;
    }
    await flush(first, 1000);
    if (!isKilled) {
      expect(formsOf(first)).toEqual(COMPLETE);
      break;
    }
    const sentBefore = [...first.transport.accepted];
    const second = start(target);
    await flush(second);
    const forms = formsOf(second);
    // What it had sent may come again, as the same batch; nothing comes in its first form, and nothing is lost.
    expect(new Set([...sentBefore, ...second.transport.accepted]).size).toBe(4);
    expect(COMPLETE).toEqual(expect.arrayContaining(forms));
    expect(new Set(forms).size).toBe(forms.length);
    await shutdown(second);
  }
  expect(point).toBeGreaterThan(20);
});

it("leaves everything to the next process when this one ends before it can tell", async () => {
  const { spoolDirectory } = await leave();
  const life = start(spoolDirectory, { completeEvent: () => Promise.resolve("not_now") });
  await flush(life);
  // Only what stands before them.
  expect(formsOf(life)).toEqual(["event-0"]);
  expect(life.path.stats()).toMatchObject({ acked: 1, pending: 3 });
  await shutdown(life);
  const next = start(spoolDirectory);
  await flush(next);
  expect(formsOf(next)).toEqual(COMPLETE.slice(1));
});

it("delivers them as they are when nobody completes them, or what it takes is damaged", async () => {
  const asTheyAre = COMPLETE.map((form) => form.replace("final", "provisional"));
  const old = start((await leave()).spoolDirectory, { completeEvent: undefined });
  await flush(old);
  expect(formsOf(old)).toEqual(asTheyAre);
  const { spoolDirectory } = await leave({ settings: { spoolKey } });
  const [name = ""] = leftovers(spoolDirectory).filter((other) => other.includes("exchanges"));
  const path = join(spoolDirectory, name);
  const bytes = readFileSync(path);
  bytes.fill(7, 40, 50);
  writeFileSync(path, bytes);
  const life = start(spoolDirectory, { settings: { spoolKey } });
  await flush(life);
  expect(formsOf(life)).toEqual(["event-0", "event-101 provisional", "event-102 final", "event-1"]);
  await shutdown(life);
  expect(leftovers(spoolDirectory)).toEqual([]);
});

it("delivers them as they are in the end where the disk takes no last form, and says so", async () => {
  const { spoolDirectory } = await leave();
  const fs = createFaultyFileSystem();
  const life = start(spoolDirectory, { fs });
  const [writer = ""] = readdirSync(spoolDirectory).filter((name) => name.length === 36);
  fs.fault = (operation, path) =>
    path.includes(writer) && path.endsWith(".seg") ? diskFull(operation, path) : undefined;
  await flush(life);
  fs.fault = nothingFails;
  await flush(life);
  expect(formsOf(life).toSorted()).toEqual(
    COMPLETE.map((form) => form.replace("final", "provisional")).toSorted(),
  );
  expect(life.lines.map(({ message }) => message).join("\n")).toContain("unchecked");
});

it("keeps no more than a share of the room: events come first", () => {
  const spoolDirectory = join(makeFastDirectory(), "spool");
  const life = start(spoolDirectory, { settings: { maxSpoolBytes: 256 * 1024 } });
  for (let index = 0; index < 20; index++) recordProvisional(life, index, "x".repeat(10_000));
  expect(life.path.stats()).toMatchObject({ tracked: 20, dropped: {} });
  const bytes = leftovers(spoolDirectory)
    .filter((name) => name.includes("exchanges"))
    .reduce((sum, name) => sum + statSync(join(spoolDirectory, name)).size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(32 * 1024);
});
