// What the steps of the build have in common.
import { join, relative } from "node:path";
import type { BuildOptions } from "esbuild";

export const ROOT = join(import.meta.dirname, "..");
export const DIST = join(ROOT, "dist");
/** Where tsc writes its modules, by the names of the sources. */
export const MODULES = join(ROOT, "temp/modules");

/** Returns the name of a module by its path. */
export const toName = (path: string): string => relative(MODULES, path);

/** How files are joined. */
export const options = {
  bundle: true,
  // V8 reads the constants of a module from memory at each use; this writes their values where they are used.
  minifySyntax: true,
  platform: "node",
  target: "node20",
  packages: "external",
  absWorkingDir: ROOT,
  logLevel: "warning",
  // That nothing has side effects is for bundlers to know.
  ignoreAnnotations: true,
  write: false,
} as const satisfies BuildOptions;
