import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { forEachAtOnce } from "./for-each-at-once.ts";
import { type ObjectStore, ObjectStoreError, type StoredObject } from "./object-store.ts";

/** Folder of files that are being written. */
const UNFINISHED = "unfinished";
/** An unfinished file that is older is of a process that was ended. */
const UNFINISHED_MILLIS = 3_600_000;
const AT_ONCE = 16;
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

function toCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/** Returns the bytes of a file; `undefined` where there is none. */
async function tryRead(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (toCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Resolves once the names in a directory would survive a power cut. */
async function syncDirectory(path: string): Promise<void> {
  // Windows can't sync a directory.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeRests(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const modifiedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? now;
    if (now - modifiedAt > UNFINISHED_MILLIS) await rm(path, { force: true });
  }
}

/** Lists the directories of objects and those above, up to the root, the deepest first. */
function listDirectories(root: string, objects: readonly StoredObject[]): readonly string[] {
  const names = new Set<string>();
  for (const { name } of objects)
    for (let at = dirname(name); at !== "."; at = dirname(at)) names.add(at);
  const sorted = [...names].toSorted((a, b) => b.length - a.length);
  return [...sorted.map((name) => join(root, name)), root];
}

/**
 * Opens a directory that keeps objects as files; makes it where it is not there.
 *
 * A file has its name once it is whole and on the disk. Names are on the disk before `put` resolves, also those of
 * directories that a process made which was ended before they were.
 *
 * @throws Error where it can't be written to.
 */
export async function openDirectoryStore(root: string, clock: Clock): Promise<ObjectStore> {
  const unfinished = join(root, UNFINISHED);
  try {
    await mkdir(unfinished, { recursive: true, mode: DIRECTORY_MODE });
    await removeRests(unfinished, clock.now());
    await syncDirectory(dirname(root));
  } catch (error) {
    throw new Error(`archive: ${root} can't be used (${toCode(error)})`, { cause: error });
  }

  const write = async ({ name, bytes }: StoredObject): Promise<void> => {
    const path = join(root, name);
    // Whoever locks files against changes does not want one written again.
    if ((await tryRead(path))?.equals(bytes) === true) return;
    const draft = join(unfinished, randomUUID());
    try {
      await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
      await writeFile(draft, bytes, { flag: "wx", mode: FILE_MODE, flush: true });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  };
  return {
    async put(objects) {
      try {
        await forEachAtOnce(objects, AT_ONCE, write);
        for (const directory of listDirectories(root, objects)) await syncDirectory(directory);
      } catch (error) {
        throw new ObjectStoreError(`${root} can't be written to (${toCode(error)})`);
      }
    },
  };
}
