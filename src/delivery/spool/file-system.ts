import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** A failed call of the file system; it is a value, since a spool directory may hold anything. */
export interface Failure {
  readonly status: "failed";
  /** Code of the system call, `EACCES`. */
  readonly code: string;
}

/** Returns the value for a failed call. */
export function toFailure(error: unknown): Failure {
  return { status: "failed", code: toErrorCode(error) };
}

/** Thrown when the spool directory can't be used. */
export class SpoolError extends Error {
  override readonly name = "SpoolError" as const;

  /** @param code - Code of the system call that failed. */
  constructor(spoolDirectory: string, code: string) {
    super(`spoolDirectory ${spoolDirectory} can't be used (${code})`);
  }
}

const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The file system as the spool uses it; failures are thrown as Node.js throws them, with a `code`.
 *
 * Writes are synchronous, since an event must be with the kernel before `track*` returns; reads and syncs,
 * which may wait for a disk, never are.
 */
export interface FileSystem {
  /** Makes a directory that only its owner may enter, and its missing ancestors. @returns The topmost that it made. */
  makeDirectory(path: string): string | undefined;
  /** Lists the names in a directory. */
  list(path: string): string[];
  /** Returns the bytes of a file. */
  size(path: string): number;
  /** Returns when a file was last written to, milliseconds since the Unix epoch. */
  modifiedAt(path: string): number;
  /** Returns whether there is something of this name. */
  exists(path: string): boolean;
  /** Opens a file for appending, and for reading back; makes it, readable by its owner only, if it isn't there. */
  openForAppend(path: string): number;
  openForRead(path: string): number;
  /** Reads the beginning of an open file synchronously. */
  readBack(fd: number, length: number): Buffer;
  /** Appends with one system call. @returns Bytes written, fewer than given when the disk is full. */
  append(fd: number, bytes: Uint8Array, length: number): number;
  truncate(fd: number, length: number): void;
  /** @returns Bytes read, 0 at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): Promise<number>;
  /** Resolves once the data of a file would survive a power cut. */
  sync(fd: number): Promise<void>;
  /** Resolves once the names in a directory would survive a power cut. */
  syncDirectory(path: string): Promise<void>;
  close(fd: number): void;
  remove(path: string): void;
  removeDirectory(path: string): void;
}

/** Reads by the callback: a wrapped `fs.read`, such as a tracer's, has not the members that `promisify` needs. */
function read(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, into, 0, into.length, position, (error, bytesRead) => {
      if (error) reject(error);
      else resolve(bytesRead);
    });
  });
}

/** Returns the code of a failed system call, such as `ENOSPC`; "unknown" when there is none. */
export function toErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "unknown";
}

function isDirectory(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes a directory, not with `recursive`, which never returns where nothing can be made: below `/proc`, for one. */
function makeDirectory(path: string): string | undefined {
  if (isDirectory(path)) return undefined;
  const parent = dirname(path);
  const topmost = parent === path ? undefined : makeDirectory(parent);
  try {
    fs.mkdirSync(path, DIRECTORY_MODE);
  } catch (error) {
    // Another process may have been faster.
    if (toErrorCode(error) !== "EEXIST" || !isDirectory(path)) throw error;
  }
  return topmost ?? path;
}

export const nodeFileSystem: FileSystem = {
  makeDirectory,
  list: (path) => fs.readdirSync(path),
  size: (path) => fs.statSync(path).size,
  modifiedAt: (path) => fs.statSync(path).mtimeMs,
  openForAppend: (path) => fs.openSync(path, "a+", FILE_MODE),
  openForRead: (path) => fs.openSync(path, "r"),
  exists: (path) => fs.existsSync(path),
  readBack: (fd, length) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, 0));
  },
  append: (fd, bytes, length) => fs.writeSync(fd, bytes, 0, length),
  truncate: (fd, length) => fs.ftruncateSync(fd, length),
  read,
  sync: (fd) => fdatasync(fd),
  async syncDirectory(path) {
    // Windows can't sync a directory.
    if (process.platform === "win32") return;
    const fd = fs.openSync(path, "r");
    try {
      await fsync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  close: (fd) => fs.closeSync(fd),
  remove: (path) => fs.rmSync(path, { force: true }),
  removeDirectory: (path) => fs.rmdirSync(path),
};

// Opening a FIFO would block for ever, and a link may lead anywhere. Windows has neither flag.
const { constants } = fs;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens a file for reading. @throws the error of the file system, also for anything that is no file. */
export function openFile(path: string): number {
  const fd = fs.openSync(path, READ_FLAGS);
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw Object.assign(new Error("expected a file"), { code: "EINVAL" });
}

function refuse(): never {
  throw Object.assign(new Error("only looked at"), { code: "EROFS" });
}

/** A read-only file system: it opens nothing but files, and changes nothing. */
export const readOnlyFileSystem: FileSystem = {
  ...nodeFileSystem,
  openForRead: openFile,
  makeDirectory: refuse,
  openForAppend: refuse,
  append: refuse,
  truncate: refuse,
  remove: refuse,
  removeDirectory: refuse,
};

/** Removes a file if that can be done now; never throws. */
export function tryRemove(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.remove(path);
  } catch {
    // The caller says what becomes of a file that stays.
  }
}
