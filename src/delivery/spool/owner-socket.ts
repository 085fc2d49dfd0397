import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { chmodSync, closeSync, constants, existsSync, openSync } from "node:fs";
import type * as net from "node:net";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { systemClock, type Clock } from "../../util/clock.ts";
import { toErrorCode } from "./file-system.ts";

/** Loaded at first use: who keeps events in memory must not pay for it at start. */
function loadNet(): typeof net {
  return process.getBuiltinModule("node:net");
}

/** The kernel takes 104 (macOS) to 108 bytes. Node.js 20 and 22 cut a longer path without a word. */
const MAX_PATH_BYTES = 100;
/** On one machine the answer comes at once; whatever takes longer is there. */
const PROBE_MILLIS = 1000;
const FILE_MODE = 0o600;
// A path that isn't a socket refuses too: ECONNREFUSED on Linux, ENOTSOCK on macOS.
const NOBODY_LISTENS = new Set(["ECONNREFUSED", "ENOENT", "ENOTSOCK"]);

/** What a probe needs beside the file system. */
export interface ProbeOptions {
  readonly connect?: (path: string) => Socket;
  readonly clock?: Clock;
}

/** Gives the path of the socket that shows that an owner lives. */
export function ownerSocketPath(directory: string, ownerId: string): string {
  return join(directory, `${ownerId}.sock`);
}

/** Calls with an address of the socket that is short enough; `undefined` if there is none. */
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
    // A pipe of Windows has no file, and not every file system has modes; the directory is closed as well.
  }
}

function refuse(connection: Socket): void {
  connection.on("error", () => undefined);
  connection.destroy();
}

/**
 * Listens as long as the thread lives, however it ends, and without keeping it alive.
 *
 * The kernel answers for a thread that is busy or stopped, and never for one that is gone.
 *
 * @returns `undefined` where there can be no socket.
 */
export function listenAsOwner(directory: string, ownerId: string): Server | undefined {
  const server = loadNet().createServer({ pauseOnConnect: true }, refuse);
  server.on("error", () => undefined);
  try {
    // Exclusive: workers of a cluster would share the primary's socket, which outlives them. It also makes
    // Node.js bind within the call, so that `listening` is the answer.
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

/** Resolves with whether anybody listens; in doubt, after a second at most, somebody does. */
function settleConnection(socket: Socket, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isListening: boolean): void => {
      cancel();
      socket.destroy();
      resolve(isListening);
    };
    // Behind a block of the event loop timers come first: an answer that is there by then still counts.
    const onDeadline = (): void => void setImmediate(finish, true);
    const cancel = clock.schedule(onDeadline, PROBE_MILLIS);
    socket.unref();
    socket.on("connect", () => finish(true));
    // EAGAIN is a full queue of a busy owner, EACCES somebody else's; neither is dead.
    socket.on("error", (error) => finish(!NOBODY_LISTENS.has(toErrorCode(error))));
  });
}

/**
 * Tells whether an owner listens; never throws, and takes a second at most.
 *
 * Whatever is not a clear no is a yes: a living owner must not be robbed.
 */
export async function isOwnerListening(
  directory: string,
  ownerId: string,
  { connect = (path) => loadNet().createConnection(path), clock = systemClock }: ProbeOptions = {},
): Promise<boolean> {
  try {
    const socket = context.with(suppressTracing(context.active()), () =>
      // The address need only be good for this call: connect(2) is in it.
      withAddress(directory, ownerId, (path) => connect(path)),
    );
    if (!socket) return existsSync(ownerSocketPath(directory, ownerId));
    return await settleConnection(socket, clock);
  } catch (error) {
    return !NOBODY_LISTENS.has(toErrorCode(error));
  }
}
