// Bundles the local platform into dist.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import { createUiPlugin } from "./build-ui.ts";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = join(ROOT, "src/platform/index.ts");
const TARGET = "node20";

// The package's own dependencies: their users get one copy, and the WASM file stays where its loader looks.
const EXTERNAL = ["@opentelemetry/api", "zod", "jose", "node-sqlite3-wasm"];

// Their licences ask that the notice goes along with every copy.
const BUNDLED = ["hono", "@hono/node-server", "kysely", "oauth4webapi", "preact", "htm"];

/** Shortens the names in what others have written; in our own they stay, for the stacks of errors. */
const minifyPackages: Plugin = {
  name: "minify-packages",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await transform(source, { minify: true, sourcefile: path, target: TARGET });
      return { contents: code };
    });
  },
};

/** Has the platform load the engine and the reader of packs from the package's own files, in which they are anyway. */
const loadEntries: Plugin = {
  name: "load-entries",
  setup(builder) {
    builder.onResolve({ filter: /[\\/](packs|testing)\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import"
        ? { path: `../${basename(path, ".ts")}.js`, external: true }
        : undefined,
    );
  },
};

const DIST = join(ROOT, "dist");
const OUTFILE = join(DIST, "cjs/platform/index.js");
mkdirSync(join(DIST, "platform"), { recursive: true });
await build({
  entryPoints: [ENTRY],
  outfile: OUTFILE,
  bundle: true,
  platform: "node",
  target: TARGET,
  format: "cjs",
  external: EXTERNAL,
  plugins: [loadEntries, await createUiPlugin(), minifyPackages],
  minifySyntax: true,
  minifyWhitespace: true,
  // Jest runs CommonJS without support for import(): require() serves both.
  supported: { "dynamic-import": false },
  absWorkingDir: ROOT,
  logLevel: "warning",
});
// Half a megabyte, once for both module systems.
const names = Object.keys(createRequire(OUTFILE)(OUTFILE) as object);
writeFileSync(
  join(DIST, "platform/index.js"),
  `export { ${names.join(", ")} } from "../cjs/platform/index.js";\n`,
);

const notices = BUNDLED.map((name) => {
  const directory = join(ROOT, "node_modules", name);
  const { version, license } = JSON.parse(
    readFileSync(join(directory, "package.json"), "utf8"),
  ) as {
    version: string;
    license: string;
  };
  const file = readdirSync(directory).find((entry) => /^LICENSE/i.test(entry)) ?? "LICENSE";
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
});
writeFileSync(
  join(DIST, "platform/third-party-licenses.txt"),
  notices.join(`\n${"-".repeat(80)}\n\n`),
);
