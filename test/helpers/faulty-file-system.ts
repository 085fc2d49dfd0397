import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { nodeFileSystem, type FileSystem } from "../../src/delivery/spool/file-system.ts";

export type Operation = keyof FileSystem;

/** The code with which an operation fails, or `short` for a write of a part; `undefined` lets it pass. */
export type Fault = (operation: Operation, path: string) => string | undefined;

/** Decides how many bytes of a file are left after a crash, of those that are synced and those that are there. */
export type Pick = (synced: number, length: number) => number;

/** A process that ends takes nothing along that the kernel has. */
export const keepWritten: Pick = (_synced, length) => length;
/** A power cut may take everything that was not synced. */
export const keepSynced: Pick = (synced) => synced;

/** A disk that fails on command, and that remembers what a power cut would leave. */
export interface FaultyFileSystem extends FileSystem {
  fault: Fault;
  /** Whether reads and syncs take turns of the event loop, as those of a disk do. */
  isSlow: boolean;
  /** Operations so far, by name. */
  readonly counts: Readonly<Partial<Record<Operation, number>>>;
  /** Files that are open. */
  readonly openFiles: number;
  /** Copies a directory as a crash would leave it; sockets are left out, so their owners are dead. */
  imageAfterCrash(directory: string, target: string, pick: Pick): void;
}

/** Refuses some operations, and all of them for a file that doesn't match. */
export function refuse(code: string, operations: readonly Operation[], files = /./): Fault {
  return (operation, path) =>
    operations.includes(operation) && files.test(path) ? code : undefined;
}

/** Refuses whatever needs room. */
export const diskFull = refuse("ENOSPC", ["append", "openForAppend", "makeDirectory"]);
export const nothingFails: Fault = () => undefined;

function toError(code: string, operation: Operation): Error {
  return Object.assign(new Error(`${code}: ${operation}`), { code });
}

function isEntry(path: string): boolean {
  return fs.lstatSync(path).isDirectory() || fs.lstatSync(path).isFile();
}

/** Cuts what a power cut may take. */
function copyFile(from: string, to: string, bytes: number): void {
  const { atime, mtime, mode } = fs.statSync(from);
  fs.writeFileSync(to, fs.readFileSync(from).subarray(0, bytes), { mode });
  fs.utimesSync(to, atime, mtime);
}

/**
 * Makes a file system out of Node.js' own.
 *
 * Reads and syncs are done at once unless it is slow, so that a clock that stands still has nothing to wait for. A sync that fails
 * makes what was not synced unsafe for good: the kernel may have dropped it, and calls the next sync a success.
 */
export function createFaultyFileSystem(): FaultyFileSystem {
  const pathOf = new Map<number, string>();
  /** By inode, since directories are renamed; what is not in it was there before and is safe. */
  const synced = new Map<number, number>();
  const unnamed = new Set<number>();
  const spoiled = new Set<number>();
  const counts: Partial<Record<Operation, number>> = {};

  const check = (operation: Operation, path: string): string | undefined => {
    counts[operation] = (counts[operation] ?? 0) + 1;
    const code = faulty.fault(operation, path);
    if (code !== undefined && code !== "short") throw toError(code, operation);
    return code;
  };
  const checkFile = (operation: Operation, fd: number): string | undefined =>
    check(operation, pathOf.get(fd) ?? "");
  const open = (fd: number, path: string): number => {
    pathOf.set(fd, path);
    return fd;
  };
  const takeTime = async (): Promise<void> => {
    for (let turn = 0; faulty.isSlow && turn < 3; turn++)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const forget = (path: string): void => {
    const inode = fs.statSync(path, { throwIfNoEntry: false })?.ino;
    if (inode === undefined) return;
    for (const set of [synced, unnamed, spoiled]) set.delete(inode);
  };
  const copy = (directory: string, target: string, pick: Pick): void => {
    fs.mkdirSync(target, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(directory)) {
      const [from, to] = [join(directory, name), join(target, name)];
      if (!isEntry(from)) continue;
      const { ino, size } = fs.statSync(from);
      if (fs.statSync(from).isDirectory()) copy(from, to, pick);
      else {
        const safe = synced.get(ino) ?? size;
        const bytes = pick(unnamed.has(ino) ? 0 : Math.min(safe, size), size);
        if (bytes > 0 || !unnamed.has(ino)) copyFile(from, to, bytes);
      }
    }
  };

  const faulty: FaultyFileSystem = {
    ...nodeFileSystem,
    fault: nothingFails,
    isSlow: false,
    counts,
    get openFiles() {
      return pathOf.size;
    },
    imageAfterCrash: copy,
    makeDirectory(path) {
      check("makeDirectory", path);
      return nodeFileSystem.makeDirectory(path);
    },
    list(path) {
      check("list", path);
      return nodeFileSystem.list(path);
    },
    openForAppend(path) {
      check("openForAppend", path);
      const fd = open(nodeFileSystem.openForAppend(path), path);
      const { ino, size } = fs.fstatSync(fd);
      if (size === 0) synced.set(ino, 0);
      if (size === 0) unnamed.add(ino);
      return fd;
    },
    openForRead(path) {
      check("openForRead", path);
      return open(nodeFileSystem.openForRead(path), path);
    },
    append(fd, bytes, length) {
      const code = checkFile("append", fd);
      return nodeFileSystem.append(fd, bytes, code === "short" ? Math.floor(length / 2) : length);
    },
    truncate(fd, length) {
      checkFile("truncate", fd);
      nodeFileSystem.truncate(fd, length);
    },
    async read(fd, into, position) {
      await takeTime();
      const code = checkFile("read", fd);
      const length = code === "short" ? Math.ceil(into.length / 3) : into.length;
      return fs.readSync(fd, into, 0, length, position);
    },
    async sync(fd) {
      await takeTime();
      const { ino, size } = fs.fstatSync(fd);
      try {
        checkFile("sync", fd);
      } catch (error) {
        if (size > (synced.get(ino) ?? 0)) spoiled.add(ino);
        throw error;
      }
      if (!spoiled.has(ino)) synced.set(ino, size);
    },
    async syncDirectory(path) {
      check("syncDirectory", path);
      for (const name of fs.readdirSync(path)) unnamed.delete(fs.lstatSync(join(path, name)).ino);
    },
    close(fd) {
      pathOf.delete(fd);
      nodeFileSystem.close(fd);
    },
    remove(path) {
      check("remove", path);
      forget(path);
      nodeFileSystem.remove(path);
    },
  };
  return faulty;
}

/** Makes a directory on a file system in memory, if there is one, that is gone after the test. */
export function makeFastDirectory(): string {
  const base = fs.existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const directory = fs.mkdtempSync(join(base, "agent-monitor-spool-"));
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}
