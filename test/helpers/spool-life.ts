import { readdirSync, rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import type { SpoolSettings } from "../../src/delivery/spool/spool-context.ts";
import type { FakeClock } from "./clock.ts";
import { createTestPath, type Script, type TestPath } from "./exporter.ts";
import {
  createFaultyFileSystem,
  refuse,
  type FaultyFileSystem,
  type Operation,
  type Pick,
} from "./faulty-file-system.ts";

type PathOptions = NonNullable<Parameters<typeof createTestPath>[0]>;

export interface LifeOptions extends Omit<PathOptions, "spool"> {
  readonly spoolDirectory: string;
  readonly script?: Script;
  readonly settings?: Partial<SpoolSettings>;
  /** The disk of the life before, if it is the same. */
  readonly fs?: FaultyFileSystem;
}

/** A process with a spool, from its start to its end. */
export interface Life extends TestPath {
  readonly spoolDirectory: string;
  readonly fs: FaultyFileSystem;
}

const EVERYTHING: readonly Operation[] = [
  "makeDirectory",
  "list",
  "openForAppend",
  "openForRead",
  "append",
  "truncate",
  "read",
  "sync",
  "syncDirectory",
  "remove",
];

/** Starts a platform path with a spool on a disk that can fail. */
export function startLife(lifeOptions: LifeOptions): Life {
  const {
    spoolDirectory,
    script,
    settings,
    fs = createFaultyFileSystem(),
    ...options
  } = lifeOptions;
  const spool: SpoolSettings = {
    spoolDirectory,
    durability: "process",
    maxSpoolBytes: 1024 * 1024 * 1024,
    maxSpoolAge: 7 * 24 * 3_600_000,
    fs,
    ...settings,
  };
  const test = createTestPath({ ...options, spool });
  if (script) test.transport.script = script;
  onTestFinished(() => kill({ ...test, fs, spoolDirectory }));
  return { ...test, fs, spoolDirectory };
}

const DRIVE_STEP_MILLIS = 5000;
const MAX_STEPS = 2000;

/** Moves the clock on until a promise is settled. */
async function drive<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = promise.finally(() => (state.isDone = true));
  done.catch(() => undefined);
  await clock.advance(0);
  for (let step = 0; !state.isDone; step++) {
    if (step === MAX_STEPS) throw new Error("drive: expected the promise to settle");
    await clock.advance(step < 5 ? 0 : DRIVE_STEP_MILLIS);
    // Sockets, by which owners are asked whether they live, take a turn of the event loop or two.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return done;
}

/** Flushes, and moves the clock on as long as that takes. */
export function flush({ path, clock }: Life, timeoutMillis = 60_000): Promise<void> {
  return drive(clock, path.flush(timeoutMillis));
}

/** Ends cleanly. */
export function shutdown({ path, clock }: Life, timeoutMillis = 5000): Promise<void> {
  return drive(clock, path.shutdown(timeoutMillis));
}

/** Ends without a word: nothing it does from now on reaches the disk or the platform. */
async function kill({ path, clock, fs, transport }: Life): Promise<void> {
  if (path.stats().state === "closed") return;
  fs.fault = refuse("EIO", EVERYTHING);
  transport.script = () => "hang";
  await drive(clock, path.shutdown(0));
}

/** Takes an image of the spool as a crash would leave it, and ends. */
export async function crash(life: Life, target: string, pick: Pick): Promise<void> {
  life.fs.imageAfterCrash(life.spoolDirectory, target, pick);
  await kill(life);
  rmSync(life.spoolDirectory, { recursive: true, force: true });
}

/** Names in a spool directory, but for the dead letters and the ends that wait for somebody to name them. */
export function leftovers(spoolDirectory: string): string[] {
  return readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("dead") && !name.endsWith(".ended.json"),
  );
}
