import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileSystem } from "./file-system.ts";

/** Our files in the order in which they may go: nothing of what is left says that there is more to send. */
const REMOVAL_ORDER = [/\.seg$/, /\.journal$/, /^writer\.json(?:\.tmp)?$/];

/** Removes a writer directory of which everything is settled; what isn't ours stays, and the directory with it. */
export function removeWriterDirectory(fs: FileSystem, path: string): void {
  try {
    const names = fs.list(path);
    for (const pattern of REMOVAL_ORDER) {
      for (const name of names) if (pattern.test(name)) fs.remove(join(path, name));
    }
    fs.removeDirectory(path);
  } catch {
    // It is tried again by whoever adopts it, and there is nothing in it to send.
  }
}

/**
 * Sums up the bytes of the files in a directory and the directories in it, a file at a time: there may be very many,
 * and the application must not wait for them. What vanishes meanwhile counts nothing.
 */
export async function measureDirectory(path: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(path)) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) bytes += await measureDirectory(inner);
      else if (entry.isFile()) bytes += await measureFile(inner);
    }
  } catch {
    // Gone, or not ours to look into.
  }
  return bytes;
}

async function measureFile(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
