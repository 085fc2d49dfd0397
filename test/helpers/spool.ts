import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readMachine, type Machine } from "../../src/delivery/spool/machine.ts";
import { writeOwnerRecord } from "../../src/delivery/spool/owner.ts";
import { writeWriterRecord, type WriterEntry } from "../../src/delivery/spool/writers.ts";
import { uuidV7 } from "../../src/util/ids.ts";

export const here = readMachine();
/** Another machine, which has its own kernel. */
export const elsewhere: Machine = { machineId: "f".repeat(32), bootId: "another boot" };

const NOBODY = 65_534;

export function newId(): string {
  return uuidV7(Date.now());
}

/** Makes a directory that is gone after the test. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-spool-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Leaves what an owner leaves that was killed: a record of a socket on which nobody listens. */
export function leaveOwner(directory: string, ownerId: string, machine: Machine = here): void {
  writeOwnerRecord(directory, {
    format: 1,
    ownerId,
    ...machine,
    pid: process.pid,
    threadId: 0,
    startedAt: Date.now(),
    socket: true,
  });
}

/** Makes a writer directory with its record and a segment. */
export function makeWriter(
  directory: string,
  options: { writerId?: string; ownerId?: string; organizationId?: string } = {},
): WriterEntry {
  const { writerId = newId(), organizationId = "bank" } = options;
  const { ownerId = writerId } = options;
  const path = join(directory, ownerId === writerId ? writerId : `${writerId}.by-${ownerId}`);
  mkdirSync(path, { mode: 0o700 });
  writeWriterRecord(path, { format: 1, writerId, organizationId, createdAt: Date.now() });
  writeFileSync(join(path, `0000000000000001-${"0".repeat(32)}.seg`), "");
  return { writerId, ownerId, path };
}

/** Runs a function without the right to use what is given. */
export async function withoutRights<T>(
  paths: readonly string[],
  run: () => T | Promise<T>,
): Promise<T> {
  for (const path of paths) chmodSync(path, 0);
  // To root everything is allowed.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
    for (const path of paths) chmodSync(path, 0o700);
  }
}
