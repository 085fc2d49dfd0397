import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import type { SqliteDatabase } from "./sql-database.ts";

const OWN_PREFIX = "platform: ";

/** Files that this process holds: its own id in a sentinel does not prove that it wrote it. */
const held = new Set<string>();

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22; the second field, the name, may contain spaces and ends at the last parenthesis.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** @param startedAt - The kernel's start time of the process, where it could be read: process ids are reused. */
function isAlive(pid: number, startedAt: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return readCode(error) === "EPERM";
  }
  const actual = readStartTime(pid);
  return startedAt === undefined || actual === undefined || startedAt === actual;
}

/** Finds the living process that holds a sentinel; this one holds no such file, its own id is a leftover. */
function findOwner(sentinel: string): number | undefined {
  try {
    const [text, startedAt] = readFileSync(sentinel, "utf8").trim().split(" ");
    const pid = Number(text);
    const isOther = Number.isInteger(pid) && pid > 0 && pid !== process.pid;
    return isOther && isAlive(pid, startedAt) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function remove(path: string, how: (path: string) => void): void {
  try {
    how(path);
  } catch (error) {
    if (readCode(error) !== "ENOENT") throw error;
  }
}

function inUse(file: string, pid: number | undefined): Error {
  const owner = pid === undefined ? "another process" : `process ${pid}`;
  return new Error(`${OWN_PREFIX}the database ${file} is in use by ${owner}`);
}

function writeSentinel(sentinel: string): boolean {
  try {
    const owner = `${process.pid} ${readStartTime(process.pid) ?? ""}`.trim();
    writeFileSync(sentinel, owner, { flag: "wx" });
    return true;
  } catch (error) {
    if (readCode(error) === "EEXIST") return false;
    throw error;
  }
}

function acquire(file: string, sentinel: string): void {
  if (held.has(file)) throw inUse(file, process.pid);
  if (!writeSentinel(sentinel)) {
    const owner = findOwner(sentinel);
    if (owner !== undefined) throw inUse(file, owner);
    remove(sentinel, unlinkSync);
    if (!writeSentinel(sentinel)) throw inUse(file, undefined);
    // The WASM driver locks with this directory, which a killed owner leaves behind (node-sqlite3-wasm#56).
    remove(`${file}.lock`, rmdirSync);
  }
  held.add(file);
}

/** Describes why a file can't be opened; the lock beside it needs the directory as well. */
const REASONS: Readonly<Record<string, (file: string) => string>> = {
  EACCES: (file) => `this user may not write ${file} or its directory`,
  EPERM: (file) => `this user may not write ${file} or its directory`,
  EROFS: () => "the file system is read-only",
  ENOSPC: () => "the disk is full",
  EISDIR: (file) => `${file} is a directory, expected a file`,
  ENOTDIR: (file) => `a part of the path ${dirname(file)} is a file, expected a directory`,
  EEXIST: (file) => `${dirname(file)} is a file, expected a directory`,
  ENAMETOOLONG: () => "the path is too long",
};

function explain(file: string, error: unknown): Error {
  const code = readCode(error);
  const reason = REASONS[code];
  const message = error instanceof Error ? error.message : "unknown";
  // The package's own messages name the file.
  if (!reason && message.startsWith(OWN_PREFIX) && error instanceof Error) return error;
  const text = reason ? `${reason(file)} (${code})` : message;
  return new Error(`${OWN_PREFIX}can't open the database ${file}: ${text}`, { cause: error });
}

/** Checks whether an existing file is writable: the drivers would open it, and fail at the first event. */
function verifyFile(file: string): void {
  try {
    closeSync(openSync(file, "r+"));
  } catch (error) {
    if (readCode(error) !== "ENOENT") throw error;
  }
}

/**
 * Opens a database file as its only owner, and takes over the lock of an owner that was killed.
 *
 * The two drivers do not see each other's locks; the process id beside the file is seen by both.
 */
export async function withDatabaseLock(
  path: string,
  open: () => Promise<SqliteDatabase>,
): Promise<SqliteDatabase> {
  const file = resolve(path);
  const sentinel = `${file}.lock.pid`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    acquire(file, sentinel);
  } catch (error) {
    throw explain(file, error);
  }
  const release = (): void => {
    held.delete(file);
    remove(sentinel, unlinkSync);
  };
  try {
    verifyFile(file);
    const database = await open();
    return {
      ...database,
      close() {
        try {
          database.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw explain(file, error);
  }
}
