import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { KNOWN_CLIENTS, reportClient, type ClientReport } from "./known-clients.ts";

/** Folders up to the root of the disk; deeper ones are not looked at. */
const MAX_DEPTH = 64;

function readVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, "package.json"), "utf8");
    const version = (JSON.parse(text) as { version?: unknown } | null)?.version;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Looks a package up as an import from a folder does. */
function findVersion(folder: string, name: string): string | undefined {
  let current = folder;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const version = readVersion(join(current, "node_modules", name));
    if (version !== undefined) return version;
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
  return undefined;
}

/**
 * Finds the known clients that code of a folder can import, and what is known of their versions.
 *
 * Reads a few small files; a bundle has none of them, so that nothing is found. Copies that only a dependency sees are
 * `npx agent-monitor doctor`'s to find.
 *
 * @param folder - Absolute path.
 */
export function findInstalledClients(folder: string): ClientReport[] {
  return KNOWN_CLIENTS.flatMap(({ name }) => {
    const version = findVersion(folder, name);
    const report = version === undefined ? undefined : reportClient(name, version);
    return report ? [report] : [];
  });
}
