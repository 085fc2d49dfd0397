// What an application can import of the package: `exports` of package.json is the only list of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** An entry of the package with the API report that is made of it. */
export interface PackageEntry {
  /** As an application imports it, `agent-monitor/mcp`. */
  readonly specifier: string;
  /** The declarations that an ES module gets, an absolute path. */
  readonly types: string;
  /** The name of its report in test/api. */
  readonly report: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly import?: { readonly types?: string } }>>;
}

/** Reads every entry from `exports` of package.json; package.json itself exports nothing. */
export function readPackageEntries(): PackageEntry[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  return Object.entries(manifest.exports)
    .filter(([path]) => path !== "./package.json")
    .map(([path, { import: { types } = {} }]) => {
      if (types === undefined)
        throw new Error(`exports of package.json: "${path}" has no types for import`);
      const name = path === "." ? manifest.name : path.slice("./".length);
      return {
        specifier: path.replace(/^\./, manifest.name),
        types: join(ROOT, types),
        report: `${name}.api.md`,
      };
    });
}
