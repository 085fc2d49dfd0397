import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createTestPath, isBalanced } from "../helpers/exporter.ts";
import { makeDirectory, startLife } from "./support/child.ts";
import { startReceiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";

const COUNT = 6;
const EVENTS = Array.from({ length: COUNT }, (_, index) => `life-${index}`);
/** Events that the platform has already. */
const SETTLED = 2;

/** Where thousands of copies are made one after another: in memory, where there is such a place. */
const COPIES = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** Prefixes are looked at in steps of so many bytes. */
const PREFIX_STEP = 7;

/** Files of a spool by their paths in it. */
type Wreck = ReadonlyMap<string, Buffer>;

/** What is left by a process that was killed when one batch was settled and another under way. */
async function makeWreck(): Promise<Wreck> {
  const directory = join(makeDirectory(), "spool");
  const receiver = await startReceiver();
  receiver.script = ({ index }) => (index === 0 ? undefined : "hang");
  const monitor = {
    endpoint: receiver.url,
    spoolDirectory: directory,
    enableLogging: false,
    batchSize: SETTLED,
  };
  const child = startLife({ name: "life", monitor, count: COUNT, flushEvery: COUNT, end: "stay" });
  await until("the second batch is under way", () => receiver.arrivals.length === 2);
  child.kill();
  await child.ended;
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(directory.length + 1), readFileSync(path)];
    }),
  );
}

/** What came of a spool with one file that is not what it was. */
interface Outcome {
  /** Ids of the events that were delivered. */
  readonly delivered: readonly string[];
  readonly corrupt: number;
  readonly lines: readonly string[];
}

/** Lets a healthy process adopt a copy in which one file has other bytes. */
async function adopt(wreck: Wreck, changed: string, bytes: Buffer): Promise<Outcome> {
  const copy = mkdtempSync(join(COPIES, "agent-monitor-damage-"));
  try {
    for (const [file, original] of wreck) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), file === changed ? bytes : original);
    }
    const spool = {
      spoolDirectory: copy,
      durability: "process",
      maxSpoolBytes: 1024 * 1024,
      maxSpoolAge: 1e15,
    } as const;
    const { path, transport, lines } = createTestPath({ spool });
    await path.flush();
    await path.shutdown(1000);
    const { droppedByReason } = path.stats();
    expect(isBalanced(path)).toBe(true);
    const contents = transport.requests.flatMap(({ batch }) => batch.events);
    return {
      delivered: contents.map((event) => String("content" in event && event.content).trimEnd()),
      corrupt: droppedByReason.corrupt ?? 0,
      lines: lines.map(({ message }) => message),
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function findFile(wreck: Wreck, pattern: RegExp): { file: string; bytes: Buffer } {
  const found = [...wreck].filter(([name]) => pattern.test(name));
  expect(found.length).toBe(1);
  const [[file, bytes] = ["", Buffer.alloc(0)]] = found;
  return { file, bytes };
}

function flip(bytes: Buffer, offset: number): Buffer {
  const flipped = Buffer.from(bytes);
  // One bit, another one from byte to byte.
  flipped[offset] = (flipped[offset] ?? 0) ^ (1 << (offset % 8));
  return flipped;
}

/** Runs a check for a file with each of its bytes flipped; says where it fails. */
async function forEveryByte(
  pattern: RegExp,
  check: (outcome: Outcome, offset: number) => void,
): Promise<void> {
  const wreck = await makeWreck();
  const { file, bytes } = findFile(wreck, pattern);
  for (let offset = 0; offset < bytes.length; offset++) {
    try {
      check(await adopt(wreck, file, flip(bytes, offset)), offset);
    } catch (error) {
      throw new Error(`byte ${offset} of ${bytes.length} of ${file} is flipped`, { cause: error });
    }
  }
}

/** Runs a check for prefixes of a file. */
async function forPrefixes(pattern: RegExp, check: (outcome: Outcome) => void): Promise<void> {
  const wreck = await makeWreck();
  const { file, bytes } = findFile(wreck, pattern);
  for (let length = 0; length <= bytes.length; length += PREFIX_STEP) {
    check(await adopt(wreck, file, bytes.subarray(0, length)));
  }
}

const PENDING = EVENTS.slice(SETTLED);

it("loses only the event whose frame is hit, and tells it, whichever byte of a segment is flipped", async () => {
  await forEveryByte(/\.seg$/, ({ delivered, corrupt, lines }) => {
    const lost = PENDING.filter((id) => !delivered.includes(id));
    expect(delivered).toEqual(PENDING.filter((id) => !lost.includes(id)));
    expect(lost.length).toBeLessThanOrEqual(1);
    // Of the newest event nothing else tells that there was one: that its bytes were passed over is told.
    const isNewest = lost[0] === EVENTS.at(-1);
    if (isNewest) expect(lines.join("\n")).toContain("spool: damaged bytes were passed over");
    else expect(corrupt).toBe(lost.length);
  });
});

it("loses nothing, whichever byte of a journal is flipped", async () => {
  await forEveryByte(/\.journal$/, ({ delivered, corrupt }) => {
    // What was settled may come again, under its own event ids.
    expect(new Set([...delivered, ...EVENTS.slice(0, SETTLED)])).toEqual(new Set(EVENTS));
    expect(corrupt).toBe(0);
  });
});

it.each(["writer", "owner"])(
  "delivers all or leaves the directory alone and says so, whichever byte of the record of a %s is flipped",
  async (kind) => {
    await forEveryByte(new RegExp(`${kind}\\.json$`), ({ delivered, corrupt, lines }) => {
      const isLeftAlone = lines.some((line) => line.includes("is left alone"));
      expect(delivered).toEqual(isLeftAlone ? [] : PENDING);
      expect(corrupt).toBe(0);
    });
  },
);

it("gives a prefix of the events for a prefix of a segment", async () => {
  await forPrefixes(/\.seg$/, ({ delivered }) => {
    expect(delivered).toEqual(PENDING.slice(0, delivered.length));
  });
});

it("loses nothing for a prefix of a journal", async () => {
  await forPrefixes(/\.journal$/, ({ delivered }) => {
    expect(new Set([...delivered, ...EVENTS.slice(0, SETTLED)])).toEqual(new Set(EVENTS));
  });
});
