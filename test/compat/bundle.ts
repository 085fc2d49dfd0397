import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

/** Major line of OpenTelemetry's SDK. */
export type Otel = "2" | "3";

/** Module systems in which each program runs. */
export const FORMATS = ["esm", "cjs"] as const;
export type Format = (typeof FORMATS)[number];

const SUITE = join(import.meta.dirname, "suite");

/** Puts the module that imports OpenTelemetry as 3.x has it in the place of the one for 2.x. */
const newerOtel: Plugin = {
  name: "newer-otel",
  setup(bundler) {
    bundler.onResolve({ filter: /\/otel\.ts$/ }, () => ({
      path: join(SUITE, "support/otel-3.mjs"),
    }));
  },
};

/** Gives the file name of a program. */
export function toFileName(program: string, format: Format): string {
  return `${program}.${format === "esm" ? "mjs" : "cjs"}`;
}

/** Names the programs of the suite. */
export function findPrograms(): string[] {
  return readdirSync(SUITE)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replace(/\.ts$/, ""));
}

/** Writes the programs as one file each in both formats; what they import they find in the application. */
export async function bundlePrograms(directory: string, otel: Otel): Promise<void> {
  const entryPoints = findPrograms().map((name) => join(SUITE, `${name}.ts`));
  for (const format of FORMATS) {
    const { metafile } = await build({
      entryPoints,
      outdir: directory,
      outExtension: { ".js": format === "esm" ? ".mjs" : ".cjs" },
      bundle: true,
      packages: "external",
      // That of the repository leads from the package's name to its source.
      tsconfigRaw: {},
      platform: "node",
      target: "node20",
      format,
      plugins: otel === "3" ? [newerOtel] : [],
      metafile: true,
      logLevel: "warning",
    });
    const strangers = Object.keys(metafile.inputs).filter(
      (path) => !resolve(path).startsWith(SUITE),
    );
    assert.deepEqual(strangers, [], "programs take everything else from the application");
  }
}
