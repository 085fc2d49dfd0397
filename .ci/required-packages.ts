// Has Node.js require packages that are CommonJS: importing them, it reads each file once more for the names of its exports, which
// takes as long as running it. Everybody else, bundlers above all, imports them: the condition in package.json's `imports` that
// only Node.js knows tells which.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";

/** Not the API: where it has ES modules too, they keep what an application registers, and it is theirs that must be asked. */
const COMMONJS_PACKAGES = /^@opentelemetry\/(core|resources|sdk-logs|sdk-trace-base)$/;
/** Its two files are named by package.json. */
const SPECIFIER = "#opentelemetry";
const NAMESPACE = "required";

/** Lists the packages that files import. */
async function listPackages(options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({ ...options, outdir: "nowhere", write: false, metafile: true });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  const paths = imported.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
  return [...new Set(paths)].filter((path) => COMMONJS_PACKAGES.test(path)).toSorted();
}

/**
 * Writes the two files that load the packages, by `require` and by `import`.
 *
 * @param options - How the entries are joined.
 * @returns Has the entries take the packages from there.
 */
export async function requirePackages(dist: string, options: BuildOptions): Promise<Plugin> {
  const packages = await listPackages(options);
  const required = packages.map((name) => `exports["${name}"] = () => require("${name}");\n`);
  writeFileSync(join(dist, "cjs/opentelemetry.js"), `"use strict";\n${required.join("")}`);
  const imports = packages.map((name, at) => `import * as package${at} from "${name}";\n`);
  const members = packages.map((name, at) => `  "${name}": () => package${at},\n`);
  const imported = `${imports.join("")}export default {\n${members.join("")}};\n`;
  writeFileSync(join(dist, "opentelemetry.js"), imported);
  const require = createRequire(join(dist, "index.js"));
  return {
    name: "require-packages",
    setup(builder) {
      builder.onResolve({ filter: /^#/ }, ({ path }) => ({ path, external: true }));
      builder.onResolve({ filter: COMMONJS_PACKAGES }, ({ path, kind }) =>
        kind === "import-statement" ? { path, namespace: NAMESPACE } : undefined,
      );
      builder.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => {
        const names = Object.keys(require(path) as object).filter((name) => name !== "default");
        const lines = names.map((name) => `export const ${name} = loaded.${name};\n`);
        const head = `import packages from "${SPECIFIER}";\nconst loaded = packages["${path}"]();\n`;
        return { contents: head + lines.join(""), loader: "js", resolveDir: dist };
      });
    },
  };
}
