import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, parseJson, type JsonRecord } from "../../util/values.ts";

/** A copy of a package on the disk. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute, with links resolved. */
  readonly path: string;
}

const MODULES = "node_modules";
const MAX_FOLDERS = 100_000;

/** Returns what is read, or `undefined` when it can't be. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Reads a `package.json`; `undefined` when there is none that can be read. */
export function readManifest(folder: string): JsonRecord | undefined {
  const text = attempt(() => readFileSync(join(folder, "package.json"), "utf8"));
  const value = parseJson(text ?? "");
  return isRecord(value) ? value : undefined;
}

const toRealPath = (path: string) => attempt(() => realpathSync(path));
const readNames = (path: string) => attempt(() => readdirSync(path)) ?? [];

const isWorkspaceRoot = (folder: string): boolean =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ||
  readManifest(folder)?.["workspaces"] !== undefined;

/** A member of a workspace finds most packages in the root's folder. */
function findRoots(folder: string): string[] {
  const passed = [folder];
  for (let parent = dirname(folder); parent !== passed.at(-1); parent = dirname(parent)) {
    passed.push(parent);
    if (isWorkspaceRoot(parent)) return passed;
  }
  return [folder];
}

/** Walks through all packages below some folders, each folder once. */
function walk(roots: readonly string[], isWanted: (name: string) => boolean) {
  const packages: InstalledPackage[] = [];
  const seen = new Set<string>();
  const waiting = roots.map((root) => join(root, MODULES));

  const visit = (given: string): void => {
    const path = toRealPath(given);
    if (path === undefined || seen.has(path)) return;
    seen.add(path);
    waiting.push(join(path, MODULES));
    // The folder may be named after an alias.
    const { name, version } = readManifest(path) ?? {};
    if (typeof name !== "string" || typeof version !== "string" || !isWanted(name)) return;
    packages.push({ name, version, path });
  };

  /** Reads an entry of a `node_modules`. */
  const enter = (folder: string, entry: string): void => {
    const path = join(folder, entry);
    if (entry.startsWith("@")) {
      for (const name of readNames(path)) visit(join(path, name));
    } else if (entry === ".pnpm") {
      // pnpm's store: each entry has a `node_modules` of its own.
      for (const name of readNames(path)) waiting.push(join(path, name, MODULES));
    } else if (!entry.startsWith(".")) visit(path);
  };

  while (seen.size < MAX_FOLDERS) {
    const next = waiting.pop();
    if (next === undefined) break;
    const path = toRealPath(next);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    for (const entry of readNames(path)) enter(path, entry);
  }
  return { packages, isCut: waiting.length > 0 };
}

/**
 * Finds every copy of some packages that is installed for a project, nested ones and those of its workspace too.
 *
 * @param folder - Absolute path of the project.
 */
export function findPackages(folder: string, isWanted: (name: string) => boolean) {
  const roots = findRoots(toRealPath(folder) ?? folder);
  const { packages, isCut } = walk(roots, isWanted);
  const sorted = packages.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const isInstalled = roots.some((root) => existsSync(join(root, MODULES)));
  return {
    packages: sorted,
    /** Whether there is a `node_modules` at all. */
    isInstalled,
    /** Whether the search has stopped at its limit. */
    isCut,
  };
}
