import { readFileSync, readlinkSync } from "node:fs";
import { toErrorCode } from "./file-system.ts";

/** A process, told apart from later ones that get the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Within which the number means this process; `undefined` outside Linux. */
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
    // EPERM: it lives and belongs to somebody else.
    return code === "EPERM" ? "alive" : "unknown";
  }
}

/**
 * Tells whether a process of this kernel is alive; never throws.
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
