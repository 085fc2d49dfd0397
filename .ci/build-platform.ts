// Bundles the local platform into dist, for ESM and CommonJS. Runs after tsc, which writes the declarations.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { buildUi } from "./build-ui.ts";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = join(ROOT, "src/platform/index.ts");

// The package's own dependencies: their users get one copy, and the WASM file stays where its loader looks.
const EXTERNAL = ["@opentelemetry/api", "zod", "jose", "node-sqlite3-wasm"];

// Their licences ask that the notice goes along with every copy.
const BUNDLED = ["hono", "@hono/node-server", "preact", "htm"];

const OUTPUTS = [
  { directory: join(ROOT, "dist/platform"), format: "esm" },
  { directory: join(ROOT, "dist/cjs/platform"), format: "cjs" },
] as const;

/** Puts the finished page in the place of the module that bundles it from source. */
async function createUiPlugin(): Promise<Plugin> {
  const assets = JSON.stringify(await buildUi());
  return {
    name: "ui-assets",
    setup(builder) {
      let isReplaced = false;
      builder.onLoad({ filter: /[\\/]ui-assets\.ts$/ }, () => {
        isReplaced = true;
        return {
          contents: `const assets = ${assets};\nexport const loadUiAssets = async () => assets;`,
          loader: "js",
        };
      });
      // A module that was renamed would leave the package without a page.
      builder.onEnd(() =>
        isReplaced
          ? undefined
          : { errors: [{ text: "expected a module ui-assets.ts to replace" }] },
      );
    },
  };
}

function findDeclarations(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const [, specifier] of readFileSync(file, "utf8").matchAll(
    /from ["'](\.[^"']+)\.[jt]s["']/g,
  )) {
    findDeclarations(resolve(dirname(file), `${specifier}.d.ts`), found);
  }
  return found;
}

/** Removes what tsc wrote beside the declarations that the entry's declaration reaches. */
function clean(directory: string): void {
  if (!existsSync(directory)) return;
  const kept = findDeclarations(join(directory, "index.d.ts"));
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path)) rmSync(path);
  }
  for (const name of ["ui", "store", "otlp"]) {
    const isUsed = [...kept].some((path) => path.startsWith(join(directory, name)));
    if (!isUsed) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

const uiPlugin = await createUiPlugin();
for (const { directory, format } of OUTPUTS) {
  clean(directory);
  await build({
    entryPoints: [ENTRY],
    outfile: join(directory, "index.js"),
    bundle: true,
    platform: "node",
    target: "node20",
    format,
    external: EXTERNAL,
    plugins: [uiPlugin],
    minifySyntax: true,
    // Jest runs CommonJS without support for import(): require() serves both.
    supported: { "dynamic-import": format === "esm" },
    absWorkingDir: ROOT,
    logLevel: "warning",
  });
}

const notices = BUNDLED.map((name) => {
  const directory = join(ROOT, "node_modules", name);
  const { version, license } = JSON.parse(
    readFileSync(join(directory, "package.json"), "utf8"),
  ) as {
    version: string;
    license: string;
  };
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, "LICENSE"), "utf8").trim()}\n`;
});
writeFileSync(
  join(ROOT, "dist/platform/third-party-licenses.txt"),
  notices.join(`\n${"-".repeat(80)}\n\n`),
);
