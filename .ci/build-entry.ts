// Joins the ES modules of the entry into one file, after tsc. Importing seventy small files took 35 ms,
// most of it in the module loader; see docs/decisions/0002-one-file-entry.md.
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const ENTRY = join(DIST, "index.js");

const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  absWorkingDir: ROOT,
  logLevel: "warning",
} as const;

// The command line keeps its modules; it is not on anybody's import path.
const cli = await build({
  ...options,
  entryPoints: [join(DIST, "cli.js")],
  external: ["*/platform/index.js"],
  write: false,
  metafile: true,
});
const kept = new Set(Object.keys(cli.metafile.inputs).map((path) => join(ROOT, path)));

await build({ ...options, entryPoints: [ENTRY], outfile: `${ENTRY}.tmp` });
renameSync(`${ENTRY}.tmp`, ENTRY);

const isOwn = (path: string): boolean => !/^(cjs|platform)\b/.test(relative(DIST, path));
for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const isModule = entry.isFile() && path.endsWith(".js") && path !== ENTRY;
  if (isModule && isOwn(path) && !kept.has(path) && existsSync(path)) rmSync(path);
}
