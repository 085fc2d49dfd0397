import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

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
