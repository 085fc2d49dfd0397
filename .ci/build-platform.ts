// Bundles the local platform into dist.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import { DIST, MODULES, options, ROOT, toName } from "./build-options.ts";
import { createUiPlugin } from "./build-ui.ts";
import { PLATFORM, readModule } from "./module-owners.ts";
import { takeFromInstance } from "./take-from-instance.ts";

// The package's own dependencies: their users get one copy, and the WASM file stays where its loader looks.
const EXTERNAL = [
  "@opentelemetry/api",
  "zod",
  "jose",
  "node-sqlite3-wasm",
  // Optional: who uses Kafka or PostgreSQL installs them.
  "@platformatic/kafka",
  "pg",
];

// Their licences ask that the notice goes along with every copy.
const BUNDLED = [
  "hono",
  "@hono/node-server",
  "aws4fetch",
  "kysely",
  "oauth4webapi",
  "preact",
  "htm",
];

/** Shortens the names in what others have written; in our own they stay, for the stacks of errors. */
const minifyPackages: Plugin = {
  name: "minify-packages",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await transform(source, {
        minify: true,
        sourcefile: path,
        target: options.target,
      });
      return { contents: code };
    });
  },
};

/** Entries, which are loaded when their user needs the engine or a bank's packs. */
const LATER = ["packs.js", "testing.js"];

const loadEntries: Plugin = {
  name: "load-entries",
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const name = toName(join(resolveDir, path));
      const isLater = kind === "dynamic-import" && LATER.includes(name);
      return isLater ? { path: `../${name}`, external: true } : undefined;
    });
  },
};

const OUTFILE = join(DIST, "cjs", PLATFORM);
mkdirSync(join(DIST, "platform"), { recursive: true });
await build({
  ...options,
  entryPoints: [join(MODULES, PLATFORM)],
  outfile: OUTFILE,
  format: "cjs",
  packages: "bundle",
  external: EXTERNAL,
  plugins: [loadEntries, await createUiPlugin(), minifyPackages, takeFromInstance(PLATFORM, "cjs")],
  // Names stay, for the stacks of errors: as those that functions have.
  keepNames: true,
  minify: true,
  // Jest runs CommonJS without support for import(): require() serves both.
  supported: { "dynamic-import": false },
  write: true,
});
// Half a megabyte, once for both module systems.
const names = Object.keys(await readModule(PLATFORM));
writeFileSync(
  join(DIST, PLATFORM),
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
