import type { FileSystem } from "./file-system.ts";

/** Makes the names of directories safe, as far as they may be opened: those above may be somebody else's. */
export async function syncParents(
  fs: FileSystem,
  [own, ...above]: readonly string[],
): Promise<void> {
  if (own !== undefined) await fs.syncDirectory(own);
  for (const path of above) await fs.syncDirectory(path).catch(() => undefined);
}
