import { lstatSync } from "node:fs";
import type { Machine } from "./machine.ts";
import { ownerTraces, probeOwner, removeOwnerTraces } from "./owner.ts";
import { listWriters } from "./writers.ts";

/** Longer than an owner takes to write its record behind its socket. */
const OPENING_MILLIS = 60_000;

async function removeIdle(
  directory: string,
  ownerIds: readonly string[],
  machine: Machine,
): Promise<number> {
  const dead: string[] = [];
  for (const ownerId of ownerIds) {
    if ((await probeOwner(directory, ownerId, machine)) === "dead") dead.push(ownerId);
  }
  // Listed after the probe: the dead claim nothing, so whoever owns nothing now never will.
  const { writers, failure } = listWriters(directory);
  if (failure) return 0;
  const owning = new Set(writers.map(({ ownerId }) => ownerId));
  const idle = dead.filter((ownerId) => !owning.has(ownerId));
  for (const ownerId of idle) removeOwnerTraces(directory, ownerId);
  return idle.length;
}

/**
 * Removes the record and the socket of an owner, if it is dead and no directory is its any more; never throws.
 *
 * To be called by whoever has removed or claimed a directory of that owner.
 *
 * @returns Whether they are gone.
 */
export async function removeOwnerFiles(
  directory: string,
  ownerId: string,
  machine: Machine,
): Promise<boolean> {
  return (await removeIdle(directory, [ownerId], machine)) === 1;
}

function isOpening(directory: string, ownerId: string, nowMillis: number): boolean {
  return ownerTraces(directory, ownerId).some((path) => {
    try {
      return nowMillis - lstatSync(path).mtimeMs < OPENING_MILLIS;
    } catch {
      return false;
    }
  });
}

/**
 * Removes the records and sockets of all owners that died without leaving a directory; never throws.
 *
 * Nobody else would: a process that dies again and again before its first event leaves one pair each time.
 *
 * @param nowMillis - Milliseconds since the Unix epoch; what is younger than a minute stays.
 * @returns How many owners' files are gone.
 */
export async function removeDeadOwners(
  directory: string,
  machine: Machine,
  nowMillis: number,
): Promise<number> {
  const { ownerIds, writers } = listWriters(directory);
  const owning = new Set(writers.map(({ ownerId }) => ownerId));
  const idle = ownerIds.filter(
    (ownerId) => !owning.has(ownerId) && !isOpening(directory, ownerId, nowMillis),
  );
  return removeIdle(directory, idle, machine);
}
