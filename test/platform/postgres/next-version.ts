import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { createUiPlugin } from "../../../.ci/build-ui.ts";

const ROOT = join(import.meta.dirname, "../../..");
const NO_STEPS = "LAYOUT_STEPS: readonly LayoutStep[] = []";

/** Variable with the steps of a next version, as JSON. */
export const STEPS_VARIABLE = "STEPS_OF_NEXT_VERSION";

/** Has the list of steps come from the variable. */
const takeSteps: Plugin = {
  name: "take-steps",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]store[\\/]layouts\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes(NO_STEPS)) throw new Error(`${path} has steps of its own`);
      const given = `JSON.parse(process.env.${STEPS_VARIABLE} ?? "[]")`;
      return {
        contents: source.replace(NO_STEPS, NO_STEPS.replace("[] = []", `[] = ${given}`)),
        loader: "ts",
      };
    });
  },
};

/** Bundles the command as a next version of it would be, which has another layout; returns its path, and what removes it. */
export async function buildNextVersion(): Promise<{ program: string; remove: () => void }> {
  mkdirSync(join(ROOT, "temp"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, "temp/next-version-"));
  await build({
    entryPoints: { cli: join(ROOT, "src/cli.ts") },
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    plugins: [takeSteps, await createUiPlugin()],
    logLevel: "warning",
  });
  return {
    program: join(directory, "cli.mjs"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
