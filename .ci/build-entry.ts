// Joins the ES modules of the entries into one file each and one that they share, after tsc. Importing seventy
// small files took 35 ms, most of it in the module loader; see docs/decisions/0002-one-file-entry.md.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { splitParts } from "./deferred-parts.ts";
import { ENTRIES, toBuilt } from "./entries.ts";
import { requirePackages } from "./required-packages.ts";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
/** The platform is bundled apart, and packs are read by the CommonJS copy. */
const JOINED = ENTRIES.filter(({ name }) => name !== "packs" && name !== "platform").map(toBuilt);

/** Location of a file, as its module system names it; the CommonJS copy has the first. */
const LOCATION = { __filename: "import.meta.url" } as const;

const options = {
  bundle: true,
  // V8 reads the constants of a module from memory at each use; this writes their values where they are used.
  minifySyntax: true,
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

const INDEX = join(DIST, "index.js");
// An application imports them beside `index`: when each of them loads all of it, what it has is one file.
const BESIDE_INDEX = JOINED.filter((name) => name !== "index" && name !== "testing");
const loadIndex: Plugin = {
  name: "load-index",
  setup(builder) {
    const paths = new Set(BESIDE_INDEX.map((name) => join(DIST, `${name}.js`)));
    builder.onLoad({ filter: /\.js$/ }, ({ path }) =>
      paths.has(path)
        ? { contents: `import "${INDEX}";\n${readFileSync(path, "utf8")}`, loader: "js" }
        : undefined,
    );
  },
};

/** Imports packages where Node.js does not require them. */
const IMPORTED = join(DIST, "opentelemetry.js");

const joined = join(DIST, "joined");
const entries = JOINED.map((name) => join(DIST, `${name}.js`));
await build({
  ...options,
  entryPoints: entries,
  splitting: true,
  define: LOCATION,
  // That nothing has side effects is for bundlers to know.
  ignoreAnnotations: true,
  plugins: [
    loadIndex,
    await splitParts(
      { dist: DIST, options },
      JOINED.map((name) => `${name}.js`),
    ),
    await requirePackages(DIST, { ...options, entryPoints: entries }),
  ],
  chunkNames: "shared-[hash]",
  outdir: joined,
});
const outputs = readdirSync(joined, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".js"),
);
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
  if (!outputs.includes(relative(DIST, path)) && !kept.has(path) && path !== IMPORTED) rmSync(path);

// What reads a bank's packs is loaded by `require`, while a monitor is constructed: once for both module systems, and no
// part of it stands in the files that every application loads.
writeFileSync(
  join(DIST, "packs.js"),
  'export { describeSecondLook, PackError, readBuiltInSource, readPatternFigures, readPolicyFile, readRulePack, readRulePackFile, toLearnedPattern } from "./cjs/packs.js";\n',
);
