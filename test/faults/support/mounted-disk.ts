import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** A disk of its own, in memory. */
export interface MountedDisk {
  readonly path: string;
  /** Changes how much it holds, as `16m`. */
  resize(size: string): void;
  /** Takes it away, also from whoever has files open there. */
  unmount(): void;
}

/**
 * Mounts a disk at a path.
 *
 * @param size - How much it holds, as `64k`.
 * @returns The disk; `undefined` where this is not allowed.
 */
export function mountDisk(path: string, size: string): MountedDisk | undefined {
  mkdirSync(path, { recursive: true });
  const run = (...args: string[]): boolean => spawnSync("/bin/mount", args).status === 0;
  if (!run("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path)) return undefined;
  return {
    path,
    resize: (wanted) => void run("-o", `remount,size=${wanted}`, path),
    unmount: () => void spawnSync("/bin/umount", ["-l", path]),
  };
}
