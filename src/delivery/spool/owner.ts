import { chmodSync, closeSync, constants, existsSync, openSync } from "node:fs";
import type * as net from "node:net";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { systemClock, type Clock } from "../../util/clock.ts";
import { isCount, isOptionalString } from "../../util/values.ts";
import { nodeFileSystem, toErrorCode, tryRemove, type Failure } from "./file-system.ts";
import { probeProcess, readOwnIdentity, type Machine, type ProcessIdentity } from "./machine.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";

/** Loads `node:net` at first use: a monitor with events in memory must not pay for it at start. */
function loadNet(): typeof net {
  return process.getBuiltinModule("node:net");
}

/** Limit of a socket's path: the kernel takes 104 (macOS) to 108 bytes, Node.js 20 and 22 cut longer ones silently. */
const MAX_PATH_BYTES = 100;
/** Deadline of a probe: on one machine a refusal comes at once; after the deadline the owner counts as alive. */
const PROBE_MILLIS = 1000;
const FILE_MODE = 0o600;
// A path that isn't a socket refuses too: ECONNREFUSED on Linux, ENOTSOCK on macOS.
const NOBODY_LISTENS = new Set(["ECONNREFUSED", "ENOENT", "ENOTSOCK"]);

/** Dependencies of a probe beside the file system. */
interface ProbeOptions {
  readonly connect?: (path: string) => Socket;
  readonly clock?: Clock;
}

/** Returns the path of the socket that shows that an owner is alive. */
export function ownerSocketPath(directory: string, ownerId: string): string {
  return join(directory, `${ownerId}.sock`);
}

/** Calls `use` with a short enough address of the socket; returns `undefined` if there is none. */
function withAddress<T>(
  directory: string,
  ownerId: string,
  use: (address: string) => T,
): T | undefined {
  if (process.platform === "win32") return use(`\\\\.\\pipe\\agent-monitor-${ownerId}`);
  const path = ownerSocketPath(directory, ownerId);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  if (process.platform !== "linux") return undefined;
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return use(ownerSocketPath(`/proc/self/fd/${fd}`, ownerId));
  } finally {
    closeSync(fd);
  }
}

function restrict(path: string): void {
  try {
    chmodSync(path, FILE_MODE);
  } catch {
    // A Windows pipe has no file, and not every file system has modes; the directory is closed as well.
  }
}

function refuse(connection: Socket): void {
  connection.on("error", () => undefined);
  connection.destroy();
}

/**
 * Listens as long as the thread lives, however it ends, and without keeping it alive.
 *
 * The kernel accepts connections for a thread that is busy or stopped, and never for one that is gone.
 *
 * @returns `undefined` where there can be no socket.
 */
function listenAsOwner(directory: string, ownerId: string): Server | undefined {
  const server = loadNet().createServer({ pauseOnConnect: true }, refuse);
  server.on("error", () => undefined);
  try {
    // Exclusive: workers of a cluster would share the primary's socket, which outlives them. It also makes
    // Node.js bind within the call, so that `listening` shows whether it succeeded.
    withAddress(directory, ownerId, (path) => server.listen({ path, exclusive: true }));
    if (!server.listening) return undefined;
    server.unref();
    restrict(ownerSocketPath(directory, ownerId));
    return server;
  } catch {
    server.close();
    return undefined;
  }
}

/** Resolves with whether an owner listens; in doubt, after a second at most, it does. */
function settleConnection(socket: Socket, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isListening: boolean): void => {
      cancel();
      socket.destroy();
      resolve(isListening);
    };
    // After a blocked event loop timers come first: a result that has arrived by then still counts.
    const onDeadline = (): void => void setImmediate(finish, true);
    const cancel = clock.schedule(onDeadline, PROBE_MILLIS);
    socket.unref();
    socket.on("connect", () => finish(true));
    // EAGAIN is the full queue of a busy owner, EACCES another user's socket; neither is dead.
    socket.on("error", (error) => finish(!NOBODY_LISTENS.has(toErrorCode(error))));
  });
}

