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

/** Sums up the bytes of the files in a directory and the directories in it; what vanishes meanwhile counts nothing. */
export function measureDirectory(fs: FileSystem, path: string): number {
  let bytes = 0;
  for (const name of listOrNothing(fs, path)) {
    for (const inner of [join(path, name), ...listPaths(fs, join(path, name))])
      bytes += sizeOrNothing(fs, inner);
  }
  return bytes;
}

function listPaths(fs: FileSystem, path: string): string[] {
  return listOrNothing(fs, path).map((name) => join(path, name));
}

function listOrNothing(fs: FileSystem, path: string): string[] {
  try {
    return fs.list(path);
  } catch {
    return [];
  }
}

function sizeOrNothing(fs: FileSystem, path: string): number {
  try {
    return fs.size(path);
  } catch {
    return 0;
  }
}
