// Joins the command into one file, and the program that the doctor runs in other processes into another.
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { DIST, MODULES, options, toName } from "./build-options.ts";
import { COMMAND } from "./module-owners.ts";
import { takeFromInstance } from "./take-from-instance.ts";

/** Left out: entries that users' own rules import too, and the platform, which is bundled apart. */
const KEPT = ["packs.js", "platform/index.js", "testing.js"];

const keepEntries: Plugin = {
  name: "keep-entries",
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const name = toName(join(resolveDir, path));
      const isKept = kind !== "entry-point" && KEPT.includes(name);
      return isKept ? { path: `./${name}`, external: true } : undefined;
    });
  },
};

await build({
  ...options,
  format: "esm",
  entryPoints: { cli: join(MODULES, COMMAND), probe: join(MODULES, "cli/doctor/probe.js") },
  outdir: DIST,
  plugins: [keepEntries, takeFromInstance(COMMAND, "esm")],
  // Names stay, for the stacks of errors: as those that functions have, which takes less than where they stand.
  keepNames: true,
  minify: true,
  write: true,
});
