import { rmSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { systemClock } from "../../util/clock.ts";
import type { Failure } from "./failure.ts";
import type { Machine } from "./machine.ts";
import { ownerRecordPath, readOwnerRecord, writeOwnerRecord } from "./owner-record.ts";
import {
  isOwnerListening,
  listenAsOwner,
  ownerSocketPath,
  type ProbeOptions,
} from "./owner-socket.ts";
import { probeProcess, readOwnIdentity } from "./process-identity.ts";
import { RECORD_FORMAT } from "./record-file.ts";

/** One who writes in a spool directory: a monitor of a thread of a process. */
export interface Owner {
  readonly ownerId: string;
  /** Says that the owner is gone: what it has left is free from now on. Never throws. */
  close(): void;
}

/**
 * What is known of an owner.
 *
 * - `alive`: nobody else may touch what it owns.
 * - `dead`: it will never come back.
 * - `elsewhere`: it is of another machine, from where alone it can be seen.
 * - `unknown`: its record is damaged or of a later version.
 */
export type OwnerState = "alive" | "dead" | "elsewhere" | "unknown";

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What can't be removed shows an owner that is dead, and is taken for that.
  }
}

/** Gives the paths of all that an owner may leave beside its writer directories. */
export function ownerTraces(directory: string, ownerId: string): string[] {
  const record = ownerRecordPath(directory, ownerId);
  return [record, `${record}.tmp`, ownerSocketPath(directory, ownerId)];
}

/** Removes what an owner has left beside its writer directories; never throws. */
export function removeOwnerTraces(directory: string, ownerId: string): void {
  for (const path of ownerTraces(directory, ownerId)) remove(path);
}

/**
 * Becomes an owner in a spool directory, which must exist; nothing may be made or claimed in it before.
 *
 * From this call on until `close()` or the end of the thread, everybody sees it alive.
 *
 * @param ownerId - UUID version 7 made for this owner alone.
 * @param nowMillis - Milliseconds since the Unix epoch.
 */
export function openOwner(
  directory: string,
  ownerId: string,
  machine: Machine,
  nowMillis: number = systemClock.now(),
): Owner | Failure {
  const server = listenAsOwner(directory, ownerId);
  const failure = writeOwnerRecord(directory, {
    format: RECORD_FORMAT,
    ownerId,
    ...machine,
    ...readOwnIdentity(),
    threadId,
    startedAt: nowMillis,
    socket: server !== undefined,
  });
  const close = (): void => {
    server?.close();
    removeOwnerTraces(directory, ownerId);
  };
  if (failure) {
    close();
    return failure;
  }
  return { ownerId, close };
}

/** Tells where an owner is, or was, as seen from a machine. */
function locate(owner: Machine, machine: Machine): "here" | "before" | "elsewhere" | "unknown" {
  const isSameMachine = owner.machineId === machine.machineId;
  const hasBootIds = owner.bootId !== undefined && machine.bootId !== undefined;
  if (hasBootIds && owner.bootId === machine.bootId) return "here";
  if (!isSameMachine) return "elsewhere";
  if (hasBootIds) return "before";
  return owner.bootId === machine.bootId ? "here" : "unknown";
}

/**
 * Tells whether an owner lives; never throws, and takes a second at most.
 *
 * Where an owner could have no socket its process stands for it, so a thread that ended before its
 * process counts as alive until that ends.
 */
export async function probeOwner(
  directory: string,
  ownerId: string,
  machine: Machine,
  options?: ProbeOptions,
): Promise<OwnerState> {
  const reading = readOwnerRecord(directory, ownerId);
  const isListening = (): Promise<boolean> => isOwnerListening(directory, ownerId, options);
  if (reading.status !== "valid") {
    if (await isListening()) return "alive";
    return reading.status === "missing" ? "dead" : "unknown";
  }
  const { record } = reading;
  switch (locate(record, machine)) {
    case "here":
      if (!record.socket) return probeProcess(record);
      return (await isListening()) ? "alive" : "dead";
    case "before":
      return "dead";
    case "elsewhere":
      return "elsewhere";
    case "unknown":
      return (await isListening()) ? "alive" : "unknown";
  }
}