/**
 * Returns whether an owner listens; never throws, and takes a second at most.
 *
 * Anything but a clear no is a yes: a living owner must not be robbed.
 */
async function isOwnerListening(
  directory: string,
  ownerId: string,
  { connect = (path) => loadNet().createConnection(path), clock = systemClock }: ProbeOptions = {},
): Promise<boolean> {
  try {
    const socket = context.with(suppressTracing(context.active()), () =>
      // The address need only be valid for this call, which includes connect(2).
      withAddress(directory, ownerId, (path) => connect(path)),
    );
    if (!socket) return existsSync(ownerSocketPath(directory, ownerId));
    return await settleConnection(socket, clock);
  } catch (error) {
    return !NOBODY_LISTENS.has(toErrorCode(error));
  }
}

/** Owner of directories in a spool directory: a monitor of a thread of a process. */
export interface Owner {
  readonly ownerId: string;
  /** Ends the ownership: what the owner has left is free from now on. Never throws. */
  close(): void;
}

/**
 * State of an owner.
 *
 * - `alive`: nobody else may touch its directories.
 * - `dead`: it will never come back.
 * - `elsewhere`: it is of another machine, and only processes there can see it.
 * - `unknown`: its record is damaged or of a later version, or its machine or process can't be identified.
 */
export type OwnerState = "alive" | "dead" | "elsewhere" | "unknown";

/** Returns the paths of all files that an owner may leave beside its writer directories. */
export function ownerTraces(directory: string, ownerId: string): string[] {
  const record = ownerRecordPath(directory, ownerId);
  return [record, `${record}.tmp`, ownerSocketPath(directory, ownerId)];
}

/** Removes the files that an owner has left beside its writer directories; never throws. */
export function removeOwnerTraces(directory: string, ownerId: string): void {
  // Files that stay belong to an owner that is seen to be dead.
  for (const path of ownerTraces(directory, ownerId)) tryRemove(nodeFileSystem, path);
}

/**
 * Opens an owner in a spool directory, which must exist; before, nothing may be made or claimed in it.
 *
 * From this call on until `close()` or the end of the thread, every probe finds it alive.
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

/** Returns where an owner is, or was, as seen from a machine. */
function locate(owner: Machine, machine: Machine): "here" | "before" | "elsewhere" | "unknown" {
  const isSameMachine = owner.machineId === machine.machineId;
  const hasBootIds = owner.bootId !== undefined && machine.bootId !== undefined;
  if (hasBootIds && owner.bootId === machine.bootId) return "here";
  if (!isSameMachine) return "elsewhere";
  if (hasBootIds) return "before";
  return owner.bootId === machine.bootId ? "here" : "unknown";
}

/**
 * Returns the state of an owner; never throws, and takes a second at most.
 *
 * For an owner that could have no socket its process is checked, so a thread that ended before its process
 * counts as alive until that ends.
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
    const { machineId, bootId, pid, startedAt, socket, pidNamespace, startTicks } = members;
    const thread = members["threadId"];
    if (members["ownerId"] !== ownerId || typeof machineId !== "string") return undefined;
    if (!isOptionalString(bootId) || typeof socket !== "boolean") return undefined;
    if (!isOptionalString(pidNamespace) || !isOptionalString(startTicks)) return undefined;
    if (!isCount(pid) || pid === 0 || !isCount(thread) || !isCount(startedAt)) return undefined;
    const identity = { pid, pidNamespace, startTicks, threadId: thread };
    return { format: RECORD_FORMAT, ownerId, machineId, bootId, ...identity, startedAt, socket };
  });
}

/** Writes an owner's record. */
export function writeOwnerRecord(directory: string, record: OwnerRecord): Failure | undefined {
  return writeRecord(ownerRecordPath(directory, record.ownerId), record);
}
