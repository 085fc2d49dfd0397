import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { toErrorCode } from "./file-system.ts";

const MACHINE_ID_PATHS = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
const BOOT_ID_PATH = "/proc/sys/kernel/random/boot_id";
const MACHINE_ID_LENGTH = 32;

/** Ids of the machine on which a process runs, by which others know whether they can see its processes and sockets. */
export interface Machine {
  /** 32 hex digits. Containers of one image and one host name share it, and so do the two lives of a restarted one. */
  readonly machineId: string;
  /** Differs at each start of the kernel, and is the same in all its containers; `undefined` outside Linux. */
  readonly bootId: string | undefined;
}

/** Source of the ids of a machine. */
export interface MachineSource {
  /** Returns the text of a file; throws if there is none. */
  readFile(path: string): string;
  hostname(): string;
}

const systemSource: MachineSource = {
  readFile: (path) => readFileSync(path, "utf8"),
  hostname,
};

function readLine(source: MachineSource, path: string): string | undefined {
  try {
    return source.readFile(path).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the ids of this machine and of its current boot.
 *
 * The machine id alone would not do: images of containers often bring one along.
 *
 * @see machine-id(5), random(4)
 */
export function readMachine(source: MachineSource = systemSource): Machine {
  let baked: string | undefined;
  for (const path of MACHINE_ID_PATHS) baked ??= readLine(source, path);
  const machineId = createHash("sha256")
    .update(`${baked ?? ""}\n${source.hostname()}`)
    .digest("hex")
    .slice(0, MACHINE_ID_LENGTH);
  return { machineId, bootId: readLine(source, BOOT_ID_PATH) };
}

/** Identity of a process, which differs from later ones that get the same number. */
export interface ProcessIdentity {
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
