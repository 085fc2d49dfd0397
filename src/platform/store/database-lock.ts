import { mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SqlDatabase } from "./sql-database.ts";

/** Files this process holds: its own id in a sentinel does not prove that it is the one who wrote it. */
const held = new Set<string>();

interface Owner {
  readonly pid: number;
  /** Kernel's start time of the process, where it can be read: ids are used again. */
  readonly startedAt: string | undefined;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
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

function isAlive({ pid, startedAt }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return hasCode(error, "EPERM");
  }
  const actual = readStartTime(pid);
  return startedAt === undefined || actual === undefined || startedAt === actual;
}

function readOwner(sentinel: string): Owner | undefined {
  try {
    const [pid, startedAt] = readFileSync(sentinel, "utf8").trim().split(" ");
    return Number.isInteger(Number(pid)) && Number(pid) > 0
      ? { pid: Number(pid), startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}

function remove(path: string, how: (path: string) => void): void {
  try {
    how(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function inUse(file: string, pid: number | undefined): Error {
  const owner = pid === undefined ? "another process" : `process ${pid}`;
  return new Error(`platform: the database ${file} is in use by ${owner}`);
}

function writeSentinel(sentinel: string): boolean {
  try {
    writeFileSync(sentinel, `${process.pid} ${readStartTime(process.pid) ?? ""}`.trim(), {
      flag: "wx",
    });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function acquire(file: string, sentinel: string): void {
  if (held.has(file)) throw inUse(file, process.pid);
  if (!writeSentinel(sentinel)) {
    const owner = readOwner(sentinel);
    const isOwnLeftover = owner?.pid === process.pid && !held.has(file);
    if (owner && !isOwnLeftover && isAlive(owner)) throw inUse(file, owner.pid);
    remove(sentinel, unlinkSync);
    if (!writeSentinel(sentinel)) throw inUse(file, undefined);
    // The WASM driver locks with this directory, which a killed owner leaves behind (node-sqlite3-wasm#56).
    remove(`${file}.lock`, rmdirSync);
  }
  held.add(file);
}

/**
 * Opens a database file as its only owner, over the body of an owner that was killed.
 *
 * The two drivers do not see each other's locks; the process id beside the file is seen by both.
 */
export async function withDatabaseLock(
  path: string,
  open: () => Promise<SqlDatabase>,
): Promise<SqlDatabase> {
  const file = resolve(path);
  const sentinel = `${file}.lock.pid`;
  mkdirSync(dirname(file), { recursive: true });
  acquire(file, sentinel);
  const release = (): void => {
    held.delete(file);
    remove(sentinel, unlinkSync);
  };
  try {
    const database = await open();
    return {
      ...database,
      close() {
        database.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw new Error(
      `platform: can't open the database ${file}: ${error instanceof Error ? error.message : "unknown"}`,
      {
        cause: error,
      },
    );
  }
}
