import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isCount, isOptionalString } from "../../util/values.ts";
import { toErrorCode, type Failure } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";

/** Identity of a process, which differs from later ones that get the same number. */
interface ProcessIdentity {
  readonly pid: number;
  /** PID namespace of the number; `undefined` outside Linux. */
  readonly pidNamespace?: string | undefined;
  /** Start in clock ticks since boot; `undefined` outside Linux. */
  readonly startTicks?: string | undefined;
}

function readPidNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** Reads state and start of a process. @see proc_pid_stat(5): fields 3 and 22 */
function readStat(pid: number): { state: string; startTicks: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, the name, may contain spaces and ends at the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTicks: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Identifies the current process. */
export function readOwnIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    pidNamespace: readPidNamespace(),
    startTicks: readStat(process.pid)?.startTicks,
  };
}

function probeNumber(pid: number): "alive" | "dead" | "unknown" {
  try {
    process.kill(pid, 0);
    return "alive";
  } catch (error) {
    const code = toErrorCode(error);
    if (code === "ESRCH") return "dead";
    // EPERM: the process is alive and belongs to another user.
    return code === "EPERM" ? "alive" : "unknown";
  }
}

/**
 * Checks whether a process of this kernel is alive; never throws.
 *
 * "unknown": it is, or was, in another PID namespace, where numbers mean other processes.
 */
export function probeProcess(identity: ProcessIdentity): "alive" | "dead" | "unknown" {
  if (identity.pidNamespace !== readPidNamespace()) return "unknown";
  const stat = identity.startTicks === undefined ? undefined : readStat(identity.pid);
  if (!stat) return probeNumber(identity.pid);
  const isGone = stat.state === "Z" || stat.state === "X";
  return !isGone && stat.startTicks === identity.startTicks ? "alive" : "dead";
}

/** Record of an owner. */
interface OwnerRecord extends Machine, ProcessIdentity {
  readonly format: typeof RECORD_FORMAT;
  readonly ownerId: string;
  /** 0 is the main thread. */
  readonly threadId: number;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Whether its socket shows that it is alive; if not, its process does. */
  readonly socket: boolean;
}

/** Returns the path of an owner's record. */
export function ownerRecordPath(directory: string, ownerId: string): string {
  return join(directory, `${ownerId}.owner.json`);
}

/** Reads an owner's record; never throws. */
export function readOwnerRecord(directory: string, ownerId: string): RecordReading<OwnerRecord> {
  return readRecord(ownerRecordPath(directory, ownerId), (members) => {
    const { machineId, bootId, pid, threadId, startedAt, socket, pidNamespace, startTicks } =
      members;
    if (members["ownerId"] !== ownerId || typeof machineId !== "string") return undefined;
    if (!isOptionalString(bootId) || typeof socket !== "boolean") return undefined;
    if (!isOptionalString(pidNamespace) || !isOptionalString(startTicks)) return undefined;
    if (!isCount(pid) || pid === 0 || !isCount(threadId) || !isCount(startedAt)) return undefined;
    return {
      format: RECORD_FORMAT,
      ownerId,
      machineId,
      bootId,
      pid,
      pidNamespace,
      startTicks,
      threadId,
      startedAt,
      socket,
    };
  });
}

/** Writes an owner's record. */
export function writeOwnerRecord(directory: string, record: OwnerRecord): Failure | undefined {
  return writeRecord(ownerRecordPath(directory, record.ownerId), record);
}
