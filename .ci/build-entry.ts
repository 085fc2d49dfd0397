// Joins the ES modules of the entries into one file each and one that they share, after tsc. Importing seventy
// small files took 35 ms, most of it in the module loader; see docs/decisions/0002-one-file-entry.md.
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";

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

// The compiled phrases and the learned model, 0.5 MB each, stand in the CommonJS copy alone: both formats load them from there.
const SHARED = ["phrases/built-in-text.js", "learned/built-in-model-text.js"];
const sharedTexts: Plugin = {
  name: "shared-texts",
  setup(builder) {
    builder.onResolve({ filter: /\/built-in-(?:model-)?text\.js$/ }, ({ path }) => {
      const shared = SHARED.find((file) => basename(file) === basename(path));
      return shared === undefined
        ? undefined
        : { path: `./cjs/compliance/${shared}`, external: true };
    });
  },
};

const joined = join(DIST, "joined");
await build({
  ...options,
  entryPoints: ENTRIES.map((name) => join(DIST, `${name}.js`)),
  splitting: true,
  define: LOCATION,
  plugins: [sharedTexts],
  chunkNames: "shared-[hash]",
  outdir: joined,
});
const outputs = readdirSync(joined);
for (const name of outputs) renameSync(join(joined, name), join(DIST, name));
rmSync(joined, { recursive: true });

/** Lists the modules that tsc wrote beside the CommonJS copy and the platform, which is cleared at the same time. */
function listModules(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory())
      return /^(cjs|platform)$/.test(relative(DIST, path)) ? [] : listModules(path);
    return path.endsWith(".js") ? [path] : [];
  });
}

for (const path of listModules(DIST))
  if (!outputs.includes(relative(DIST, path)) && !kept.has(path)) rmSync(path);

// What reads a bank's packs is loaded by `require`, while a monitor is constructed: once for both module systems, and no
// part of it stands in the files that every application loads.
writeFileSync(
  join(DIST, "packs.js"),
  'export { describeSecondLook, PackError, readBuiltInSource, readPatternFigures, readPolicyFile, readRulePack, readRulePackFile, toLearnedPattern } from "./cjs/packs.js";\n',
);
