import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Client, Format } from "./matrix.ts";

const SUITE = join(import.meta.dirname, "suite");
const EXTENSIONS: Readonly<Record<Format, string>> = {
  esm: "mjs",
  cjs: "cjs",
  tsx: "mts",
  bundle: "cjs",
};

/** Has everything that the suite imports come from the application, not from the repository. */
function takeFromApp(app: string): Plugin {
  return {
    name: "take-from-app",
    setup(bundler) {
      bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, pluginData }) =>
        pluginData === app || isBuiltin(path) || importer.startsWith(app)
          ? undefined
          : bundler.resolve(path, { kind, resolveDir: app, pluginData: app }),
      );
    },
  };
}

/** Writes the program that imports the modules of a client and runs the suite with them. */
function toEntry({ driver, modules }: Client): string {
  const names = Object.keys(modules);
  return [
    ...names.map((name) => `import * as ${name} from ${JSON.stringify(modules[name])};`),
    'import { AgentMonitor } from "agent-monitor";',
    `import { runSuite } from ${JSON.stringify(join(SUITE, "main.ts"))};`,
    `const modules = { ${names.join(", ")} };`,
    `void runSuite({ driver: ${JSON.stringify(driver)}, modules, Monitor: AgentMonitor });`,
  ].join("\n");
}

/**
 * Writes the program for a client as one file.
 *
 * @param app - The folder in which the client and the package are installed.
 * @returns The path of the file.
 */
export async function bundleSuite(client: Client, app: string, format: Format): Promise<string> {
  const name = `${client.name}-${format}`.replaceAll(/[^\w-]+/g, "-");
  const outfile = join(app, "programs", `${name}.${EXTENSIONS[format]}`);
  const isWhole = format === "bundle";
  await build({
    stdin: { contents: toEntry(client), resolveDir: app, sourcefile: `${name}.mjs` },
    outfile,
    bundle: true,
    packages: isWhole ? "bundle" : "external",
    // That of the repository leads from the package's name to its source.
    tsconfigRaw: {},
    platform: "node",
    target: "node20",
    format: format === "cjs" || isWhole ? "cjs" : "esm",
    plugins: isWhole ? [takeFromApp(app)] : [],
    logLevel: "error",
  });
  return outfile;
}
