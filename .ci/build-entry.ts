// Joins the ES modules of the entries into one file each and one that they share, after tsc. Importing seventy
// small files took 35 ms, most of it in the module loader; see docs/decisions/0002-one-file-entry.md.
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const ENTRIES = [
  "index",
  "register",
  "testing",
  "ai-sdk",
  "anthropic",
  "bedrock",
  "claude-agent",
  "langchain",
  "mcp",
  "openai-agents",
];

/** Location of a file, as its module system names it; the CommonJS copy has the first. */
const LOCATION = { __filename: "import.meta.url" } as const;

const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  absWorkingDir: ROOT,
  logLevel: "warning",
} as const;

// The command line keeps its modules; it is not on anybody's import path. Rules it takes from `testing`, because
// the rules that a user hands in come from the same file.
const cli = await build({
  ...options,
  // What the doctor runs in other processes is a program of its own.
  entryPoints: [join(DIST, "cli.js"), join(DIST, "cli/doctor/probe.js")],
  outdir: DIST,
  external: ["*/packs.js", "*/platform/index.js", "*/testing.js"],
  write: false,
  metafile: true,
});
const kept = new Set(Object.keys(cli.metafile.inputs).map((path) => join(ROOT, path)));

const joined = join(DIST, "joined");
await build({
  ...options,
  entryPoints: ENTRIES.map((name) => join(DIST, `${name}.js`)),
  splitting: true,
  define: LOCATION,
  chunkNames: "shared-[hash]",
  outdir: joined,
});
const outputs = readdirSync(joined);
for (const name of outputs) renameSync(join(joined, name), join(DIST, name));
rmSync(joined, { recursive: true });

const isOwn = (path: string): boolean => !/^(cjs|platform)\b/.test(relative(DIST, path));
for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  const isOutput = outputs.includes(relative(DIST, path));
  const isModule = entry.isFile() && path.endsWith(".js") && !isOutput;
  if (isModule && isOwn(path) && !kept.has(path) && existsSync(path)) rmSync(path);
}

// What reads a bank's packs is loaded by `require`, while a monitor is constructed: once for both module systems, and no
// part of it stands in the files that every application loads.
writeFileSync(
  join(DIST, "packs.js"),
  'export { PackError, readBuiltInSource, readPolicyFile, readRulePack, readRulePackFile } from "./cjs/packs.js";\n',
);
